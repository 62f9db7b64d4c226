//! What a coordinator may want, judged effect by effect.

use holdover_runs::{Effect, Phase, Record, RequestId, WaitId};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const UNREAD_MAX: u64 = 400;
/// What no answer, frame or record may hold.
pub(crate) const REQUEST_SECRET: &str = "sk-request";
/// What no answer and no frame may hold.
pub(crate) const HANDLE_SECRET: &str = "sk-handle";
const OWNER: &str = "ann";

/// Which phase a record may be written in after one in which.
const WRITES: &[(&str, &[&str])] = &[
    ("none", &["creating"]),
    // From creating to running goes a run whose arming failed, since memory holds it accepted all the same.
    ("creating", &["creating", "accepted", "running", "completed", "failed", "cancelled"]),
    ("accepted", &["accepted", "running", "completed", "failed", "cancelled"]),
    ("running", &["running", "completed", "failed", "cancelled"]),
];

/// In which phases an effect may be wanted; one that is not listed may be wanted in any.
const WANTED: &[(&str, &[&str])] = &[
    ("load", &["none"]),
    ("set alarm", &["accepted"]),
    ("delete alarm", &["running", "completed", "failed", "cancelled"]),
    ("prepare", &["creating"]),
    ("execute", &["running"]),
    // Abandoned again is what failed to be abandoned in creation and whose end could not be written either.
    ("abandon", &["creating", "accepted", "running", "failed"]),
    ("abort", &["creating", "accepted", "running"]),
    ("recover", &["creating", "accepted", "running"]),
    ("open stream", &["running", "completed", "failed", "cancelled"]),
    ("frame", &["running", "completed", "failed", "cancelled"]),
];

/// Every line of both tables.
pub(crate) fn table() -> BTreeSet<(&'static str, &'static str)> {
    WRITES.iter().chain(WANTED).flat_map(|(from, to)| to.iter().map(|to| (*from, *to))).collect()
}

/// What a request was about, as far as its answer is judged.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Asked {
    Allow(String),
    Cancel,
    Other,
}

#[derive(Default)]
pub(crate) struct Judge {
    pub(crate) seen: BTreeSet<(&'static str, &'static str)>,
    /// Neither storage nor a recovery failed so far.
    pub(crate) clean: bool,
    pub(crate) requests: BTreeMap<RequestId, (bool, Asked)>,
    pub(crate) alarms: BTreeSet<RequestId>,
    pub(crate) waits: BTreeMap<WaitId, String>,
    /// Unread bytes of the open streams.
    pub(crate) streams: BTreeMap<RequestId, u64>,
    pub(crate) announcements: u32,
    pub(crate) emits: u32,
    ended: BTreeSet<RequestId>,
    allowed: BTreeSet<String>,
    prepares: u32,
    executes: u32,
    abandons: u32,
    aborts: u32,
    frames: u64,
    revision: Option<u64>,
    last_write: Option<Phase>,
}

pub(crate) fn name(phase: Option<Phase>) -> &'static str {
    match phase {
        None => "none",
        Some(Phase::Creating) => "creating",
        Some(Phase::Accepted) => "accepted",
        Some(Phase::Running) => "running",
        Some(Phase::Completed) => "completed",
        Some(Phase::Failed) => "failed",
        Some(Phase::Cancelled) => "cancelled",
    }
}

impl Judge {
    pub(crate) fn new() -> Self {
        Self { clean: true, ..Self::default() }
    }

    /// A new instance: what was open is never answered.
    pub(crate) fn restart(&mut self, stored: Option<&Record>) {
        self.requests.clear();
        self.alarms.clear();
        self.waits.clear();
        self.streams.clear();
        self.allowed.clear();
        (self.announcements, self.emits, self.aborts, self.frames) = (0, 0, 0, 0);
        self.revision = stored.map(|record| record.revision);
        self.last_write = stored.map(|record| record.phase);
    }

    /// Judges one effect, wanted while the phase in memory went from `phases.0` to `phases.1`.
    pub(crate) fn effect(
        &mut self,
        effect: &Effect,
        phases: (Option<Phase>, Option<Phase>),
        stored: Option<&Record>,
    ) {
        self.place(effect, phases);
        match effect {
            Effect::Put(record) => self.write(record, stored),
            Effect::Prepare { .. } => self.prepares += 1,
            Effect::Execute(_) => {
                self.executes += 1;
                assert_eq!(stored.map(|record| record.phase), Some(Phase::Running), "RC-DURABLE-FIRST");
            }
            Effect::Abandon(_) => self.abandons += 1,
            Effect::Abort => self.aborts += 1,
            Effect::AnswerAnnouncement(..) => self.announcements -= 1,
            Effect::AnswerEmit(_) => self.emits -= 1,
            Effect::AnswerWait(wait, answer) => {
                let call = self.waits.remove(wait).expect("a wait is answered once");
                let allowed = *answer == Ok(true);
                assert!(!allowed || !self.clean || self.allowed.contains(&call), "RC-APPROVAL-ONCE");
            }
            Effect::Respond(id, response) => {
                let (owner, asked) = self.requests.remove(id).expect("a request is answered once");
                let accepted = stored.is_some_and(|record| record.phase == Phase::Accepted);
                assert!(response.status != 202 || accepted, "RC-DURABLE-FIRST");
                let nothing = response.status == 404 || asked == Asked::Cancel && response.status == 200;
                assert!(owner || nothing || !self.clean, "RC-OWNER-ONLY: {asked:?} {response:?}");
                no_secret(&json!(response.body).to_string());
                if let (200, Asked::Allow(call)) = (response.status, asked) {
                    self.allowed.insert(call);
                }
            }
            Effect::AnswerAlarm(id, _) => assert!(self.alarms.remove(id), "an alarm is answered once"),
            Effect::OpenStream(id) => {
                let (owner, _) = self.requests.remove(id).expect("a request is answered once");
                assert!(owner, "RC-OWNER-ONLY");
                self.streams.insert(*id, 0);
            }
            Effect::Frame(id, frame) => self.frame(*id, frame, stored),
            Effect::CloseStream(id) => assert!(self.streams.remove(id).is_some(), "a stream is closed once"),
            _ => {}
        }
        assert!(self.prepares <= 1, "RC-ONE-RUN");
        assert!(self.executes <= 1, "RC-ONE-EXECUTE");
        assert!(!self.clean || self.executes + self.abandons <= 1, "RC-ONE-EXECUTE");
        assert!(self.aborts <= 1, "the abort is set once");
        assert!(self.streams.len() <= 1 || !self.clean, "RC-ONE-SUBSCRIBER");
    }

    fn place(&mut self, effect: &Effect, phases: (Option<Phase>, Option<Phase>)) {
        let effect = match effect {
            Effect::Load => "load",
            Effect::SetAlarm(_) => "set alarm",
            Effect::DeleteAlarm => "delete alarm",
            Effect::Prepare { .. } => "prepare",
            Effect::Execute(_) => "execute",
            Effect::Abandon(_) => "abandon",
            Effect::Abort => "abort",
            Effect::Recover { .. } => "recover",
            Effect::OpenStream(_) => "open stream",
            Effect::Frame(..) => "frame",
            _ => return,
        };
        let allowed = WANTED.iter().find(|(name, _)| *name == effect).map_or(&[][..], |(_, phases)| *phases);
        let held = [name(phases.0), name(phases.1)].into_iter().find(|phase| allowed.contains(phase));
        let Some(phase) = held else { panic!("{effect} in {phases:?}") };
        self.seen.insert((effect, phase));
    }

    fn write(&mut self, record: &Record, stored: Option<&Record>) {
        let (from, to) = (name(self.last_write), name(Some(record.phase)));
        let allowed = WRITES.iter().any(|(name, next)| *name == from && next.contains(&to));
        assert!(allowed, "a write in {to} after one in {from}");
        self.seen.insert((from, to));
        self.last_write = Some(record.phase);
        assert!(stored.is_none_or(|stored| !stored.phase.is_terminal()), "RC-TERMINAL-STABLE");
        assert_eq!(record.revision, self.revision.unwrap_or(0) + 1, "RC-SERIAL");
        self.revision = Some(record.revision);
        let cancelled = stored.is_some_and(|stored| stored.snapshot.cancel_requested);
        assert!(record.snapshot.cancel_requested || !cancelled, "RC-CANCEL-MONO");
        let terminal = record.phase.is_terminal();
        let status = if terminal { name(Some(record.phase)) } else { "running" };
        assert_eq!(json!(record.snapshot.status), status, "phase and status agree");
        assert_eq!(record.accepted_until.is_some(), record.phase == Phase::Accepted);
        assert!(!terminal || record.pending.is_none());
        assert_eq!(record.run_id, record.snapshot.run_id);
        assert!(!json!(record).to_string().contains(REQUEST_SECRET), "RC-NO-SECRET");
    }

    fn frame(&mut self, id: RequestId, frame: &str, stored: Option<&Record>) {
        assert!(!self.ended.contains(&id), "RC-END-LAST");
        let unread = self.streams.get_mut(&id).expect("frames go to open streams");
        assert!(*unread < UNREAD_MAX, "RC-BOUNDED");
        *unread += frame.len() as u64;
        self.frames += 1;
        assert!(frame.contains(&format!("\nid: {}\n", self.frames)), "RC-FRAME-IDS");
        no_secret(frame);
        if frame.contains("\"kind\":\"end\"") {
            self.ended.insert(id);
            assert!(
                !self.clean || stored.is_some_and(|record| record.phase.is_terminal()),
                "RC-DURABLE-FIRST"
            );
        }
        if frame.contains("approval_required") {
            assert!(stored.is_some_and(|record| record.pending.is_some()), "RC-DURABLE-FIRST");
        }
    }
}

fn no_secret(text: &str) {
    for secret in [REQUEST_SECRET, HANDLE_SECRET, OWNER] {
        assert!(!text.contains(secret), "RC-NO-SECRET: {text}");
    }
}
