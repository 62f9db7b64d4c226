//! Goal: whatever comes in, in any order and at any time, the two neighbours that write do not panic, ask for one
//! thing at a time, and every record that they write keeps the invariants.

use super::{activation, present};
use crate::support::{at, lease, offer, record, session};
use holdover_machine::{Machine, Span};
use holdover_offers::*;
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

const INPUTS: u32 = if cfg!(debug_assertions) { 20_000 } else { 200_000 };
const INPUTS_PER_CASE: u32 = 100;

type Draw = (u8, u8, i64);

fn found((_, choice, _): Draw) -> Result<Option<Box<Record>>, JournalError> {
    let mut record = record(offer("a", 3), State::ALL[usize::from(choice) % State::ALL.len()]);
    match choice {
        0..16 => return Err(JournalError::Io),
        16..32 => return Ok(None),
        32..48 => record.revision = u64::MAX,
        48..56 => record.executor_handle = None,
        56..64 => record.recovery_reason = Some(RecoveryReason::ControlPlaneTerminal),
        _ => {}
    }
    Ok(Some(Box::new(record)))
}

fn written((_, choice, _): Draw) -> Result<(), JournalError> {
    if choice < 64 { Err(JournalError::Revision) } else { Ok(()) }
}

fn coordinator_input(draw: Draw) -> RecoveryInput {
    let (kind, choice, _) = draw;
    let offer_id = offer("a", 3).offer_id;
    let reply = match kind % 12 {
        0 => return RecoveryInput::Session((choice > 32).then(|| Box::new(session()))),
        1 => return RecoveryInput::Recover { request: RequestId(choice.into()), offer_id },
        2 | 3 => RecoveryReply::Read(found(draw)),
        4 => RecoveryReply::Receipt(ReceiptReading::Absent),
        5 => RecoveryReply::Receipt(if choice < 32 { ReceiptReading::Unreadable } else { present(|_| {}) }),
        6 => RecoveryReply::Inspected(match choice % 3 {
            0 => Inspection::Running { identity_pid: None },
            1 => Inspection::Exited { identity_pid: None },
            _ => Inspection::Failed,
        }),
        7 => RecoveryReply::GraceOver,
        8 => RecoveryReply::Completed(Completion::Acknowledged),
        9 => RecoveryReply::Activation(match choice % 4 {
            0 => activation(ActivationStatus::AlreadyTerminal),
            1 => Activation::Acknowledged {
                status: ActivationStatus::Applied,
                lease: Box::new(Lease { lease_generation: 9, ..lease("a", 3) }),
            },
            _ => activation(ActivationStatus::Applied),
        }),
        10 => RecoveryReply::Replaced(written(draw)),
        _ => RecoveryReply::ReceiptRemoved(ReceiptRemoval::Removed),
    };
    RecoveryInput::Reply { offer_id, reply }
}

fn loss_input(draw: Draw) -> LeaseLossInput {
    match draw.0 % 5 {
        0 => LeaseLossInput::Lost(Loss { lease: Box::new(lease("a", 3)), reason: LossReason::Fenced }),
        1 | 2 => LeaseLossInput::Read(found(draw)),
        3 => LeaseLossInput::Stopped(StopStatus::PidMismatch),
        _ => LeaseLossInput::Replaced(written(draw)),
    }
}

fn judge(record: &Record, expected: u64, reached: &mut u64) {
    record.check().expect("only valid records are written");
    assert_eq!(record.revision, expected + 1, "OR-REV-STEP");
    *reached += 1;
}

#[test]
fn any_input_is_survived() {
    let config = Config { cases: INPUTS / INPUTS_PER_CASE, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let clock = prop_oneof![9 => 990_000..1_050_000_i64, 1 => any::<i64>()];
    let draws = vec((any::<u8>(), any::<u8>(), clock), INPUTS_PER_CASE as usize);
    let reached = std::cell::Cell::new((0, 0));
    let verdict = runner.run(&draws, |draws| {
        let (mut coordinator, mut loss) =
            (RecoveryCoordinator::new(Rules::original(), Span::from_ms(1)), LeaseLoss::new());
        let (mut recoveries, mut losses) = reached.get();
        for draw in draws {
            let mut effects = Vec::new();
            coordinator.handle(at(draw.2), coordinator_input(draw), &mut effects);
            let calls = effects.iter().filter(|effect| matches!(effect, RecoveryEffect::Call { .. }));
            assert!(calls.count() <= 1, "one call at a time: {effects:?}");
            for effect in &effects {
                if let RecoveryEffect::Call { call: RecoveryCall::Replace { record, expected }, .. } = effect
                {
                    judge(record, *expected, &mut recoveries);
                }
            }
            let mut effects = Vec::new();
            loss.handle(at(draw.2), loss_input(draw), &mut effects);
            assert!(effects.len() <= 1, "one call at a time: {effects:?}");
            if let Some(LeaseLossEffect::Replace { record, expected }) = effects.first() {
                judge(record, *expected, &mut losses);
            }
        }
        reached.set((recoveries, losses));
        Ok(())
    });
    verdict.expect("every sequence keeps the rules");
    let (recoveries, losses) = reached.get();
    assert!(recoveries > 0 && losses > 0, "both neighbours have written: {recoveries}, {losses}");
}
