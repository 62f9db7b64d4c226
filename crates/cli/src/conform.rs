//! The command `conform`: holds a store to the contract.

use crate::{
    Console, Exit,
    arguments::ConformArguments,
    error::CommandError,
    store::{AnyStore, StoreUrl},
};
use holdover_conform::{ManualClock, Options, Part, Subject, conform as hold};
use holdover_jobs::Order;
use holdover_store::StoreError;
use serde_json::json;
use std::sync::Arc;

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
    if arguments.json {
        let parts = report.parts.iter().map(|part| {
            json!({
                "part": part.part.to_string(), "compared": part.compared, "unit": part.unit, "failed": part.failed,
                "failures": part.failures.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "missing": part.missing,
            })
        });
        console.print(json!([{ "passed": report.passed(), "parts": parts.collect::<Vec<_>>() }]))?;
    } else {
        console.print(report.to_string().trim_end())?;
    }
    let failed = report.parts.iter().any(|part| part.failed > 0);
    Ok(match (report.passed(), failed) {
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
        let store =
            AnyStore::open(&self.0, order, Some(Arc::new(clock))).await.map_err(StoreError::Failed)?;
        store.erase().await.map_err(StoreError::Failed)?;
        Ok(store)
    }
}
