//! The command `selftest`: known bugs are planted one by one, and each must be found by the invariant that was
//! named beforehand.

mod exploring;
mod finder;
mod table;
mod tested;
mod text;

use crate::{
    Console, Exit, arguments::SelftestArguments, engines::Engines, error::CommandError, keep::keep,
    threads::threads,
};
use finder::Finder;
pub(crate) use finder::finders;
use holdover::{AnyScenario, Planted};
use std::{
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use tested::{Tested, test};

/// Tests every scenario that bugs can be planted in.
pub(crate) fn selftest(
    arguments: &SelftestArguments,
    engines: &Engines<'_>,
    console: &mut Console<'_>,
) -> Result<Exit, CommandError> {
    let mut exit = Exit::Passed;
    let mut objects = Vec::new();
    let mut tables = String::new();
    for scenario in engines.of(None) {
        let planted = chosen(*scenario, arguments.filter.as_deref());
        if planted.is_empty() {
            continue;
        }
        let finders = Finder::chosen(&arguments.engine, *scenario, engines);
        let all = test_all(*scenario, planted, &finders, arguments, console);
        if all.iter().any(Tested::is_missed) {
            exit = exit.worst(Exit::Missed);
        } else if all.iter().all(Tested::is_not_here) {
            exit = exit.worst(Exit::Floor);
        }
        let text = text::text(scenario.id(), &finders, &all, console.stopped());
        if arguments.json {
            console.narrate(text);
            objects.push(tested::to_json(scenario.id(), &finders, &all));
        } else {
            console.print(text)?;
        }
        tables.push_str(&table::table(*scenario, &finders, &all));
        keep_traces(arguments.out.as_deref(), &all)?;
    }
    if objects.is_empty() && tables.is_empty() {
        return Err(CommandError::NoPlantedBug { filter: arguments.filter.clone().unwrap_or_default() });
    }
    // Half a table would say of all bugs what is so of some.
    if let Some(path) = arguments.table.as_ref().filter(|_| !console.stopped()) {
        keep(path, &tables).map_err(|source| CommandError::Unwritable { path: path.clone(), source })?;
    }
    if arguments.json {
        console.print(format_args!("[{}]", objects.join(",")))?;
    }
    Ok(if console.stopped() { Exit::Interrupted } else { exit })
}

fn chosen(scenario: &dyn AnyScenario, filter: Option<&str>) -> Vec<Planted> {
    let fits = |planted: &Planted| {
        let names = [planted.id, planted.class, planted.source, planted.invariant];
        filter.is_none_or(|filter| names.iter().any(|name| name.contains(filter)))
    };
    scenario.planted().into_iter().filter(fits).collect()
}

/// Tests them on some threads; the order of the results is that of the catalogue.
fn test_all(
    scenario: &dyn AnyScenario,
    planted: Vec<Planted>,
    finders: &[Finder<'_>],
    arguments: &SelftestArguments,
    console: &Console<'_>,
) -> Vec<Tested> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(planted) = planted.get(next.fetch_add(1, Ordering::Relaxed)) {
            if console.stop.load(Ordering::Relaxed) {
                break;
            }
            done.push(test(scenario, planted, finders));
        }
        done
    };
    let mut all: Vec<Tested> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads(arguments.threads).get()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    all.sort_by_key(|tested| planted.iter().position(|planted| planted.id == tested.planted.id));
    all
}

fn keep_traces(folder: Option<&Path>, all: &[Tested]) -> Result<(), CommandError> {
    let Some(folder) = folder else { return Ok(()) };
    for tested in all {
        let Some(trace) = tested.trace() else { continue };
        let path = folder.join(format!("{}.json", tested.planted.id));
        keep(&path, trace).map_err(|source| CommandError::Unwritable { path, source })?;
    }
    Ok(())
}
