use crate::{Console, Exit, arguments::StoreNodeArguments, error::CommandError, store::AnyStore};
use holdover_jobs::Order;
use holdover_node::{StoreNode, serve};
use std::sync::Arc;
use std::time::Duration;
use tokio::{net::TcpListener, runtime::Builder, time::sleep};

/// Serves a store to other processes of this program, until it is stopped.
pub(crate) fn store_node(
    arguments: &StoreNodeArguments,
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(CommandError::live)?;
    runtime.block_on(async {
        let store = AnyStore::open(&arguments.store, Order::Fifo, None).await.map_err(CommandError::Store)?;
        let listener = TcpListener::bind(arguments.listen).await;
        let listener =
            listener.map_err(|source| CommandError::Unusable { address: arguments.listen, source })?;
        tokio::spawn(serve(listener, Arc::new(StoreNode(store))));
        while !console.stopped() {
            sleep(Duration::from_millis(50)).await;
        }
        Ok(Exit::Passed)
    })
}
