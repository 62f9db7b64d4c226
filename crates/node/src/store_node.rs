use crate::peer::Response;
use crate::server::Handler;
use holdover_jobs::{Call, Reply};
use holdover_store::{Store, StoreError};

/// A store that others reach over the network: a request is a call, an answer its reply.
#[derive(Debug)]
pub struct StoreNode<S>(pub S);

impl<S: Store> Handler for StoreNode<S> {
    async fn answer(&self, frame: Vec<u8>) -> Vec<u8> {
        let call: Call = match serde_json::from_slice(&frame) {
            Ok(call) => call,
            Err(error) => return self.refuse(&format!("the frame is no call: {error}")),
        };
        write(&match self.0.execute(call).await {
            Ok(reply) => Response::Ok(reply),
            Err(error) => Response::Error(error),
        })
    }

    fn refuse(&self, why: &str) -> Vec<u8> {
        write(&Response::Error(StoreError::Failed(why.to_owned())))
    }
}

fn write(response: &Response<Reply, StoreError>) -> Vec<u8> {
    serde_json::to_vec(response).expect("a reply can be written")
}
