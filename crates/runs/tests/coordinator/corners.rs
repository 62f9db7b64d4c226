//! Corners that neither the golden vectors nor the tables reach.

use super::bench::{ANN, Bench, NOW, request};
use holdover_machine::{Machine, Outcome};
use holdover_runs::{Accepted, Effect, Event, Failure, Input, Reason, RequestId, RunStatus, WaitId};
use serde_json::json;

/// Feeds an input and leaves its storage operation unanswered.
fn held(bench: &mut Bench, input: Input) -> Vec<Effect> {
    let mut effects = Vec::new();
    bench.coordinator.handle(NOW, input, &mut effects);
    effects
}

fn stored(bench: &mut Bench) -> Vec<Effect> {
    held(bench, Input::Stored(Outcome::Ok(())))
}

fn running() -> Bench {
    let mut bench = Bench::new(None);
    bench.accept();
    bench.announce();
    bench.prepared();
    bench.subscribe();
    bench
}

fn wait(number: u64, run_id: &str, call_id: &str) -> Input {
    Input::ApprovalWanted { wait: WaitId(number), run_id: run_id.into(), call_id: call_id.into() }
}

fn asks_for(call_id: &str) -> Input {
    let event = json!({ "kind": "approval_required", "callId": call_id });
    Input::Emitted(Event::new(event).expect("an event"))
}

/// Goal: a wait needs both its run and its call to be the ones that are pending.
#[test]
fn a_wait_for_something_else_is_a_conflict() {
    let mut bench = running();
    bench.emit_approval();
    let conflict =
        |wait| Effect::AnswerWait(WaitId(wait), Err(Failure::conflict(Reason::ApprovalNotPending)));
    assert_eq!(held(&mut bench, wait(1, "other", "k")), [conflict(1)]);
    assert_eq!(held(&mut bench, wait(2, "run", "other")), [conflict(2)]);
    assert_eq!(held(&mut bench, wait(3, "run", "k")), []);
}

/// Goal: two calls wait for one decision, and the next approval is asked for while the first of them is let go. The
/// second one must not take the new approval away.
#[test]
fn a_late_wait_leaves_the_next_approval_alone() {
    let mut bench = running();
    bench.emit_approval();
    held(&mut bench, wait(1, "run", "k"));
    held(&mut bench, wait(2, "run", "k"));
    let body = r#"{"callId":"k","decision":"allow"}"#;
    let decision = Input::Requested { id: RequestId(90), request: request("POST", "/approval", ANN, body) };
    held(&mut bench, decision);
    stored(&mut bench);
    assert_eq!(held(&mut bench, asks_for("next")), [Effect::AnswerEmit(Ok(()))]);
    let effects = stored(&mut bench);
    let [
        Effect::AnswerWait(WaitId(1), Ok(true)),
        Effect::AnswerWait(WaitId(2), Ok(true)),
        Effect::Put(record),
    ] = &effects[..]
    else {
        panic!("both are allowed, then the next approval is written: {effects:?}");
    };
    assert_eq!(record.pending.as_ref().map(|pending| pending.call_id.as_str()), Some("next"));
    stored(&mut bench);
    assert_eq!(held(&mut bench, wait(3, "run", "next")), [], "the next approval is still pending");
}

/// Goal: the accepted body has the last word on conversation and turn.
#[test]
fn the_accepted_body_names_conversation_and_turn() {
    let mut bench = Bench::new(None);
    bench.accept();
    bench.announce();
    let body = json!({ "conversationId": "c2", "turnId": "t2" });
    bench.feed(NOW, Input::Prepared(bench.operation, Outcome::Ok(Accepted::new(body))));
    let snapshot = bench.stored.expect("a record").snapshot;
    assert_eq!((snapshot.conversation_id.as_deref(), snapshot.turn_id.as_deref()), (Some("c2"), Some("t2")));
}

/// Goal: a client that goes away while its first write is outstanding aborts the run before it is prepared.
#[test]
fn an_early_departure_aborts_before_the_preparation() {
    let mut bench = Bench::new(None);
    let body = r#"{"runId":"run","actor":{"user":"ann","session":"s1"},"request":"hello"}"#;
    let id = RequestId(90);
    held(&mut bench, Input::Requested { id, request: request("POST", "/accept", ANN, body) });
    assert_eq!(held(&mut bench, Input::Disconnected(id)), []);
    let effects = stored(&mut bench);
    assert!(matches!(effects[..], [Effect::Abort, Effect::Prepare { .. }]), "{effects:?}");
    assert!(bench.coordinator.record().is_some_and(|record| !record.snapshot.cancel_requested));
}

/// Goal: a subscriber that goes away while its subscription is outstanding gets its stream, which closes at once.
#[test]
fn an_early_unsubscription_cancels_what_just_began() {
    let mut bench = Bench::new(None);
    bench.accept();
    bench.announce();
    bench.prepared();
    let id = RequestId(90);
    held(&mut bench, Input::Requested { id, request: request("GET", "/events", ANN, "") });
    assert_eq!(held(&mut bench, Input::Disconnected(id)), []);
    assert_eq!(stored(&mut bench), [Effect::DeleteAlarm]);
    let effects = stored(&mut bench);
    let in_order = matches!(
        effects[..],
        [Effect::OpenStream(_), Effect::Execute(_), Effect::CloseStream(_), Effect::Abort, Effect::Put(_)]
    );
    assert!(in_order, "{effects:?}");
}

/// Goal: the runtime may not say that a run ended, and after the end it says nothing at all.
#[test]
fn only_the_coordinator_ends_a_stream() {
    let mut bench = running();
    bench.take_log();
    bench.emit(json!({ "kind": "end", "status": "failed" }));
    bench.ended(RunStatus::Completed);
    bench.emit(json!({ "kind": "text" }));
    assert_eq!(bench.take_log(), "W completed; delete alarm; end frame; close");
}
