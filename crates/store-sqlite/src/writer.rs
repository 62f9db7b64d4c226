use crate::engine::Engine;
use crate::fault::Fault;
use holdover_jobs::{Call, Reply};
use holdover_store::StoreError;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::{io, thread};
use tokio::sync::oneshot;

/// The most calls that are committed together.
const GROUP_MAX: usize = 256;

/// The one thread that writes. Calls that wait are carried out in one transaction, and each is answered once that is
/// durable.
pub(crate) struct Writer {
    calls: Option<Sender<Waiting>>,
    thread: Option<JoinHandle<()>>,
}

/// A call, and who waits for its reply.
struct Waiting {
    call: Call,
    answer: oneshot::Sender<Result<Reply, StoreError>>,
}

impl Writer {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no more threads.
    pub(crate) fn start(engine: Engine) -> io::Result<Self> {
        let (calls, waiting) = mpsc::channel();
        let desk = Desk { engine, waiting };
        let thread =
            thread::Builder::new().name("holdover-sqlite-writer".into()).spawn(move || desk.serve())?;
        Ok(Self { calls: Some(calls), thread: Some(thread) })
    }

    /// Carries a call out. It is carried out even if its future is dropped meanwhile.
    ///
    /// # Errors
    /// Whether it certainly was not carried out, or may have been.
    pub(crate) async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        let (answer, reply) = oneshot::channel();
        let sent = self.calls.as_ref().map(|calls| calls.send(Waiting { call, answer }));
        match sent {
            Some(Ok(())) => {}
            _ => return Err(StoreError::Failed("the writer has ended".into())),
        }
        reply.await.unwrap_or_else(|_| Err(StoreError::Unknown("the writer ended meanwhile".into())))
    }
}

impl Drop for Writer {
    /// Waits for what is being carried out, so that the file is closed afterwards.
    fn drop(&mut self) {
        self.calls = None;
        // A writer that panicked has said so itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Where the thread takes calls in.
struct Desk {
    engine: Engine,
    waiting: Receiver<Waiting>,
}

impl Desk {
    fn serve(self) {
        while let Ok(first) = self.waiting.recv() {
            let mut group = vec![first];
            let result = self.carry_out(&mut group);
            self.answer(group, result);
        }
    }

    /// Carries the group out and takes in who comes meanwhile. A transaction that only reads waits for no lock; one
    /// that finds somebody else writing is begun again and waits for its turn.
    fn carry_out(&self, group: &mut Vec<Waiting>) -> Result<Vec<Reply>, Fault> {
        self.engine.begin().map_err(Fault::Before)?;
        match self.together(group) {
            Err(fault) if fault.is_busy() => {
                self.engine.begin_immediate().map_err(Fault::Before)?;
                self.together(group)
            }
            result => result,
        }
    }

    fn together(&self, group: &mut Vec<Waiting>) -> Result<Vec<Reply>, Fault> {
        let replies = self.replies(group).map_err(Fault::Before);
        let result =
            replies.and_then(|replies| self.engine.commit().map(|()| replies).map_err(Fault::Commit));
        match result {
            Err(fault) => {
                self.take_back();
                Err(fault)
            }
            replies => replies,
        }
    }

    fn replies(&self, group: &mut Vec<Waiting>) -> rusqlite::Result<Vec<Reply>> {
        let mut replies = Vec::with_capacity(group.len());
        while replies.len() < group.len() {
            replies.push(self.engine.carry_out(&group[replies.len()].call)?);
            if replies.len() == group.len() && group.len() < GROUP_MAX {
                group.extend(self.waiting.try_recv());
            }
        }
        Ok(replies)
    }

    /// Answers a group. One that failed is taken apart, so that one call's failure is not that of others.
    fn answer(&self, mut group: Vec<Waiting>, result: Result<Vec<Reply>, Fault>) {
        match result {
            Ok(replies) => {
                group.into_iter().zip(replies).for_each(|(waiting, reply)| waiting.tell(Ok(reply)));
            }
            Err(fault) if group.len() > 1 && fault.is_certain() && !fault.is_busy() => {
                group.into_iter().for_each(|waiting| self.alone(waiting));
            }
            Err(fault) => group.drain(..).for_each(|waiting| waiting.tell(Err(fault.error()))),
        }
    }

    fn alone(&self, waiting: Waiting) {
        let result = self.engine.begin_immediate().and_then(|()| self.engine.carry_out(&waiting.call));
        let result = result.map_err(Fault::Before);
        let result = result.and_then(|reply| self.engine.commit().map(|()| reply).map_err(Fault::Commit));
        if result.is_err() {
            self.take_back();
        }
        waiting.tell(result.map_err(|fault| fault.error()));
    }

    /// What cannot be taken back now is taken back before the next transaction begins, or with the end of the process:
    /// nothing of it was committed.
    fn take_back(&self) {
        let _ = self.engine.roll_back();
    }
}

impl Waiting {
    /// Who does not wait any more does not need to be told.
    fn tell(self, result: Result<Reply, StoreError>) {
        let _ = self.answer.send(result);
    }
}
