//! Records, and a pass that is fed answer by answer.

use holdover_machine::{Machine, Outcome, Secret, Span, Timestamp};
use holdover_recovery::{
    Aggregate, Attempt, AttemptStatus, Candidate, EXECUTOR_TYPE, Effect, ExecutionOwner, Input, Page, Pass,
    Rules, Run, RunStatus, rules::Grace,
};

pub(crate) const NOW: Timestamp = Timestamp::from_ms(1_000);
pub(crate) const CREATED: Timestamp = Timestamp::from_ms(100);
pub(crate) const PID: i64 = 42;

/// The original rules with a grace of `grace_ms`.
pub(crate) fn rules(grace_ms: i64) -> Rules {
    Rules { receipt_grace: Grace::from_ms(grace_ms).expect("a valid grace"), ..Rules::original() }
}

pub(crate) fn pass(grace_ms: i64) -> Pass {
    Pass::new(rules(grace_ms), EXECUTOR_TYPE).expect("the right inspector")
}

pub(crate) fn candidate(n: usize) -> Candidate {
    Candidate {
        run_id: format!("run-{n}"),
        attempt_id: format!("attempt-{n:02}"),
        attempt_created_at: CREATED + Span::from_ms(n as i64),
    }
}

pub(crate) fn page(candidates: impl IntoIterator<Item = usize>) -> Page {
    Page { candidates: candidates.into_iter().map(candidate).collect(), truncated: false }
}

/// Run and attempt of candidate `n`; past a claim, with a process on record.
pub(crate) fn aggregate(n: usize, status: AttemptStatus) -> Aggregate {
    let Candidate { run_id, attempt_id, attempt_created_at } = candidate(n);
    let started = status != AttemptStatus::Claimed;
    let run = Run {
        id: run_id.clone(),
        execution_owner: ExecutionOwner::Runtime,
        status: RunStatus::Running,
        version: 7,
        event_sequence: 7,
        created_at: CREATED,
        started_at: None,
        cancel_requested_at: None,
        cancel_reason: None,
    };
    let attempt = Attempt {
        id: attempt_id,
        run_id,
        step_run_id: Some("step".into()),
        status,
        executor_type: EXECUTOR_TYPE.into(),
        executor_handle: started.then(|| Secret::new("handle".into())),
        pid: started.then_some(PID),
        callback_token_hash: started.then(|| Secret::new("hash".into())),
        callback_sequence: 0,
        created_at: attempt_created_at,
        started_at: None,
        finished_at: None,
    };
    Aggregate { run: Some(run), attempt: Some(attempt) }
}

pub(crate) fn loaded(aggregate: Aggregate) -> Input {
    Input::Loaded(Outcome::Ok(Box::new(aggregate)))
}

pub(crate) fn feed(pass: &mut Pass, now: Timestamp, input: Input) -> Vec<Effect> {
    let mut effects = Vec::new();
    pass.handle(now, input, &mut effects);
    effects
}

/// What a call is called in the decision table.
pub(crate) fn name(effect: &Effect) -> &'static str {
    match effect {
        Effect::List { .. } => "list",
        Effect::Load { .. } => "load",
        Effect::Process { .. } => "process",
        Effect::Recover(_) => "recover",
        Effect::Inspect { .. } => "inspect",
        Effect::DrawIds => "draw ids",
        Effect::RecordRunning(_) => "record running",
        Effect::Wait(_) => "wait",
        Effect::Finish(_) => "finish",
    }
}
