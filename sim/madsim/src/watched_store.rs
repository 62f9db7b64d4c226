use crate::tape::Tape;
use holdover_jobs::{Call, Command, Operated, Reply, Table};
use holdover_store::{MemoryStore, Store, StoreError};
use std::sync::Arc;

/// The store in memory, watched: every change is looked at in the order in which the store made it. Its table lives
/// outside its node, so that what was committed survives a crash.
#[derive(Clone)]
pub(crate) struct WatchedStore {
    pub(crate) memory: Arc<MemoryStore>,
    pub(crate) tape: Arc<Tape>,
}

impl Store for WatchedStore {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        let reply = self.memory.execute(call.clone()).await;
        // Nothing comes between: the store in memory never waits, and the runtime has one thread.
        if let Ok(reply) = &reply {
            self.memory.inspect(|table| look(&self.tape, table, &call, reply));
        }
        reply
    }
}

fn look(tape: &Tape, table: &Table, call: &Call, reply: &Reply) {
    tape.event(table.judged_at().ms().unsigned_abs());
    let operates = matches!(call.command, Command::Operate(_));
    let carried_out = !matches!(reply, Reply::Operated(Operated::Refused { .. }));
    for touched in table.touched() {
        let Some((after, log)) = table.job(touched.number) else { continue };
        tape.event(u64::from(touched.number) << 32 | log.len() as u64);
        let id = after.id();
        if let Some(event) = log.get(touched.events..).and_then(<[_]>::last) {
            tape.tell("store", || format!("{id}: {} (attempt {})", event.body.kind(), after.attempts));
        }
        let Some(before) = &touched.before else { continue };
        if before.completed_at.is_some() {
            tape.expect("terminal-absorbing", before.status == after.status, || {
                let (was, is) = (before.status.as_str(), after.status.as_str());
                (format!("{id} had ended as {was} and became {is}"), vec![id.to_string()])
            });
        }
        if let Some(lease) = before.lease.as_ref().filter(|_| operates && carried_out) {
            let judged_at = table.judged_at();
            tape.expect("expired-is-over", judged_at < lease.expires_at, || {
                let late = judged_at - lease.expires_at;
                let worker = lease.worker.to_string();
                (
                    format!("an operation on {id} by {worker} succeeded {late} after its lease was over"),
                    vec![worker],
                )
            });
        }
    }
}
