use crate::ManualClock;
use holdover_jobs::rules::Floor;
use holdover_jobs::{Call, Command, ListExpired, Order, Record, Reply, Stamp, Subject, Table};
use holdover_machine::{Span, StoreTime};
use holdover_store::Store;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A store and the table that says what it must answer.
pub(crate) struct Sides<S> {
    pub(super) store: S,
    pub(super) table: Table,
    clock: ManualClock,
    pub(super) now: StoreTime,
    /// The creation numbers of the store by those of the table: a store may leave some out.
    numbers: BTreeMap<u32, u32>,
}

impl<S: Store> Sides<S> {
    pub(crate) fn new(store: S, order: Order, clock: ManualClock) -> Self {
        let now = StoreTime::from_ms(1_000_000);
        clock.set(now);
        Self { store, table: Table::new(order), clock, now, numbers: BTreeMap::new() }
    }

    /// Sets the store's clock.
    pub(crate) fn set_clock(&mut self, now: StoreTime) {
        self.now = now;
        self.clock.set(now);
    }

    /// Both carry the call out; the reply is the table's.
    pub(crate) async fn compare(&mut self, call: &Call) -> Result<Reply, String> {
        let wanted = self.table.execute(self.now, call);
        let got = self.store.execute(call.clone()).await;
        let mut got = got.map_err(|error| format!("{}\n  the store fails: {error}", shown(call)))?;
        self.renumber(&mut got)?;
        match got == wanted {
            true => Ok(wanted),
            false => Err(format!("{}\n{}", shown(call), difference(&got, &wanted))),
        }
    }

    /// The store's numbers become those of the table, if they are in the same order.
    fn renumber(&mut self, reply: &mut Reply) -> Result<(), String> {
        let mut wrong = None;
        reply.each_record(|record| {
            let Some(wanted) = self.table.record(record.id()).map(|record| record.number) else { return };
            let number = *self.numbers.entry(wanted).or_insert(record.number);
            let in_order = self.numbers.range(..wanted).all(|(_, before)| *before < number);
            if number != record.number || !in_order {
                wrong = Some(format!("the creation number of {} is {}", record.id(), record.number));
            }
            set_number(record, wanted);
        });
        wrong.map_or(Ok(()), Err)
    }

    /// Every record, every log and every total is the same.
    pub(crate) async fn compare_all(&mut self) -> Result<(), String> {
        for call in everything(&self.table, self.now) {
            self.compare(&call).await?;
        }
        Ok(())
    }
}

/// Calls that read everything that the table keeps, without moving any clock.
pub(super) fn everything(table: &Table, now: StoreTime) -> Vec<Call> {
    let ids: Vec<_> = table.records().map(|record| record.id().clone()).collect();
    let mut commands: Vec<Command> = ids.iter().cloned().map(Command::Load).collect();
    commands.extend(ids.into_iter().map(|job| Command::Events { job, after: 0, limit: u64::from(u32::MAX) }));
    commands.push(Command::QueueStats);
    commands.push(Command::Workers { stale_after: Span::from_ms(10_000) });
    commands.push(Command::ListExpired(ListExpired { limit: u32::MAX, grace: Span::ZERO }));
    let subjects = table
        .records()
        .map(|record| Subject { tenant: record.tenant().cloned(), user: record.user().cloned() });
    commands
        .extend(subjects.map(|subject| Command::AdmissionCounts { subject, window: Span::from_ms(60_000) }));
    let stamp = if now < table.floor() { Stamp::Caller(now) } else { Stamp::Store(Floor::Absent) };
    commands.into_iter().map(|command| Call { stamp, command }).collect()
}

pub(super) fn set_number(record: &mut Arc<Record>, number: u32) {
    if record.number != number {
        Arc::make_mut(record).number = number;
    }
}

/// A call in a few lines.
pub(super) fn shown(call: &Call) -> String {
    let text = format!("{:?} {:?}", call.stamp, call.command);
    text.chars().take(600).collect()
}

/// The first lines in which two replies differ, with what stands before them.
pub(super) fn difference(got: &Reply, wanted: &Reply) -> String {
    let (got, wanted) = (format!("{got:#?}"), format!("{wanted:#?}"));
    let (got, wanted): (Vec<&str>, Vec<&str>) = (got.lines().collect(), wanted.lines().collect());
    let same = got.iter().zip(&wanted).take_while(|(one, other)| one == other).count();
    let part = |lines: &[&str]| -> String {
        let from = same.saturating_sub(4).min(lines.len());
        lines[from..].iter().take(9).map(|line| format!("\n    {}", line.trim())).collect()
    };
    format!("  the store answers{}\n  right would be{}", part(&got), part(&wanted))
}
