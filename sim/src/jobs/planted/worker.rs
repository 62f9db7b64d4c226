//! The worker's side: until when it believes in its lease, and what it does with it.

use super::Bug;
use super::fencing::worker_of;
use super::flaw::{Acted, Flaw, Heard};
use holdover_jobs::worker::{Act, Phase, Until, WorkerAnswer, WorkerEffect, WorkerEvent};
use holdover_jobs::{LeaseOperation, LeaseToken, Operated, Reply, ServiceRequest, Standing};
use holdover_machine::Span;
use std::sync::Arc;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        id: "counts-from-answer",
        about: "A worker counts what remains of its lease from when the answer came, not from when it asked.",
        class: "belief",
        source: "T1",
        invariant: "single-owner",
        masked_by: None,
        flaw: Flaw::heard(counts_from_answer),
    },
    Bug {
        id: "grant-expiry-kept",
        about: "A worker keeps the expiry of its grant where the start has shortened the lease.",
        class: "belief",
        source: "T12",
        invariant: "single-owner",
        masked_by: None,
        flaw: Flaw::heard(grant_expiry_kept),
    },
    Bug {
        id: "replay-full-length",
        about: "A repeated operation is answered with the full length of the lease instead of with what remains.",
        class: "belief",
        source: "T13",
        invariant: "single-owner",
        masked_by: None,
        flaw: Flaw::told(replay_full_length),
    },
    Bug {
        id: "drain-without-lease",
        about: "A worker that drains stops renewing and goes on until its job is done.",
        class: "belief",
        source: "B10",
        invariant: "single-owner",
        masked_by: None,
        flaw: Flaw::heard(drain_without_lease),
    },
    Bug {
        id: "no-margin",
        about: "A worker leaves no margin for the error of clocks.",
        class: "belief",
        source: "own",
        invariant: "single-owner",
        // A job that is not handed out again before its back-off leaves a late worker that much time.
        masked_by: Some("back-off"),
        flaw: Flaw::worker(|settings| settings.margin = Span::ZERO),
    },
    Bug {
        id: "token-reused",
        about: "A worker shows the same token with every claim, so that it tells no lease from the next.",
        class: "identity",
        source: "own",
        invariant: "fencing",
        masked_by: Some("identity"),
        flaw: Flaw::acts(token_reused),
    },
    Bug {
        id: "works-on-grant",
        about: "A worker begins when it is granted the job, before its start is answered.",
        class: "start",
        source: "T19",
        invariant: "start-before-result",
        masked_by: None,
        flaw: Flaw::acts(works_on_grant),
    },
    Bug {
        id: "look-skipped",
        about: "A worker goes about an effect without looking at its clock.",
        class: "effects",
        source: "own",
        invariant: "no-work-after-end",
        masked_by: None,
        flaw: Flaw::acts(look_skipped),
    },
    Bug {
        id: "fence-of-the-job",
        about: "Effects carry the number that the resource has seen last instead of the worker's own attempt.",
        class: "effects",
        source: "own",
        invariant: "no-stale-effect",
        masked_by: None,
        flaw: Flaw::acts(fence_of_the_job),
    },
];

fn standing(answer: &mut WorkerAnswer) -> Option<&mut Standing> {
    match answer {
        WorkerAnswer::Granted(granted) => Some(&mut granted.standing),
        WorkerAnswer::CarriedOut(standing) => Some(standing),
        _ => None,
    }
}

fn counts_from_answer(heard: &Heard<'_>, answer: &mut WorkerAnswer) {
    if let Some(standing) = standing(answer) {
        standing.echo = Some(heard.own);
    }
}

fn grant_expiry_kept(heard: &Heard<'_>, answer: &mut WorkerAnswer) {
    let starts = heard.request.is_some_and(|request| request.operation == LeaseOperation::Start);
    let hand = heard.worker.hands().get(heard.slot).and_then(Option::as_ref);
    if let (true, Some(hand), Some(standing)) = (starts, hand, standing(answer))
        && let (Until::Own(until), Some(echo)) = (hand.until, standing.echo)
    {
        standing.remaining = standing.remaining.max(until - echo);
    }
}

fn replay_full_length(_: &holdover_jobs::Call, reply: &mut Reply) {
    if let Reply::Operated(Operated::Applied { record, replayed: true, now }) = reply
        && let Some(lease) = &record.lease
    {
        *now = lease.heartbeat_at.max(lease.acquired_at);
    }
}

fn drain_without_lease(_: &Heard<'_>, answer: &mut WorkerAnswer) {
    if let Some(standing) = standing(answer) {
        standing.remaining = Span::from_ms(3_600_000);
    }
}

fn token_reused(acted: &Acted<'_>, effects: &mut Vec<WorkerEffect>) {
    for effect in std::mem::take(effects) {
        effects.push(match effect {
            WorkerEffect::Send { call, slot, request } => {
                let mut request = (*request).clone();
                if let ServiceRequest::Claim(claim) = &mut request {
                    let name = format!("token-of-{}", worker_of(acted.after.incarnation()));
                    claim.token = LeaseToken::new(&name).expect("a safe identifier");
                }
                WorkerEffect::Send { call, slot, request: Arc::new(request) }
            }
            other => other,
        });
    }
}

fn works_on_grant(acted: &Acted<'_>, effects: &mut Vec<WorkerEffect>) {
    let WorkerEvent::Answered { slot, answer: WorkerAnswer::Granted(_), .. } = &acted.input.what else {
        return;
    };
    if let Some(Some(hand)) = acted.after.hands().get(*slot)
        && hand.phase == Phase::Granted
    {
        let (job, attempt) = (hand.job.clone(), hand.attempt);
        effects.push(WorkerEffect::Touch { job, attempt, fence: Some(attempt) });
    }
}

/// The effect that the machine did not want any more, because its time is over.
fn look_skipped(acted: &Acted<'_>, effects: &mut Vec<WorkerEffect>) {
    let WorkerEvent::Act { slot, act: Act::Touch, stalled: false } = &acted.input.what else { return };
    if let Some(Some(hand)) = acted.before.hands().get(*slot)
        && effects.is_empty()
    {
        let (job, attempt) = (hand.job.clone(), hand.attempt);
        effects.push(WorkerEffect::Touch { job, attempt, fence: Some(attempt) });
    }
}

fn fence_of_the_job(acted: &Acted<'_>, effects: &mut Vec<WorkerEffect>) {
    let touches = matches!(&acted.input.what, WorkerEvent::Act { act: Act::Touch, .. });
    if !touches {
        return;
    }
    for effect in std::mem::take(effects) {
        effects.push(match effect {
            WorkerEffect::Touch { job, attempt, fence } => {
                WorkerEffect::Touch { job, attempt, fence: fence.map(|_| u32::MAX) }
            }
            other => other,
        });
    }
}
