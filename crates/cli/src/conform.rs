//! The command `conform`: holds a store to the contract.

use crate::{
    Console, Exit,
    arguments::ConformArguments,
    error::CommandError,
    store::{AnyStore, Elsewhere, StoreUrl},
};
use holdover_conform::{ManualClock, Options, Part, Subject, conform as hold};
use holdover_jobs::Order;
use holdover_live::{Clock, Interrupted, Interruptions, Proxy, interrupt};
use holdover_machine::StoreTime;
use holdover_store::{StoreClock, StoreError};
use serde_json::json;
use std::sync::{Arc, atomic::Ordering};
use tokio::runtime::Builder;

/// Holds the store to the contract and prints a line for each part.
pub(crate) fn conform(arguments: &ConformArguments, console: &mut Console<'_>) -> Result<Exit, CommandError> {
    let kept = arguments.store.is_kept();
    if kept && !arguments.erase {
        return Err(CommandError::WouldErase);
    }
    let options = Options {
        parts: Part::ALL.to_vec(),
        seed: arguments.seed,
        calls: arguments.calls,
        concurrent_calls: arguments.concurrent_calls,
    };
    let report = hold(&Named(arguments.store.clone()), &options);
    let interruptions = if report.passed() { interrupted(&arguments.store, console)? } else { None };
    let sound = interruptions.as_ref().is_none_or(|all| all.findings.is_empty());
    if arguments.json {
        let parts = report.parts.iter().map(|part| {
            json!({
                "part": part.part.to_string(), "compared": part.compared, "unit": part.unit, "failed": part.failed,
                "failures": part.failures.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "missing": part.missing,
            })
        });
        let cut = interruptions
            .as_ref()
            .map(|all| json!({ "calls": all.count(), "unknown": all.unknown(), "findings": all.findings }));
        let passed = report.passed() && sound;
        console
            .print(json!([{ "passed": passed, "parts": parts.collect::<Vec<_>>(), "interrupted": cut }]))?;
    } else {
        console.print(report.to_string().trim_end())?;
        if let Some(all) = &interruptions {
            let (count, unknown, wrong) = (all.count(), all.unknown(), all.findings.len());
            console.print(format_args!(
                "interrupted    {count:>7} calls cut, {unknown} of which nobody knows, {wrong} wrong"
            ))?;
            console.print(all.to_string().trim_end())?;
            for finding in all.findings.iter().take(5) {
                console.print(format_args!("  {finding}"))?;
            }
        }
    }
    let failed = report.parts.iter().any(|part| part.failed > 0) || !sound;
    Ok(match (report.passed() && sound, failed) {
        (true, _) => Exit::Passed,
        (false, true) => Exit::Safety,
        (false, false) => Exit::Floor,
    })
}

/// The store of a URL, erased each time that it is opened.
struct Named(StoreUrl);

impl Subject for Named {
    type Store = AnyStore;

    async fn open(&self, order: Order, clock: ManualClock) -> Result<AnyStore, StoreError> {
        AnyStore::open_erased(&self.0, order, Some(Arc::new(clock))).await.map_err(StoreError::Failed)
    }
}

/// Interrupts calls to a store that has a server, at every boundary.
fn interrupted(url: &StoreUrl, console: &mut Console<'_>) -> Result<Option<Interruptions>, CommandError> {
    let elsewhere = match url {
        StoreUrl::Postgres(url) => Elsewhere::at(url, 5432),
        StoreUrl::Redis(url) => Elsewhere::at(url, 6379),
        StoreUrl::Memory | StoreUrl::Sqlite(_) | StoreUrl::Node(_) => return Ok(None),
    };
    let elsewhere = match elsewhere {
        Ok(elsewhere) => elsewhere,
        Err(why) => {
            console.narrate(format_args!("calls are not interrupted: {why}"));
            return Ok(None);
        }
    };
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(CommandError::live)?;
    let all = runtime.block_on(async {
        let proxy = Proxy::start(elsewhere.address).await.map_err(|error| format!("the proxy: {error}"))?;
        let by_proxy = elsewhere.by(proxy.address()).parse()?;
        interrupt(&Reached { direct: url.clone(), by_proxy }, &proxy).await
    });
    all.map(Some).map_err(CommandError::Live)
}

/// A store by two ways.
struct Reached {
    direct: StoreUrl,
    by_proxy: StoreUrl,
}

impl Interrupted for Reached {
    type Store = AnyStore;

    async fn emptied(&self, clock: &Clock) -> Result<AnyStore, String> {
        AnyStore::open_erased(&self.direct, Order::Fifo, Some(set(clock))).await
    }

    async fn by_proxy(&self, clock: &Clock) -> Result<AnyStore, String> {
        AnyStore::open(&self.by_proxy, Order::Fifo, Some(set(clock))).await
    }
}

fn set(clock: &Clock) -> Arc<dyn StoreClock> {
    let clock = Arc::clone(clock);
    Arc::new(move || StoreTime::from_ms(clock.load(Ordering::Relaxed)))
}
