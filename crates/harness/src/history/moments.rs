use super::{
    error::HistoryError,
    event::{HistoryEvent, Type},
    kind::OperationKind,
    operation::Operation,
    told::Told,
};
use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

/// One of the two ends of an operation of which all is known that ever will be.
#[derive(Debug, Clone)]
pub(super) enum Moment {
    /// It was asked for.
    Invoked(Rc<Operation<Told>>),
    /// It was answered.
    Returned(Rc<Operation<Told>>),
}

impl Moment {
    /// The operation.
    pub(super) fn operation(&self) -> &Rc<Operation<Told>> {
        match self {
            Self::Invoked(operation) | Self::Returned(operation) => operation,
        }
    }
}

/// Turns events into moments. A claim says which job it is about only in its answer, so what was asked for is handed
/// on once it is known what came of it: everything waits for the oldest operation without an answer. One that is never
/// answered and never ended with `info` makes all that follows it wait for the end of the history.
#[derive(Debug, Default)]
pub(super) struct Moments {
    processes: BTreeMap<u64, Process>,
    queue: VecDeque<Waiting>,
    /// How many have left the queue.
    passed: usize,
}

/// A process that has something under way, or may not come up again.
#[derive(Debug)]
enum Process {
    /// Since this line it waits for an answer; its place in the queue, if the operation is one that is checked.
    Asking { since: u64, f: String, place: Option<usize> },
    /// This was the line of its `info`.
    Retired { since: u64 },
}

/// A moment that waits for its turn, and until all is known about it.
#[derive(Debug)]
struct Waiting {
    operation: Rc<Operation<Told>>,
    returned: bool,
    known: bool,
}

impl Moments {
    /// Takes the event of this line.
    pub(super) fn event(&mut self, line: u64, event: HistoryEvent<Told>) -> Result<(), HistoryError> {
        if event.kind == Type::Invoke { self.invoked(line, event) } else { self.answered(line, event) }
    }

    fn invoked(&mut self, line: u64, event: HistoryEvent<Told>) -> Result<(), HistoryError> {
        let process = event.process;
        match self.processes.get(&process) {
            Some(&Process::Asking { since, .. }) => Err(HistoryError::StillAsking { line, process, since }),
            Some(&Process::Retired { since }) => Err(HistoryError::Retired { line, process, since }),
            None => {
                let checked = OperationKind::named(&event.f).is_some();
                let place = checked.then_some(self.passed + self.queue.len());
                self.processes.insert(process, Process::Asking { since: line, f: event.f.clone(), place });
                if checked {
                    let operation = Rc::new(Operation::invoked(line, event));
                    self.queue.push_back(Waiting { operation, returned: false, known: false });
                }
                Ok(())
            }
        }
    }

    fn answered(&mut self, line: u64, event: HistoryEvent<Told>) -> Result<(), HistoryError> {
        let process = event.process;
        let (since, asked, place) = match self.processes.remove(&process) {
            Some(Process::Asking { since, f, place }) => (since, f, place),
            Some(Process::Retired { since }) => return Err(HistoryError::Retired { line, process, since }),
            None => return Err(HistoryError::NothingAsked { line, process }),
        };
        if asked != event.f {
            return Err(HistoryError::OtherOperation { line, process, answered: event.f, asked, since });
        }
        if event.kind == Type::Info {
            self.processes.insert(process, Process::Retired { since: line });
        }
        // What is not known yet is still in the queue.
        if let Some(waiting) = place.and_then(|place| self.queue.get_mut(place - self.passed)) {
            waiting.known = true;
            let operation = Rc::make_mut(&mut waiting.operation);
            operation.answered(line, event.time, event.kind, event.error);
            if event.kind == Type::Ok {
                operation.value = event.value.or(std::mem::take(&mut operation.value));
            }
            if event.kind != Type::Info {
                let operation = Rc::clone(&waiting.operation);
                self.queue.push_back(Waiting { operation, returned: true, known: true });
            }
        }
        Ok(())
    }

    /// No answer will come any more.
    pub(super) fn close(&mut self) {
        self.queue.iter_mut().for_each(|waiting| waiting.known = true);
    }

    /// The next moment, if all is known about it.
    pub(super) fn next(&mut self) -> Option<Moment> {
        let Waiting { operation, returned, .. } = self.queue.pop_front_if(|waiting| waiting.known)?;
        self.passed += 1;
        Some(if returned { Moment::Returned(operation) } else { Moment::Invoked(operation) })
    }
}
