use crate::engine::Engine;
use crate::fault::Fault;
use holdover_store::StoreError;
use rusqlite::Result as SqlResult;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::{io, thread};
use tokio::sync::oneshot;

/// What a reader is asked to do.
type Task = Box<dyn FnOnce(&Engine) + Send>;

/// Threads that read, each on a connection of its own, beside the writer: each task sees what was committed when it
/// began.
pub(crate) struct Readers {
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    /// Starts a thread for each connection.
    ///
    /// # Errors
    /// The system has no more threads.
    pub(crate) fn start(engines: Vec<Engine>) -> io::Result<Self> {
        let (tasks, queue) = mpsc::channel::<Task>();
        let queue = Arc::new(Mutex::new(queue));
        let start = |engine: Engine| {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name("holdover-sqlite-reader".into()).spawn(move || serve(&engine, &queue))
        };
        let threads = engines.into_iter().map(start).collect::<io::Result<_>>()?;
        Ok(Self { tasks: Some(tasks), threads })
    }

    /// Reads in one transaction.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Engine) -> SqlResult<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, result) = oneshot::channel();
        let task: Task = Box::new(move |engine| {
            // Who does not wait any more does not need to be told.
            let _ = answer.send(engine.in_transaction(read));
        });
        let ended = || StoreError::Failed("the readers have ended".into());
        self.tasks.as_ref().and_then(|tasks| tasks.send(task).ok()).ok_or_else(ended)?;
        let result = result.await.map_err(|_| ended())?;
        result.map_err(|error| Fault::Before(error).error())
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.tasks = None;
        // A reader that panicked has said so itself.
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

fn serve(engine: &Engine, queue: &Mutex<Receiver<Task>>) {
    loop {
        let task = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match task {
            Ok(task) => task(engine),
            Err(mpsc::RecvError) => return,
        }
    }
}
