//! Unknown outcomes at every boundary: a call is interrupted before each piece that it sends, and after each before the
//! answer comes, and what is stored must go with what the caller was told.

use crate::Proxy;
use holdover_bench::Script;
use holdover_jobs::rules::Floor;
use holdover_jobs::{Call, Change, Command, JobId, Order, Reply, Stamp, Table};
use holdover_machine::StoreTime;
use holdover_store::{Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// No call sends more pieces than this.
const PIECES_MAX: u64 = 64;

/// Opens stores that are interrupted, on one server, by a clock that is set.
pub trait Interrupted {
    /// What is opened.
    type Store: Store;

    /// The store without anything in between, emptied.
    ///
    /// # Errors
    /// It cannot be opened or emptied.
    fn emptied(&self, clock: &Clock) -> impl Future<Output = Result<Self::Store, String>>;

    /// The store as it is, by way of the proxy.
    ///
    /// # Errors
    /// It cannot be opened.
    fn by_proxy(&self, clock: &Clock) -> impl Future<Output = Result<Self::Store, String>>;
}

/// The time of such a store, in milliseconds.
pub type Clock = Arc<AtomicI64>;

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interruptions {
    /// How often a call ended in which way, by the kind of the call and what the caller was told.
    pub outcomes: BTreeMap<(&'static str, &'static str), u64>,
    /// What must not be.
    pub findings: Vec<String>,
}

impl Interruptions {
    /// How many calls were interrupted.
    pub fn count(&self) -> u64 {
        self.outcomes.values().sum()
    }

    /// How many of them nobody knows the outcome of.
    pub fn unknown(&self) -> u64 {
        self.outcomes.iter().filter(|((_, told), _)| *told == "unknown").map(|(_, count)| count).sum()
    }
}

impl fmt::Display for Interruptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((call, told), count) in &self.outcomes {
            writeln!(f, "  {call:<24} {told:<8} {count:>4}")?;
        }
        Ok(())
    }
}

/// Interrupts every call of a script at every piece.
///
/// # Errors
/// The store cannot be opened, or fails in peace.
pub async fn interrupt<I: Interrupted>(stores: &I, proxy: &Proxy) -> Result<Interruptions, String> {
    let mut interruptions = Interruptions::default();
    for group in 0..Script::GROUPS {
        let mut call = 0;
        while one_call(stores, proxy, (group, call), &mut interruptions).await? {
            call += 1;
        }
    }
    Ok(interruptions)
}

/// Interrupts a call of a group at every piece; `false` if the group has no such call.
async fn one_call<I: Interrupted>(
    stores: &I,
    proxy: &Proxy,
    place: (usize, usize),
    interruptions: &mut Interruptions,
) -> Result<bool, String> {
    for delivers in [false, true] {
        for piece in 0..PIECES_MAX {
            let Some(mut scene) = Scene::before(stores, place).await? else { return Ok(false) };
            let store = stores.by_proxy(&scene.clock).await?;
            // The connection is there, so that only the pieces of the call are counted.
            store.execute(stats()).await.map_err(|error| format!("in peace: {error}"))?;
            proxy.strike(piece, delivers);
            let result = store.execute(scene.call.clone()).await;
            if proxy.spare() {
                break;
            }
            let told = match &result {
                Ok(_) => "ok",
                Err(StoreError::Unknown(_)) => "unknown",
                Err(_) => "failed",
            };
            *interruptions.outcomes.entry((kind(&scene.call.command), told)).or_default() += 1;
            if let Err(what) = scene.judge(result).await {
                let side = if delivers { "after" } else { "before" };
                let name = kind(&scene.call.command);
                interruptions.findings.push(format!("{name}, cut {side} piece {piece}: {what}"));
            }
        }
    }
    Ok(true)
}

/// A store in the middle of the script, and the call that comes next.
struct Scene<S> {
    store: S,
    table: Table,
    clock: Clock,
    call: Call,
}

impl<S: Store> Scene<S> {
    async fn before<I: Interrupted<Store = S>>(
        stores: &I,
        (group, call): (usize, usize),
    ) -> Result<Option<Self>, String> {
        let clock = Clock::new(AtomicI64::new(1_000_000));
        let store = stores.emptied(&clock).await?;
        let (mut script, mut table) = (Script::new(), Table::new(Order::Fifo));
        for number in 0..=group {
            clock.fetch_add(10, Ordering::Relaxed);
            let mut replies = Vec::new();
            for (place, next) in script.group(number).into_iter().enumerate() {
                if (number, place) == (group, call) {
                    return Ok(Some(Self { store, table, clock, call: next }));
                }
                replies.push(same(&store, &mut table, now(&clock), &next).await?);
            }
            script.told(number, &replies);
        }
        Ok(None)
    }

    /// What is stored goes with what was told, and the call made again is answered as it must be.
    async fn judge(&mut self, result: Result<Reply, StoreError>) -> Result<(), String> {
        let now = now(&self.clock);
        let mut after = self.table.clone();
        let wanted = after.execute(now, &self.call);
        let is_before = self.holds(&self.table).await?;
        let is_after = self.holds(&after).await?;
        let fits = match &result {
            Ok(reply) if *reply != wanted => {
                return Err(format!("it was answered {reply:?}, not {wanted:?}"));
            }
            Ok(_) => is_after,
            Err(StoreError::Unknown(_)) => is_before || is_after,
            Err(_) => is_before,
        };
        if !fits {
            return Err(format!("the caller was told {result:?}, and that is not what is stored"));
        }
        let mut table = if is_after { after } else { self.table.clone() };
        same(&self.store, &mut table, now, &self.call).await.map(drop)
    }

    /// Whether the store has what the table has, as far as anybody can see.
    async fn holds(&self, table: &Table) -> Result<bool, String> {
        let mut table = table.clone();
        let mut jobs: BTreeSet<JobId> = table.records().map(|record| record.id().clone()).collect();
        jobs.extend(created(&self.call.command));
        let reads = jobs.into_iter().flat_map(|job| {
            let events = Command::Events { job: job.clone(), after: 0, limit: u64::from(u32::MAX) };
            [Command::Load(job), events]
        });
        for command in reads.chain([Command::QueueStats]) {
            let call = at_store(command);
            let stored =
                self.store.execute(call.clone()).await.map_err(|error| format!("in peace: {error}"))?;
            if stored != table.execute(now(&self.clock), &call) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Both are asked, and must answer the same.
async fn same<S: Store>(store: &S, table: &mut Table, now: StoreTime, call: &Call) -> Result<Reply, String> {
    let reply = store.execute(call.clone()).await.map_err(|error| format!("in peace: {error}"))?;
    let wanted = table.execute(now, call);
    if reply == wanted {
        Ok(reply)
    } else {
        Err(format!("in peace {call:?} was answered {reply:?}, not {wanted:?}"))
    }
}

fn kind(command: &Command) -> &'static str {
    match command {
        Command::Create(_) => "create",
        Command::Claim(_) => "claim",
        Command::ClaimMany(_) => "claim of several",
        Command::SettleAndClaim(_) => "completion with a claim",
        Command::OperateMany(_) => "completion of several",
        Command::Recover(_) => "recovery",
        Command::Operate(operate) => match operate.change {
            Change::Start { .. } => "start",
            Change::Heartbeat { .. } => "heartbeat",
            _ => "completion",
        },
        _ => "other",
    }
}

fn created(command: &Command) -> Option<JobId> {
    match command {
        Command::Create(create) => Some(create.spec.job_id.clone()),
        _ => None,
    }
}

fn now(clock: &Clock) -> StoreTime {
    StoreTime::from_ms(clock.load(Ordering::Relaxed))
}

fn stats() -> Call {
    at_store(Command::QueueStats)
}

fn at_store(command: Command) -> Call {
    Call { stamp: Stamp::Store(Floor::Held), command }
}
