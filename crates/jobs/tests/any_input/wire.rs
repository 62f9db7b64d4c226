use crate::runner;
use holdover_jobs::*;
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use std::sync::Arc;

const OPERATIONS: [&str; 17] = [
    "create",
    "preview",
    "cancel",
    "getJob",
    "listEvents",
    "listAdapters",
    "gatewayStatus",
    "claim",
    "start",
    "heartbeat",
    "progress",
    "complete",
    "fail",
    "acknowledge",
    "recoverExpired",
    "stats",
    "switch",
];

/// Every member that some operation reads, at the top or inside.
const MEMBERS: [&str; 50] = [
    "input",
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
    "reason",
    "includeRequest",
    "after",
    "limit",
    "workerId",
    "executors",
    "draining",
    "adapterHealth",
    "incarnation",
    "claimNumber",
    "leasesMax",
    "leaseDurationMs",
    "echoMs",
    "leaseToken",
    "attempt",
    "data",
    "result",
    "outcome",
    "summary",
    "artifactRefs",
    "metrics",
    "error",
    "retryDelayMs",
    "open",
];

fn text() -> impl Strategy<Value = String> {
    let edges = ["", " ", "aider", "j1", "\u{FEFF}", "\u{85}", "K", "😀", "executor_job_progress", "\0", "İ"];
    prop_oneof![
        4 => prop::sample::select(edges.to_vec()).prop_map(str::to_owned),
        2 => "\\PC{0,12}",
        // Longer than any bound, of characters of every length, with white space where the cut may come.
        1 => ("[a é😀\u{FEFF}]{1,3}", 1..20_000_usize).prop_map(|(part, times)| part.repeat(times)),
    ]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec![
            json!(0),
            json!(-0.0),
            json!(1.5),
            json!(-1),
            json!(1e308),
            json!(u64::MAX)
        ]),
    ]
}

/// Any JSON, its members those that somebody may look for.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::from),
        2 => number(),
        3 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 8, |inner| {
        let name = prop_oneof![
            6 => prop::sample::select(MEMBERS.to_vec()).prop_map(str::to_owned),
            1 => text(),
        ];
        prop_oneof![
            1 => vec(inner.clone(), 0..6).prop_map(Value::from),
            3 => vec((name, inner), 0..8).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A create that is well formed but for the members that are replaced.
fn create() -> impl Strategy<Value = Value> {
    let place = prop::sample::select(vec!["", "task", "subject", "authorization", "policy", "controls"]);
    let member = prop::sample::select(MEMBERS.to_vec());
    vec((place, member, json_value()), 0..4).prop_map(|replaced| {
        let mut input = json!({
            "jobId": "j1", "idempotencyKey": "k1", "executor": "aider",
            "task": { "instruction": "build" }, "subject": {}, "authorization": {}, "policy": {}, "controls": {},
        });
        for (place, member, value) in replaced {
            let target = if place.is_empty() { Some(&mut input) } else { input.get_mut(place) };
            if let Some(Value::Object(members)) = target {
                members.insert(member.to_owned(), value);
            }
        }
        input
    })
}

/// The arguments of any operation: identifiers that may be right, and anything else.
fn arguments() -> impl Strategy<Value = Value> {
    let args = vec((prop::sample::select(MEMBERS.to_vec()), json_value()), 0..5);
    let named = (create(), args).prop_map(|(input, members)| {
        let mut args = json!({
            "input": input, "jobId": "j1", "workerId": "w1", "executors": ["aider"], "leaseToken": "t1",
        });
        if let Value::Object(args) = &mut args {
            args.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
        }
        args
    });
    prop_oneof![4 => named, 1 => json_value()]
}

fn policies() -> [Policy; 2] {
    [Rules::hardened(), Rules::ORIGINAL].map(|rules| Policy { rules, settings: Settings::default() })
}

fn drawn() -> Drawn {
    let job_id = JobId::new("fresh").expect("a safe identifier");
    Drawn { job_id, token: LeaseToken::new("fresh").expect("a safe identifier") }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn in_bounds(request: &ServiceRequest) -> bool {
    match request {
        ServiceRequest::Create(request) | ServiceRequest::Preview(request) => create_in_bounds(request),
        ServiceRequest::Cancel { reason, .. } => units(reason) <= 256,
        ServiceRequest::Events { after, limit, .. } => *after >= 0.0 && (1..=EVENT_PAGE_MAX).contains(limit),
        ServiceRequest::Claim(claim) => {
            (1..=CLAIM_EXECUTORS_MAX).contains(&claim.executors.len())
                && claim.executors.len() == claim.announcement.health.len()
                && (5_000..=300_000).contains(&claim.lease.ms())
        }
        ServiceRequest::Lease(lease) => match &lease.operation {
            LeaseOperation::Heartbeat { lease } => (5_000..=300_000).contains(&lease.ms()),
            LeaseOperation::Progress { kind, data } => {
                kind.starts_with("executor_job_") && data.to_string().len() <= PROGRESS_BYTES_MAX * 2
            }
            LeaseOperation::Complete { result } => {
                units(&result.outcome) <= 128 && result.artifacts.len() <= 100
            }
            LeaseOperation::Fail { error, delay } => {
                units(&error.code) <= 128
                    && units(&error.message) <= 2_048
                    && (0..=3_600_000).contains(&delay.ms())
            }
            _ => true,
        },
        ServiceRequest::Recover { limit } => (1..=500).contains(limit),
        _ => true,
    }
}

fn create_in_bounds(request: &Request) -> bool {
    (1..=KEY_UNITS_MAX).contains(&units(&request.key))
        && (1..=INSTRUCTION_UNITS_MAX).contains(&units(&request.instruction))
        && (1..=TASK_TYPE_UNITS_MAX).contains(&units(&request.task_type))
        && request.inputs.len() <= INPUT_REFS_MAX
        && (1..=EXECUTOR_UNITS_MAX).contains(&request.executor.len())
        && (500..=3_600_000).contains(&request.timeout.ms())
        && (1..=20).contains(&request.attempts_max)
}

/// Any arguments of any operation are read or refused, and what is read is within its bounds.
#[test]
fn any_arguments_are_read_or_refused() {
    let policies = policies();
    let verdict = runner(3_000).run(&arguments(), |args| {
        for policy in &policies {
            for operation in OPERATIONS.iter().chain(&["", "Create"]) {
                match ServiceRequest::read(operation, &args, policy, &drawn()) {
                    Ok(request) => prop_assert!(in_bounds(&request), "{operation}: {request:?}"),
                    Err(error) => prop_assert!(!error.to_string().is_empty()),
                }
            }
        }
        Ok(())
    });
    verdict.expect("every input is read or refused");
}

/// A request that was stored reads as itself, with the same fingerprint. A text that was cut may end in white
/// space, which the next reading trims: then it settles at the second reading.
#[test]
fn a_normalised_request_reads_as_itself() {
    let fresh = drawn().job_id;
    let mut read = 0_u32;
    let read_count = std::cell::RefCell::new(&mut read);
    let verdict = runner(3_000).run(&create(), |input| {
        for Policy { rules, .. } in &policies() {
            let Ok(first) = Request::normalise(&input, &fresh, rules) else { continue };
            **read_count.borrow_mut() += 1;
            let again = |request: &Arc<Request>| Request::normalise(&request.to_json(), &fresh, rules);
            let second = again(&first).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let third = again(&second).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(&*second, &*third);
            if !ends_in_space(&first.to_json()) {
                prop_assert_eq!(first.to_json(), second.to_json());
                prop_assert_eq!(first.fingerprint(), second.fingerprint());
                prop_assert_eq!(first.canonical(), second.canonical());
            }
        }
        Ok(())
    });
    verdict.expect("every request reads as itself");
    assert!(read > 1_000, "only {read} requests were valid");
}

/// Whether some text outside the metadata ends in white space.
fn ends_in_space(value: &Value) -> bool {
    match value {
        Value::String(text) => text.ends_with([' ', '\u{FEFF}', '\u{3000}', '\u{A0}', '\t', '\n']),
        Value::Array(items) => items.iter().any(ends_in_space),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name != "metadata" && ends_in_space(value))
        }
        _ => false,
    }
}

/// The fingerprint depends neither on job id and key nor on how a number is written.
#[test]
fn a_fingerprint_is_of_the_meaning() {
    let of = |number: Value, name: &str| {
        let input = json!({
            "jobId": name, "idempotencyKey": name, "executor": "aider", "instruction": "x",
            "metadata": { "n": number },
        });
        Request::normalise(&input, &drawn().job_id, &Rules::hardened())
            .map(|request| request.fingerprint().clone())
    };
    let exact = 1_i64 << 53;
    let verdict = runner(1_000).run(&(-exact..exact, -exact..exact), |(number, other)| {
        prop_assert_eq!(of(number.into(), "a"), of((number as f64).into(), "b"));
        prop_assert_eq!(number == other, of(number.into(), "a") == of(other.into(), "a"));
        Ok(())
    });
    verdict.expect("the same meaning has the same fingerprint");
}
