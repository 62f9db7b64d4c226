use super::bytes::Bytes;
use super::outcome::{Broken, Outcome};
use holdover_jobs::{
    EXECUTOR_UNITS_MAX, INPUT_REFS_MAX, INSTRUCTION_UNITS_MAX, JobId, KEY_UNITS_MAX, Request, Rules,
    TASK_TYPE_UNITS_MAX,
};
use serde_json::{Map, Number, Value, json};

/// Any JSON as a create request, under the hardened rules and under the original ones: what is read is within its
/// bounds, and read again settles with a fingerprint that stays.
///
/// Bytes that begin with `{` are the text of a request; others say which members of a good one are replaced.
pub fn fuzz_request(bytes: &[u8]) -> Outcome {
    let input = match bytes.first() {
        Some(b'{') => serde_json::from_slice(bytes).unwrap_or(Value::Null),
        _ => edited(&mut Bytes::new(bytes)),
    };
    let mut outcome = Outcome { applied: 0, broken: None };
    for rules in [Rules::hardened(), Rules::ORIGINAL] {
        let fresh = JobId::new("fresh").expect("a safe identifier");
        let Ok(first) = Request::normalise(&input, &fresh, &rules) else { continue };
        outcome.applied += 1;
        let broken = out_of_bounds(&first).or_else(|| unsettled(&first, &fresh, &rules));
        outcome.broken = outcome.broken.or(broken);
    }
    outcome
}

/// Which rule a request breaks that was read.
fn out_of_bounds(request: &Request) -> Option<Broken> {
    let within = |text: &str, most: usize| (1..=most).contains(&text.encode_utf16().count());
    let bounds = [
        (within(&request.key, KEY_UNITS_MAX), "the key is empty or too long"),
        (within(&request.instruction, INSTRUCTION_UNITS_MAX), "the instruction is empty or too long"),
        (within(&request.task_type, TASK_TYPE_UNITS_MAX), "the task type is empty or too long"),
        (within(&request.executor, EXECUTOR_UNITS_MAX), "the executor is empty or too long"),
        (request.inputs.len() <= INPUT_REFS_MAX, "there are too many input references"),
        ((500..=3_600_000).contains(&request.timeout.ms()), "the time-out is out of range"),
        ((1..=20).contains(&request.attempts_max), "the most attempts are out of range"),
    ];
    bounds.into_iter().find(|(holds, _)| !holds).map(|(_, seen)| Broken::new("bounds", seen))
}

/// Which rule it breaks when it is read again. The trim comes before the cut, so that a text that was cut may be
/// trimmed by the second reading; the third changes nothing.
fn unsettled(first: &Request, fresh: &JobId, rules: &Rules) -> Option<Broken> {
    let again = |request: &Request| Request::normalise(&request.to_json(), fresh, rules);
    let Ok(second) = again(first) else {
        return Some(Broken::new("settles", "what was read is refused when it is read again"));
    };
    let Ok(third) = again(&second) else {
        return Some(Broken::new("settles", "what was read twice is refused when it is read again"));
    };
    if second != third {
        return Some(Broken::new("settles", "the third reading differs from the second"));
    }
    if first.to_json() == second.to_json() && first.fingerprint() != second.fingerprint() {
        return Some(Broken::new("fingerprint", "equal requests have different fingerprints"));
    }
    None
}

const PLACES: [&str; 6] = ["", "task", "subject", "authorization", "policy", "controls"];

const MEMBERS: [&str; 26] = [
    "jobId",
    "idempotencyKey",
    "executor",
    "instruction",
    "task",
    "type",
    "workspaceRef",
    "inputRefs",
    "kind",
    "id",
    "subject",
    "tenantId",
    "userId",
    "authorization",
    "executionAllowed",
    "actorId",
    "policy",
    "sideEffectsAllowed",
    "networkAllowed",
    "controls",
    "timeoutMs",
    "maxAttempts",
    "cancellationAllowed",
    "fallbackExecutor",
    "metadata",
    "0",
];

/// A good request, some of whose members are replaced.
fn edited(bytes: &mut Bytes<'_>) -> Value {
    let mut input = json!({
        "jobId": "j1", "idempotencyKey": "k1", "executor": "aider",
        "task": { "instruction": "build" }, "subject": {}, "authorization": {}, "policy": {}, "controls": {},
    });
    for _ in 0..bytes.below(4) {
        let (place, member) = (bytes.pick(PLACES), bytes.pick(MEMBERS));
        let value = value(bytes, 3);
        let target = if place.is_empty() { Some(&mut input) } else { input.get_mut(place) };
        if let Some(Value::Object(members)) = target {
            members.insert(member.to_owned(), value);
        }
    }
    input
}

fn value(bytes: &mut Bytes<'_>, depth: u8) -> Value {
    match bytes.below(if depth == 0 { 7 } else { 10 }) {
        0 => Value::Null,
        1 => (bytes.byte() >= 128).into(),
        2 => bytes.eight().into(),
        3 => Number::from_f64(f64::from_bits(bytes.eight())).map_or(Value::Null, Value::Number),
        4 => i64::from(bytes.pair()).into(),
        5 => short_text(bytes).into(),
        6 => long_text(bytes).into(),
        7 => (0..bytes.below(4)).map(|_| value(bytes, depth - 1)).collect(),
        // As many references as there may be, and more. Nothing that is large itself comes so often.
        8 => {
            let reference = json!({ "kind": short_text(bytes), "id": short_text(bytes) });
            vec![reference; usize::from(bytes.byte())].into()
        }
        _ => {
            let members =
                (0..bytes.below(4)).map(|_| (bytes.pick(MEMBERS).to_owned(), value(bytes, depth - 1)));
            Value::Object(members.collect::<Map<_, _>>())
        }
    }
}

fn short_text(bytes: &mut Bytes<'_>) -> String {
    String::from_utf8_lossy(bytes.run(12)).into_owned()
}

/// Text about as long as a bound, with white space where the cut may come.
fn long_text(bytes: &mut Bytes<'_>) -> String {
    let part = bytes.pick(["a", " ", "é", "😀", "\u{FEFF}", "a ", " a", "\u{85}"]);
    let most = bytes.pick([KEY_UNITS_MAX, TASK_TYPE_UNITS_MAX, 256, INSTRUCTION_UNITS_MAX]);
    let length = most.saturating_sub(4) + usize::from(bytes.below(8));
    let tail = bytes.pick(["", " ", "b", "\u{3000}b"]);
    format!("{}{tail}", part.repeat(length / part.encode_utf16().count()))
}
