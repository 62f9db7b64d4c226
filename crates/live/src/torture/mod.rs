//! A run: workers, a bad network, a server that dies, and then peace.

mod disturb;
mod drain;
mod error;
mod options;
mod report;
mod staff;

use crate::judge::judge;
use crate::proxy::Proxy;
use crate::tape::nanoseconds;
use disturb::Disturber;
pub use error::TortureError;
use holdover_store::Store;
pub use options::{Options, OwnServer, Target};
pub use report::{Counts, Report};
use staff::Staff;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// So long before the disturbances end no new jobs are made.
const LAST_CREATE: Duration = Duration::from_secs(2);
/// So long workers go on in peace.
const PEACE: Duration = Duration::from_secs(3);

/// Runs `worker` processes against a store, disturbs them for a while, and judges what came of it. `worker` makes the
/// command of a worker process that reaches the server through this address; `open` opens the store without a proxy
/// in between.
///
/// # Errors
/// The run could not be made or judged; a store that does wrong is no error, but a finding in the report.
pub async fn torture<S, O>(
    mut target: Target<'_>,
    worker: &dyn Fn(std::net::SocketAddr) -> Command,
    open: O,
    options: &Options,
) -> Result<Report, TortureError>
where
    S: Store,
    O: AsyncFn() -> Result<S, String>,
{
    let doing = TortureError::doing;
    let proxy = Proxy::start(target.address()).await.map_err(doing("starting the proxy"))?;
    let address = proxy.address();
    let end_ms = nanoseconds() / 1_000_000 + as_ms(options.lasts);
    let times =
        staff::Times { creates_until_ms: end_ms - as_ms(LAST_CREATE), works_until_ms: end_ms + as_ms(PEACE) };
    let mut staff = Staff::new(options, times, address, worker);
    staff.hire().map_err(doing("starting workers"))?;
    let mut counts = Disturber::new(options, &proxy).run(&mut target, &mut staff, end_ms).await?;
    counts.cut_connections = proxy.cuts();
    sleep(PEACE).await;
    staff.dismiss().map_err(doing("ending workers"))?;
    let store = Arc::new(open().await.map_err(TortureError::Open)?);
    let (drained, bound) = drain::drain(&store).await?;
    let tapes: Vec<PathBuf> = staff.tapes();
    let history = options.folder.join("history.jsonl");
    let judgement = judge(&tapes, &history, &*store).await.map_err(doing("judging"))?;
    Ok(Report { counts, judgement, drained, bound, history })
}

fn as_ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
