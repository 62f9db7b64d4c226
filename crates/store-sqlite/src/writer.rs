use crate::engine::Engine;
use holdover_jobs::{Call, Reply};
use holdover_store::StoreError;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::{io, thread};
use tokio::sync::oneshot;

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
            let mut answers = vec![first.answer];
            let results = self.engine.carry_out_together(first.call, &mut || {
                let next = self.waiting.try_recv().ok()?;
                answers.push(next.answer);
                Some(next.call)
            });
            for (answer, result) in answers.into_iter().zip(results) {
                // Who does not wait any more does not need to be told.
                let _ = answer.send(result);
            }
        }
    }
}
