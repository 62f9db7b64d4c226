//! From a delivery to the record: who may deliver what, and what a redelivery changes.

use crate::support::{LEASE_END, NOW, Worker, at, handle, offer, record, session};
use holdover_machine::Machine;
use holdover_offers::*;

fn class(worker: &Worker) -> String {
    match worker.answers.last().expect("one answer") {
        Ok(received) => received.status().to_owned(),
        Err(error) => format!("{}: {error}", error.class()),
    }
}

/// Goal: the target is checked in the documented order, and at its boundaries; a later fault never hides an
/// earlier one.
#[test]
fn target_check() {
    type Change = fn(&mut Worker, &mut Session, &mut Offer);
    let cases: &[(Change, &str)] = &[
        (|_, _, _| {}, "running"),
        (|_, session, _| session.generation = 6, "target: the offer is for another session"),
        (
            |_, session, _| session.status = SessionStatus::Offline,
            "target: the session takes no such offer now",
        ),
        (
            |_, session, _| session.status = SessionStatus::Draining,
            "target: the session takes no such offer now",
        ),
        (
            |_, session, offer| {
                session.status = SessionStatus::Draining;
                offer.delivery_kind = DeliveryKind::LeaseRecovery;
            },
            "running",
        ),
        (
            |worker, session, _| session.lease_expires_at = worker.clock,
            "target: the session takes no such offer now",
        ),
        (|worker, _, _| worker.clock = LEASE_END, "expired: the lease is over"),
        (|worker, _, _| worker.clock = at(LEASE_END.ms() - 1), "running"),
        (
            |worker, session, _| {
                worker.clock = LEASE_END;
                session.capabilities.executors.clear();
            },
            "expired: the lease is over",
        ),
        (
            |_, session, _| session.capabilities.executors.clear(),
            "target: the session does not offer the executor type",
        ),
        (|worker, _, _| worker.clock = at(-1), "clock: the clock shows no time of 0 to 2^53-1 ms"),
        (|worker, _, _| worker.clock = at(1 << 53), "clock: the clock shows no time of 0 to 2^53-1 ms"),
    ];
    for (number, (change, expected)) in cases.iter().enumerate() {
        let (mut worker, mut session, mut offer) = (Worker::new(), session(), offer("a", 3));
        change(&mut worker, &mut session, &mut offer);
        worker.session(Some(session));
        worker.deliver(offer);
        assert_eq!(class(&worker), *expected, "case {number}");
        let durable = worker.directory.records().count();
        assert_eq!(
            durable,
            usize::from(*expected == "running"),
            "case {number}: a refused offer leaves nothing"
        );
    }
}

/// Goal: a completed offer is answered without a session; any other asks for one.
#[test]
fn only_a_completed_offer_needs_no_session() {
    for state in State::ALL {
        let mut worker = Worker::new();
        worker.directory.restore(record(offer("a", 3), state));
        worker.session(None);
        worker.deliver(offer("a", 3));
        let expected = match state {
            State::CompletionAcknowledged => "already_completed",
            _ => "target: there is no current session",
        };
        assert_eq!(class(&worker), expected, "{state}");
    }
}

/// Goal: the newer lease wins, ties keep the journaled offer, and a kind alone is not worth a write.
#[test]
fn merge_of_a_redelivery() {
    let cases = [
        (8, DeliveryKind::LeaseRecovery, (8, 8)),
        (3, DeliveryKind::LeaseRecovery, (7, 3)),
        (2, DeliveryKind::NewClaim, (7, 3)),
    ];
    for (version, kind, (revision, journaled)) in cases {
        let mut worker = Worker::new();
        worker.directory.restore(record(offer("a", 3), State::RunningAcknowledged));
        worker.deliver(Offer { delivery_kind: kind, ..offer("a", version) });
        let record = worker.directory.records().next().expect("the record stays");
        assert_eq!((record.revision, record.offer.lease.version), (revision, journaled), "version {version}");
        let merged = if version > 3 { kind } else { DeliveryKind::NewClaim };
        assert_eq!(record.offer.delivery_kind, merged, "version {version}");
        assert_eq!(class(&worker), "already_running");
    }
}

/// Goal: while an operation is under way the same offer shares its outcome, another offer under its id is
/// refused at once, and other offers go their own way.
#[test]
fn deliveries_at_the_same_time() {
    let mut receiver = Receiver::new(Config::default(), Rules::original());
    let mut effects = Vec::new();
    let mut deliver = |number, offer: Offer| {
        receiver.handle(
            NOW,
            Input::Deliver { delivery: DeliveryId(number), offer: Box::new(offer) },
            &mut effects,
        );
        std::mem::take(&mut effects)
    };
    let first = offer("a", 3);
    let offer_id = first.offer_id;
    assert_eq!(deliver(1, first.clone()), [Effect::Call { offer_id, call: Call::Read }]);
    assert_eq!(deliver(2, offer("a", 9)), [], "a newer lease does not matter now");
    let mut other = first;
    other.candidate.priority = 1;
    let refused = Effect::Answer { delivery: DeliveryId(3), result: Err(OfferError::Conflict) };
    assert_eq!(deliver(3, other), [refused]);
    assert_eq!(deliver(4, offer("b", 3)).len(), 1);

    assert_eq!(receiver.leading(offer_id), Some(DeliveryId(1)));
    let reply = Reply::Read(Err(JournalError::NotOwned));
    receiver.handle(NOW, Input::Reply { offer_id, reply }, &mut effects);
    let answer = |number| Effect::Answer {
        delivery: DeliveryId(number),
        result: Err(OfferError::Journal(JournalError::NotOwned)),
    };
    assert_eq!(effects, [answer(1), answer(2)]);
    assert_eq!(receiver.leading(offer_id), None);
}

/// Goal: a full journal refuses a new offer and still serves the known ones.
#[test]
fn a_full_journal() {
    let mut worker = Worker::new();
    for attempt in ["b", "c", "d", "e"] {
        worker.directory.restore(record(offer(attempt, 3), State::StartFailureAcknowledged));
    }
    worker.deliver(offer("a", 3));
    assert_eq!(class(&worker), "journal: journal: the directory holds as many records as it may");
    worker.deliver(offer("e", 3));
    assert_eq!(class(&worker), "already_failed");
}

/// Goal: whatever was stored between the two reads of a delivery is looked at again, before anything is done.
#[test]
fn the_second_read_is_checked() {
    let mut other = record(offer("a", 3), State::Accepted);
    other.offer.candidate.priority = 1;
    let mut invalid = record(offer("a", 3), State::Started);
    invalid.executor_handle = None;
    let cases = [(None, "internal"), (Some(other), "conflict"), (Some(invalid), "invalid")];
    for (second, expected) in cases {
        let mut worker = Worker::new();
        worker.scripted.insert(("read", 2), Reply::Read(Ok(second.map(Box::new))));
        worker.deliver(offer("a", 3));
        assert_eq!(worker.calls, ["read", "create", "read"], "{expected}");
        let [Err(error)] = &worker.answers[..] else { panic!("{:?}", worker.answers) };
        assert_eq!(error.class(), expected);
    }
}

/// Goal: of two equal versions the journaled lease is the one that is tracked and sent.
#[test]
fn a_tie_keeps_the_journaled_lease() {
    let mut worker = Worker::new();
    worker.directory.restore(record(offer("a", 3), State::Started));
    let longer = Lease { expires_at: at(LEASE_END.ms() + 1), ..offer("a", 3).lease };
    let delivered = Offer { lease: longer.clone(), ..offer("a", 3) };
    assert_eq!(offer("a", 3).merged(&delivered).lease, offer("a", 3).lease);
    worker.tracked = Some(longer);
    worker.deliver(delivered);
    assert_eq!(worker.tracked, Some(offer("a", 3).lease));
}

/// Goal: a process of another run, attempt or executor is stopped and not journaled.
#[test]
fn a_process_of_something_else() {
    let changes: [fn(&mut Handle); 3] = [
        |handle| handle.run_id = "other".into(),
        |handle| handle.attempt_id = "other".into(),
        |handle| handle.executor_type = "other".into(),
    ];
    for change in changes {
        let mut worker = Worker::new();
        let mut handle = handle("a");
        change(&mut handle);
        worker.scripted.insert(("start", 1), Reply::Start(Start::Started(Box::new(handle))));
        worker.deliver(offer("a", 3));
        assert!(worker.calls.iter().any(|call| call == "stop"), "{:?}", worker.calls);
        let record = worker.directory.records().next().expect("one record");
        assert_eq!((record.state, &record.executor_handle), (State::RecoveryRequired, &None));
    }
}
