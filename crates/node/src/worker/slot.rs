use holdover_jobs::worker::CallId;
use holdover_machine::OwnTime;
use serde_json::Value;
use tokio::task::JoinHandle;

/// What the shell keeps of a slot beside the machine: what it waits for, and the work.
#[derive(Default)]
pub(super) struct Slot {
    /// The request that has to be answered before the slot moves on.
    pub(super) waiting: Option<CallId>,
    /// When the next heartbeat is due.
    pub(super) next_beat: OwnTime,
    /// Before that nothing is asked or asked again.
    not_before: OwnTime,
    /// The job as the grant showed it.
    detail: Value,
    begun: bool,
    work: Option<JoinHandle<()>>,
}

impl Slot {
    /// Whether the slot may send the request that moves it on.
    pub(super) fn may_send(&self, own: OwnTime) -> bool {
        self.waiting.is_none() && own >= self.not_before
    }

    /// The answer to a request, or the news that there is none.
    pub(super) fn answered(&mut self, call: CallId, not_before: OwnTime) {
        if self.waiting == Some(call) {
            self.waiting = None;
            self.not_before = not_before;
        }
    }

    /// A job is in hand.
    pub(super) fn granted(&mut self, detail: Value) {
        self.stop();
        self.begun = false;
        self.detail = detail;
    }

    /// Whether the work is still to begin.
    pub(super) fn begins(&self) -> bool {
        !self.begun
    }

    pub(super) fn detail(&self) -> Value {
        self.detail.clone()
    }

    pub(super) fn begin(&mut self, work: JoinHandle<()>, next_beat: OwnTime) {
        self.begun = true;
        self.work = Some(work);
        self.next_beat = next_beat;
    }

    /// The work ends where it stands.
    pub(super) fn stop(&mut self) {
        if let Some(work) = self.work.take() {
            work.abort();
        }
    }
}

/// A worker process that ends takes its work along.
impl Drop for Slot {
    fn drop(&mut self) {
        self.stop();
    }
}
