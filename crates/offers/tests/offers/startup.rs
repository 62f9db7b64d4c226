//! The order of a worker's start.

use crate::support::{LEASE_END, NOW, offer, record};
use holdover_machine::Machine;
use holdover_offers::*;

fn feed<M: Machine>(machine: &mut M, input: M::Input) -> Vec<M::Effect> {
    let mut effects = Vec::new();
    machine.handle(NOW, input, &mut effects);
    effects
}

fn audit(status: AuditStatus, categories: &[Category]) -> Audit {
    let entry = |(number, category): (usize, &Category)| {
        let offer = offer(&format!("a{number}"), 1);
        let attempt_id = offer.candidate.attempt_id.clone();
        AuditEntry { offer_id: offer.offer_id, attempt_id, state: State::Accepted, category: *category }
    };
    Audit {
        status,
        observed_at: NOW,
        pages_scanned: 1,
        records_scanned: categories.len() as u64,
        counts: AuditCounts::default(),
        entries: categories.iter().enumerate().map(entry).collect(),
    }
}

fn page(attempts: &[&str], cursor: bool) -> Page {
    let mut records: Vec<Record> =
        attempts.iter().map(|attempt| record(offer(attempt, 1), State::StartFailed)).collect();
    records.sort_by_key(|record| record.offer.offer_id);
    let cursor = records.last().filter(|_| cursor).map(|record| record.offer.offer_id);
    Page { records, cursor }
}

/// Goal: an audit ends with its last page or with its last allowed page, and never trusts a disordered one.
#[test]
fn pages_of_an_audit() {
    let reversed = |mut page: Page| {
        page.records.reverse();
        page.cursor = page.records.last().filter(|_| page.cursor.is_some()).map(|last| last.offer.offer_id);
        page
    };
    let foreign_cursor = |mut page: Page| {
        page.cursor = page.records.first().map(|first| first.offer.offer_id);
        page
    };
    let cases = [
        (vec![page(&["a", "b"], false)], "ready"),
        (vec![page(&["a", "b"], true), page(&[], false)], "ready"),
        (vec![page(&["a"], true)], "a page of the journal is out of order"),
        (vec![page(&["a", "b", "c"], false)], "a page of the journal is out of order"),
        (vec![reversed(page(&["a", "b"], false))], "a page of the journal is out of order"),
        (vec![foreign_cursor(page(&["a", "b"], true))], "a page of the journal is out of order"),
        (vec![page(&["a", "b"], true), page(&["a", "b"], false)], "a page of the journal is out of order"),
    ];
    for (number, (pages, expected)) in cases.into_iter().enumerate() {
        let mut auditor = Auditor::new(None, 2, 3);
        let mut effects = feed(&mut auditor, AuditorInput::Start);
        for page in pages {
            effects = feed(&mut auditor, AuditorInput::Listed(Ok(page)));
        }
        let [AuditorEffect::Done(result)] = &effects[..] else { panic!("case {number}: {effects:?}") };
        let got = match result {
            Ok(audit) => crate::support::name(&audit.status),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "case {number}");
    }
}

/// Goal: more pages than allowed are an outcome of their own, and a failing journal is an error.
#[test]
fn limits_of_an_audit() {
    let mut auditor = Auditor::new(None, 2, 1);
    assert_eq!(feed(&mut auditor, AuditorInput::Start), [AuditorEffect::List { after: None, limit: 2 }]);
    let effects = feed(&mut auditor, AuditorInput::Listed(Ok(page(&["a", "b"], true))));
    let [AuditorEffect::Done(Ok(audit))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((audit.status, audit.records_scanned), (AuditStatus::ScanBudgetExhausted, 2));

    feed(&mut auditor, AuditorInput::Start);
    let failed = AuditorEffect::Done(Err(AuditError::Journal(JournalError::Io)));
    assert_eq!(feed(&mut auditor, AuditorInput::Listed(Err(JournalError::Io))), [failed]);
    assert_eq!(feed(&mut auditor, AuditorInput::Listed(Ok(page(&[], false)))), [], "nobody waits any more");
}

/// Goal: a record without a local execution is fenced before it is expired, and expired at the boundary.
#[test]
fn categories() {
    let session = crate::support::session();
    let record = record(offer("a", 1), State::Accepted);
    let of = |session: Option<&Session>, now| Category::of(&record, session, now);
    let other = Session { generation: 6, ..session.clone() };
    let offline = Session { status: SessionStatus::Offline, ..session.clone() };
    let ended = Session { lease_expires_at: NOW, ..session.clone() };
    assert_eq!(of(None, NOW), Category::FencedWithoutLocalExecution);
    assert_eq!(of(Some(&other), LEASE_END), Category::FencedWithoutLocalExecution);
    assert_eq!(of(Some(&offline), NOW), Category::ExpiredWithoutLocalExecution);
    assert_eq!(of(Some(&ended), NOW), Category::ExpiredWithoutLocalExecution);
    assert_eq!(of(Some(&session), LEASE_END), Category::ExpiredWithoutLocalExecution);
    assert_eq!(of(Some(&session), NOW), Category::RedeliveryRequired);
}

/// Goal: recoveries run one after the other in the order of the audit, and one that leaves something is told.
#[test]
fn supervision() {
    use Category::*;
    let audit = audit(
        AuditStatus::ReconciliationRequired,
        &[
            SettledCompletion,
            RedeliveryRequired,
            LaunchReconciliationRequired,
            ExecutionReconciliationRequired,
        ],
    );
    let ids: Vec<OfferId> = [0, 2, 3].map(|entry: usize| audit.entries[entry].offer_id).to_vec();
    let good = [RecoveryStatus::AlreadyCompleted, RecoveryStatus::NotFound, RecoveryStatus::AlreadyRunning];
    let cases = [
        (good.map(Some), SupervisionStatus::Recovered),
        ([Some(good[0]), Some(RecoveryStatus::Deferred), Some(good[2])], SupervisionStatus::RecoveryRequired),
        ([Some(good[0]), None, Some(good[2])], SupervisionStatus::RecoveryRequired),
        ([Some(RecoveryStatus::ControlPlaneTerminal); 3], SupervisionStatus::RecoveryRequired),
    ];
    for (outcomes, status) in cases {
        let mut supervisor = Supervisor::new(3);
        let mut effects = feed(&mut supervisor, SupervisorInput::Start(audit.clone()));
        for (offer_id, outcome) in ids.iter().zip(outcomes) {
            assert_eq!(effects, [SupervisorEffect::Recover(*offer_id)]);
            effects = feed(&mut supervisor, SupervisorInput::Recovered(outcome));
        }
        let actions = ids.iter().copied().zip(outcomes).collect();
        assert_eq!(effects, [SupervisorEffect::Done(Supervision { status, actions })]);
        assert_eq!(feed(&mut supervisor, SupervisorInput::Recovered(None)), [], "nothing is under way");
    }
}

/// Goal: beyond a budget nothing is tried.
#[test]
fn budgets_of_a_supervision() {
    let many = audit(AuditStatus::ReconciliationRequired, &[Category::LaunchReconciliationRequired; 3]);
    let partial = Audit { status: AuditStatus::ScanBudgetExhausted, ..many.clone() };
    for (audit, status) in
        [(many, SupervisionStatus::ActionBudgetExhausted), (partial, SupervisionStatus::AuditIncomplete)]
    {
        let effects = feed(&mut Supervisor::new(2), SupervisorInput::Start(audit));
        assert_eq!(effects, [SupervisorEffect::Done(Supervision { status, actions: Vec::new() })]);
    }
}

fn supervised(status: SupervisionStatus) -> InboxInput {
    InboxInput::Recovered(Supervision { status, actions: Vec::new() })
}

/// Goal: deliveries are accepted only after ownership, audit, recovery and a second audit; whatever fails gives
/// the journal up first, and the inbox can be started again.
#[test]
fn inbox() {
    let ready = || audit(AuditStatus::Ready, &[]);
    let partial = || audit(AuditStatus::ScanBudgetExhausted, &[]);
    let acquired = || InboxInput::Acquired(Ok(Acquired::Now));
    let not_owned = || InboxInput::Acquired(Err(JournalError::NotOwned));
    let cases: [(bool, Vec<InboxInput>, &str); 9] = [
        (
            true,
            vec![
                acquired(),
                InboxInput::Audited(Ok(ready())),
                supervised(SupervisionStatus::RecoveryRequired),
                InboxInput::Audited(Ok(ready())),
            ],
            "acquire audit recover audit open",
        ),
        (false, vec![acquired(), InboxInput::Audited(Ok(ready()))], "acquire audit open"),
        (true, vec![not_owned()], "acquire refuse"),
        (
            true,
            vec![acquired(), InboxInput::Audited(Err(AuditError::Page)), InboxInput::Released],
            "acquire audit release refuse",
        ),
        (
            true,
            vec![acquired(), InboxInput::Audited(Ok(partial())), InboxInput::Released],
            "acquire audit release refuse",
        ),
        (
            true,
            vec![
                acquired(),
                InboxInput::Audited(Ok(ready())),
                supervised(SupervisionStatus::ActionBudgetExhausted),
                InboxInput::Released,
            ],
            "acquire audit recover release refuse",
        ),
        (
            true,
            vec![
                acquired(),
                InboxInput::Audited(Ok(ready())),
                supervised(SupervisionStatus::Recovered),
                InboxInput::Audited(Err(AuditError::Page)),
                InboxInput::Released,
            ],
            "acquire audit recover audit release refuse",
        ),
        (true, vec![acquired(), acquired(), InboxInput::Released], "acquire audit"),
        (true, vec![InboxInput::Start], "acquire already"),
    ];
    for (number, (recovers, inputs, expected)) in cases.into_iter().enumerate() {
        let mut inbox = Inbox::new(recovers);
        let inputs = std::iter::once(InboxInput::Start).chain(inputs);
        let effects: Vec<&str> =
            inputs.flat_map(|input| feed(&mut inbox, input)).map(|effect| named(&effect)).collect();
        assert_eq!(effects.join(" "), expected, "case {number}");
        let again = feed(&mut inbox, InboxInput::Start);
        let closed = expected.ends_with("refuse");
        assert_eq!(
            again,
            [if closed { InboxEffect::Acquire } else { InboxEffect::AlreadyStarted }],
            "case {number}"
        );
    }
}

fn named(effect: &InboxEffect) -> &'static str {
    match effect {
        InboxEffect::Acquire => "acquire",
        InboxEffect::Audit => "audit",
        InboxEffect::Recover(_) => "recover",
        InboxEffect::Release => "release",
        InboxEffect::Open(_) => "open",
        InboxEffect::Refuse(_) => "refuse",
        InboxEffect::AlreadyStarted => "already",
    }
}
