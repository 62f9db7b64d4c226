use holdover_bench::Script;
use holdover_jobs::{Call, Event, Order, Record, Reply, Table};
use holdover_machine::StoreTime;
use holdover_sim_disk::Disk;
use holdover_store::StoreError;
use holdover_store_sqlite::{Durability, Engine, Options};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Jobs with their logs, as a store or a table has them.
type Jobs = Vec<(Record, Vec<Event>)>;

/// A store on a simulated disk, and what it must be like.
pub(crate) struct Run {
    pub(crate) disk: Disk,
    durability: Durability,
    clock: Arc<AtomicI64>,
    engine: Option<Engine>,
    table: Table,
    /// What a crash may bring back: calls of which nobody knows, with all before them.
    maybe: Vec<Table>,
    pub(crate) unknown: u32,
    pub(crate) failed: u32,
}

impl Run {
    pub(crate) fn new(durability: Durability) -> Self {
        Self {
            disk: Disk::new(),
            durability,
            clock: Arc::new(AtomicI64::new(1_000_000)),
            engine: None,
            table: Table::new(Order::Fifo),
            maybe: Vec::new(),
            unknown: 0,
            failed: 0,
        }
    }

    /// Tells the script until power is lost, with the store closed and opened again half-way. What an answer must not
    /// be is an error.
    pub(crate) fn tell(&mut self) -> Result<(), String> {
        let mut script = Script::new();
        for number in 0..Script::GROUPS {
            if number == Script::GROUPS / 2 {
                // The log is brought into the file.
                self.engine = None;
            }
            if self.engine.is_none() && !self.open() {
                if self.disk.is_dead() {
                    return Ok(());
                }
                // An operation failed, and fails no more; room is made once it was missed.
                self.disk.set_room(None);
                self.open();
            }
            self.clock.fetch_add(10, Ordering::Relaxed);
            let group = script.group(number);
            let replies = self.ask(&group)?;
            if self.disk.is_dead() {
                return Ok(());
            }
            script.told(number, &replies);
        }
        Ok(())
    }

    /// Opens the store; false where the disk failed.
    fn open(&mut self) -> bool {
        let mut options = Options::new(self.disk.path("jobs.db"));
        options.vfs = Some(Disk::VFS.to_owned());
        options.durability = self.durability;
        let clock = Arc::clone(&self.clock);
        options.clock = Some(Arc::new(move || StoreTime::from_ms(clock.load(Ordering::Relaxed))));
        self.engine = Engine::open(&options).ok();
        self.engine.is_some()
    }

    /// Asks a group of calls. An answer must be that of the table; a call that failed has not happened, and one of which
    /// nobody knows is not seen. What fails is asked again, so that the script goes on.
    fn ask(&mut self, group: &[Call]) -> Result<Vec<Reply>, String> {
        let now = StoreTime::from_ms(self.clock.load(Ordering::Relaxed));
        let engine = self.engine.as_ref().ok_or("the store cannot be opened")?;
        let mut rest = group[1..].iter().cloned();
        let results = engine.carry_out_together(group[0].clone(), &mut || rest.next());
        let before = self.table.clone();
        let (mut replies, mut under_way) = (Vec::new(), before.clone());
        for (call, result) in group.iter().zip(&results) {
            let wanted = under_way.execute(now, call);
            match result {
                Ok(reply) if *reply == self.table.execute(now, call) => replies.push(reply.clone()),
                Ok(reply) => return Err(format!("{call:?} was answered {reply:?}, not {wanted:?}")),
                Err(StoreError::Unknown(_)) => self.unknown += 1,
                Err(StoreError::Failed(_)) => self.failed += 1,
                Err(other) => return Err(other.to_string()),
            }
            // Each call of a group may have been the last that was carried out.
            if result.is_err() {
                self.maybe.push(under_way.clone());
            }
        }
        if replies.len() == group.len() {
            if self.table != before {
                self.maybe.clear();
            }
            return Ok(replies);
        }
        if self.disk.is_dead() {
            return Ok(replies);
        }
        let certain = results.iter().all(|result| !matches!(result, Err(StoreError::Unknown(_))));
        if certain {
            self.maybe.clear();
        }
        // Room is made once it was missed.
        self.disk.set_room(None);
        let missing: Vec<Call> = group
            .iter()
            .zip(&results)
            .filter(|(_, result)| result.is_err())
            .map(|(call, _)| call.clone())
            .collect();
        if missing.is_empty() { Ok(replies) } else { self.ask(&missing) }
    }

    /// Takes the power and opens the store again: everything that was answered is there, and nothing that nobody asked.
    pub(crate) fn crash(&mut self, choose: &mut dyn FnMut(usize) -> usize) -> Result<(), String> {
        self.disk.restart(choose);
        self.engine = None;
        if !self.open() {
            return Err("the store cannot be opened after a crash".to_owned());
        }
        let engine = self.engine.as_ref().ok_or("opened")?;
        let stored = engine.all_records().map_err(|error| format!("after a crash: {error}"))?;
        let possible = [&self.table].into_iter().chain(&self.maybe);
        match possible.map(jobs).any(|jobs| jobs == stored) {
            true => Ok(()),
            false => Err(format!(
                "{} jobs were acknowledged, and {} are stored otherwise",
                jobs(&self.table).len(),
                stored.len()
            )),
        }
    }
}

fn jobs(table: &Table) -> Jobs {
    let job = |number| table.job(number).map(|(record, events)| ((**record).clone(), events.to_vec()));
    (0..).map_while(job).collect()
}
