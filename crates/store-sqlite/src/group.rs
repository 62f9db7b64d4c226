use crate::engine::Engine;
use crate::fault::Fault;
use holdover_jobs::{Call, Reply};
use holdover_store::StoreError;

/// The most calls that are committed together.
const GROUP_MAX: usize = 256;

impl Engine {
    /// Carries a call out in a durable transaction, together with others: after each call `more` is asked for one that
    /// has come meanwhile. What became of each, in their order, is known once this returns.
    pub fn carry_out_together(
        &self,
        first: Call,
        more: &mut dyn FnMut() -> Option<Call>,
    ) -> Vec<Result<Reply, StoreError>> {
        let mut group = vec![first];
        match self.group(&mut group, more) {
            Ok(replies) => replies.into_iter().map(Ok).collect(),
            // It is taken apart, so that one call's failure is not that of others.
            Err(fault) if group.len() > 1 && fault.is_certain() && !fault.is_busy() => {
                group.iter().map(|call| self.alone(call)).collect()
            }
            Err(fault) => group.iter().map(|_| Err(fault.error())).collect(),
        }
    }

    /// A transaction that only reads waits for no lock; one that finds somebody else writing is begun again and waits
    /// for its turn.
    fn group(
        &self,
        group: &mut Vec<Call>,
        more: &mut dyn FnMut() -> Option<Call>,
    ) -> Result<Vec<Reply>, Fault> {
        self.begin().map_err(Fault::Before)?;
        match self.committed(|| self.replies(group, more)) {
            Err(fault) if fault.is_busy() => {
                self.begin_immediate().map_err(Fault::Before)?;
                self.committed(|| self.replies(group, more))
            }
            result => result,
        }
    }

    fn replies(
        &self,
        group: &mut Vec<Call>,
        more: &mut dyn FnMut() -> Option<Call>,
    ) -> rusqlite::Result<Vec<Reply>> {
        let mut replies = Vec::with_capacity(group.len());
        while replies.len() < group.len() {
            replies.push(self.carry_out(&group[replies.len()])?);
            if replies.len() == group.len() && group.len() < GROUP_MAX {
                group.extend(more());
            }
        }
        Ok(replies)
    }

    fn alone(&self, call: &Call) -> Result<Reply, StoreError> {
        let begun = self.begin_immediate().map_err(Fault::Before);
        let reply = begun.and_then(|()| self.committed(|| self.carry_out(call)));
        reply.map_err(|fault| fault.error())
    }

    /// Commits what was done in a transaction, or takes it back. What cannot be taken back now is taken back before the
    /// next transaction begins, or with the end of the process: nothing of it was committed.
    fn committed<T>(&self, mut work: impl FnMut() -> rusqlite::Result<T>) -> Result<T, Fault> {
        let done = work().and_then(|value| self.settle().map(|()| value)).map_err(Fault::Before);
        let result = done.and_then(|value| self.commit().map(|()| value).map_err(Fault::Commit));
        if result.is_err() {
            let _ = self.roll_back();
        }
        result
    }
}
