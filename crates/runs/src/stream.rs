//! The one subscriber's stream, whose unread part is bounded.

use crate::{
    Coordinator, Effect, RequestId,
    cancel::Waiter,
    queue::Task,
    rules::{Departure, FrameIds},
    turn::Turn,
};

/// An open stream.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Stream {
    id: RequestId,
    unread: u64,
}

/// The subscriber does not read.
struct Stalled;

impl Stream {
    pub(crate) fn new(id: RequestId) -> Self {
        Self { id, unread: 0 }
    }

    /// Counts a frame in, unless too much is unread already. The end of a run is no exception (W-C10).
    fn push(&mut self, unread_max: u64, frame: &str) -> Result<(), Stalled> {
        if self.unread >= unread_max {
            return Err(Stalled);
        }
        self.unread += frame.len() as u64;
        Ok(())
    }
}

impl Coordinator {
    /// Adds an event to the stream, if there is one. A subscriber that stalls loses its stream, and the run is
    /// cancelled.
    pub(crate) fn publish(&mut self, turn: &mut Turn<'_>, data: &str) {
        let Some(stream) = &mut self.stream else { return };
        let FrameIds::PerInstance = self.rules.frame_ids;
        let frame = format!("event: run_event\nid: {}\ndata: {data}\n\n", self.frames + 1);
        match stream.push(self.rules.unread_max, &frame) {
            Ok(()) => {
                self.frames += 1;
                turn.want(Effect::Frame(stream.id, frame));
            }
            Err(Stalled) => self.lose_subscriber(turn),
        }
    }

    pub(crate) fn close_stream(&mut self, turn: &mut Turn<'_>) {
        if let Some(stream) = self.stream.take() {
            turn.want(Effect::CloseStream(stream.id));
        }
    }

    fn lose_subscriber(&mut self, turn: &mut Turn<'_>) {
        self.close_stream(turn);
        self.queue.push_back(Task::Cancel(Waiter::Background));
    }

    /// The subscriber went away.
    pub(crate) fn departed(&mut self, turn: &mut Turn<'_>) {
        match self.rules.departure {
            Departure::Cancels => self.lose_subscriber(turn),
        }
    }

    pub(crate) fn consumed(&mut self, stream: RequestId, bytes: u64) {
        if let Some(stream) = self.stream.as_mut().filter(|open| open.id == stream) {
            stream.unread = stream.unread.saturating_sub(bytes);
        }
    }

    pub(crate) fn stream_cancelled(&mut self, turn: &mut Turn<'_>, stream: RequestId) {
        if self.stream.as_ref().is_some_and(|open| open.id == stream) {
            self.departed(turn);
        }
    }

    /// A client went away: an accepting one cancels the run as long as it is being prepared, a subscriber as long as
    /// its stream is open. Whoever still waits in the queue is remembered as gone.
    pub(crate) fn disconnected(&mut self, turn: &mut Turn<'_>, id: RequestId) {
        self.stream_cancelled(turn, id);
        if self.operations.preparing() == Some(id) {
            self.queue.push_back(Task::Cancel(Waiter::Background));
        } else if let Some(gone) = self.clients.get_mut(&id) {
            *gone = true;
        }
    }
}
