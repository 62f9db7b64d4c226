use crate::frame::{FrameError, read_frame, write_frame};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// How long a server waits after it could not accept a connection, e.g. for want of file descriptors.
const RELIEF: Duration = Duration::from_millis(50);

/// What a server does with its requests.
pub trait Handler: Send + Sync + 'static {
    /// Answers a request.
    fn answer(&self, frame: Vec<u8>) -> impl Future<Output = Vec<u8>> + Send;
    /// Refuses a frame that is no request.
    fn refuse(&self, why: &str) -> Vec<u8>;
}

/// Answers everybody who connects, each connection in a task of its own, until this future is dropped. Connections
/// that are open then live on until they are closed.
pub async fn serve(listener: TcpListener, handler: Arc<impl Handler>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(attend(stream, Arc::clone(&handler)))),
            Err(_) => sleep(RELIEF).await,
        }
    }
}

/// Answers the requests of one connection, one after the other, until it ends. How it ended is the peer's business;
/// but a request over the limit is refused in words before the connection is closed.
async fn attend(mut stream: TcpStream, handler: Arc<impl Handler>) {
    loop {
        match read_frame(&mut stream).await {
            Ok(Some(frame)) => {
                // An answer over the limit leaves the peer with one that does not come: its request was carried out.
                if write_frame(&mut stream, &handler.answer(frame).await).await.is_err() {
                    return;
                }
            }
            Err(error @ FrameError::TooLarge { .. }) => {
                let _ = write_frame(&mut stream, &handler.refuse(&error.to_string())).await;
                return;
            }
            Ok(None) | Err(_) => return,
        }
    }
}
