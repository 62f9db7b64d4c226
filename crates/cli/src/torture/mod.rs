//! The commands around torture: the run itself, one of its workers, and a store behind a socket.

mod node;
mod server;
mod worker;

use crate::{
    Console, Exit,
    arguments::TortureArguments,
    error::CommandError,
    store::{AnyStore, StoreUrl},
};
use holdover_jobs::Order;
use holdover_live::{Flaw, Flawed, Options, Report, torture as run};
pub(crate) use node::store_node;
use serde_json::json;
use server::Server;
pub(crate) use server::ServerKind;
use std::env;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;
use tokio::runtime::Builder;
pub(crate) use worker::torture_worker;

/// Tortures a store with a server of its own, and prints what came of it.
pub(crate) fn torture(arguments: &TortureArguments, console: &mut Console<'_>) -> Result<Exit, CommandError> {
    let flaw = arguments.plant.as_deref().map(flaw).transpose()?;
    if arguments.store == Some(StoreUrl::Memory) {
        return Err(CommandError::NothingToTorture);
    }
    let program = env::current_exe().map_err(CommandError::live)?;
    std::fs::create_dir_all(&arguments.out).map_err(CommandError::live)?;
    let folder = tempfile::Builder::new().prefix("torture-").tempdir_in(&arguments.out);
    let folder = folder.map_err(CommandError::live)?;
    let options = Options {
        lasts: Duration::from_secs(arguments.seconds),
        workers: u32::try_from(arguments.workers).unwrap_or(u32::MAX),
        seed: arguments.seed,
        folder: folder.path().to_owned(),
    };
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(CommandError::live)?;
    let mut server = match (&arguments.store, arguments.kind) {
        (Some(url), _) => {
            runtime.block_on(empty(url, arguments.erase))?;
            Server::of(url, &program).map_err(CommandError::Server)?
        }
        (None, kind) => Server::start(kind.unwrap_or(ServerKind::Sqlite), &program, folder.path())
            .map_err(CommandError::Server)?,
    };
    if flaw == Some(Flaw::UnlockedClaim) && matches!(server, Server::Sqlite(_)) {
        return Err(CommandError::FlawElsewhere { name: Flaw::UnlockedClaim.name() });
    }
    let (address, direct) = (server.url_of(), server.url().map_err(CommandError::Server)?);
    let worker = |proxy: SocketAddr| {
        let mut command = Command::new(&program);
        command.args(["torture-worker", "--store", &address(proxy)]);
        command.args(flaw.iter().flat_map(|flaw| ["--plant", flaw.name()]));
        command
    };
    let report = runtime.block_on(run(server.target(), &worker, || open(&direct), &options));
    let report = report.map_err(|error| CommandError::Live(error.to_string()))?;
    tell(&report, arguments, console)?;
    if !report.passed() {
        let kept = folder.keep();
        console.narrate(format_args!("the history and the tapes are in {}", kept.display()));
    }
    Ok(verdict(&report, flaw))
}

fn flaw(name: &str) -> Result<Flaw, CommandError> {
    Flaw::named(name).ok_or_else(|| CommandError::NoFlaw {
        name: name.to_owned(),
        known: Flaw::ALL.map(Flaw::name).join(", "),
    })
}

/// Empties a store that is there.
async fn empty(url: &StoreUrl, erase: bool) -> Result<(), CommandError> {
    if url.is_kept() && !erase {
        return Err(CommandError::WouldErase);
    }
    AnyStore::open_erased(url, Order::Fifo, None).await.map(drop).map_err(CommandError::Store)
}

async fn open(url: &StoreUrl) -> Result<Flawed<AnyStore>, String> {
    Ok(Flawed::new(AnyStore::open(url, Order::Fifo, None).await?, None))
}

/// A planted bug is to be found, by what was named for it; without one nothing is.
fn verdict(report: &Report, flaw: Option<Flaw>) -> Exit {
    match flaw {
        Some(flaw) if report.judgement.findings.iter().any(|one| one.invariant == flaw.falls()) => {
            Exit::Passed
        }
        Some(_) => Exit::Missed,
        None if !report.judgement.passed() => Exit::Safety,
        None if !report.passed() => Exit::Liveness,
        None => Exit::Passed,
    }
}

fn tell(
    report: &Report,
    arguments: &TortureArguments,
    console: &mut Console<'_>,
) -> Result<(), CommandError> {
    let findings: Vec<String> = report.judgement.findings.iter().map(ToString::to_string).collect();
    if arguments.json {
        let (counts, history) = (&report.counts, &report.judgement.history);
        return console.print(json!([{
            "passed": report.passed(), "operations": history.operations, "ok": history.ok,
            "failed": history.failed, "unknown": history.unknown, "server_kills": counts.server_kills,
            "worker_kills": counts.worker_kills, "worker_stops": counts.worker_stops,
            "cut_connections": counts.cut_connections,
            "acknowledged_writes": report.judgement.acknowledged_writes,
            "drained_ms": report.drained.as_millis() as u64, "bound_ms": report.bound.as_millis() as u64,
            "findings": findings,
        }]));
    }
    console.print(report.to_string().trim_end())?;
    // One story is enough to begin with; the rest is in the history.
    for finding in findings.iter().take(10) {
        console.print(format_args!("FOUND {finding}"))?;
    }
    if findings.len() > 10 {
        console.print(format_args!("and {} more", findings.len() - 10))?;
    }
    for story in &report.judgement.history.stories {
        console.print(story)?;
    }
    Ok(())
}
