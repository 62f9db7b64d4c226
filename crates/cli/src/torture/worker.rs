use crate::{Exit, arguments::TortureWorkerArguments, error::CommandError, store::AnyStore};
use holdover_jobs::Order;
use holdover_live::{Flaw, Flawed, WorkerOptions, work};
use std::time::Duration;
use tokio::{runtime::Builder, time::sleep};

/// So often a worker tries to reach its store: the server may be down when it starts.
const OPENS_MAX: u32 = 200;

/// One worker process of a run.
pub(crate) fn torture_worker(arguments: &TortureWorkerArguments) -> Result<Exit, CommandError> {
    let options = WorkerOptions {
        number: arguments.number,
        seed: arguments.seed,
        tape: arguments.tape.clone(),
        creates_until_ms: arguments.creates_until,
        works_until_ms: arguments.works_until,
    };
    let flaw = arguments.plant.as_deref().map(super::flaw).transpose()?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(CommandError::live)?.block_on(async {
        let store = open(arguments).await?;
        let store = if flaw == Some(Flaw::UnlockedClaim) { store.unlocked() } else { store };
        let store = Flawed::new(store, flaw);
        work(store, &options).await.map_err(CommandError::live)
    })?;
    Ok(Exit::Passed)
}

async fn open(arguments: &TortureWorkerArguments) -> Result<AnyStore, CommandError> {
    for _ in 1..OPENS_MAX {
        match AnyStore::open(&arguments.store, Order::Fifo, None).await {
            Ok(store) => return Ok(store),
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
    AnyStore::open(&arguments.store, Order::Fifo, None).await.map_err(CommandError::Store)
}
