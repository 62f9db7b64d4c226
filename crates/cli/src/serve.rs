//! The command `serve`: the job protocol over a store, for real clients and workers.

use crate::{Console, Exit, arguments::ServeArguments, error::CommandError, store::AnyStore};
use holdover_jobs::{Policy, Registry, Rules, Settings};
use holdover_node::{JobService, SystemClock};
use std::{io, sync::Arc, time::Duration};
use tokio::{net::TcpListener, runtime::Builder, time::sleep};

/// How often expired leases are taken away, and how many at most.
const SWEEP: (Duration, u32) = (Duration::from_secs(5), 100);

/// How often it is looked whether Ctrl-C was pressed.
const WATCH: Duration = Duration::from_millis(50);

/// Serves until Ctrl-C.
pub(crate) fn serve(arguments: &ServeArguments, console: &mut Console<'_>) -> Result<Exit, CommandError> {
    let rules = Rules::named(&arguments.variant).ok_or_else(|| CommandError::UnknownVariant {
        whose: "the job protocol has".to_owned(),
        name: arguments.variant.clone(),
        hint: "there are: hardened, original, hardened-without-KNOB".to_owned(),
    })?;
    let policy = Arc::new(Policy { rules, settings: settings() });
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| unusable(arguments, source))?;
    runtime.block_on(run(arguments, policy, console))
}

async fn run(
    arguments: &ServeArguments,
    policy: Arc<Policy>,
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let listener = TcpListener::bind(arguments.listen).await.map_err(|source| unusable(arguments, source))?;
    let address = listener.local_addr().map_err(|source| unusable(arguments, source))?;
    let store = AnyStore::open(&arguments.store, policy.order(), None).await.map_err(CommandError::Store)?;
    let service = Arc::new(JobService::new(policy, store, Arc::new(SystemClock::start())));
    tokio::spawn(holdover_node::sweep(Arc::clone(&service), SWEEP.0, SWEEP.1));
    tokio::spawn(holdover_node::serve(listener, service));
    console.print(format_args!("listening at {address} ({})", arguments.variant))?;
    while !console.stopped() {
        sleep(WATCH).await;
    }
    Ok(Exit::Passed)
}

/// Every built-in executor is handed out.
fn settings() -> Settings {
    let registry = Arc::new(Registry::worker_queue(["goosed", "aider", "openhands"]));
    Settings { execution_enabled: true, registry, ..Settings::default() }
}

fn unusable(arguments: &ServeArguments, source: io::Error) -> CommandError {
    CommandError::Unusable { address: arguments.listen, source }
}
