//! Every rule of the wire and of the journal, from both sides.

use crate::support::{offer, record};
use holdover_offers::*;
use serde_json::{Value, json};

/// Members to replace, by their paths.
type Changes<'a> = &'a [(&'a str, Value)];

/// `value` with the member at `path` replaced, or removed if the replacement is null.
fn with(mut value: Value, path: &str, member: &Value) -> Value {
    let (parent, name) = path.rsplit_once('/').expect("a path of at least one member");
    let parent = value.pointer_mut(parent).and_then(Value::as_object_mut).expect("the parent is an object");
    match member {
        Value::Null => parent.remove(name),
        member => parent.insert(name.to_owned(), member.clone()),
    };
    value
}

/// What is said about `value` after the changes; nothing if it is right.
fn fault<T>(value: Value, changes: Changes<'_>, parse: fn(&str) -> Result<T, Invalid>) -> String {
    let changed = changes.iter().fold(value, |value, (path, member)| with(value, path, member));
    parse(&changed.to_string()).err().map(|invalid| invalid.to_string()).unwrap_or_default()
}

fn long(length: usize) -> Value {
    json!("x".repeat(length))
}

/// Goal: each rule of an offer is named when it is broken, and its boundaries belong to the right side.
#[test]
fn offers() {
    let times = |expires: i64| [("/lease/expiresAtMs", json!(expires))];
    let cases: &[(Changes<'_>, &str)] = &[
        (&[], ""),
        (&[("/unknown", json!(1)), ("/lease/unknown", json!({}))], ""),
        (&[("/placementScore", Value::Null)], ""),
        (&[("/placementScore", json!(-0.5))], "placementScore: must be finite and not negative"),
        (&[("/candidate/executorType", long(64))], ""),
        (&[("/candidate/executorType", long(65))], "candidate.executorType: must be 1 to 64 UTF-16 units"),
        (&[("/candidate/executorType", json!("😀".repeat(32)))], ""),
        (&[("/candidate/executorType", json!("😀".repeat(33)))], "candidate.executorType: must be 1 to 64"),
        (&[("/candidate/projectId", json!(""))], "candidate.projectId: must be 1 to 128"),
        (&[("/candidate/projectId", json!("a\u{7f}"))], "candidate.projectId: must be 1 to 128"),
        (&[("/candidate/projectId", json!("other"))], "executionSpec: must name the candidate's run"),
        (
            &[("/candidate/priority", json!(-9_007_199_254_740_992_i64))],
            "candidate.priority: must be a whole",
        ),
        (&[("/candidate/queuedAtMs", json!(-1))], "candidate.queuedAtMs: must be a time"),
        (&[("/worker/id", json!("other"))], "worker.id: must be the lease's"),
        (&[("/lease/workerId", json!("-edge"))], "lease.workerId: must be 1 to 128 characters"),
        (
            &[("/lease/workerSessionId", json!("01900000-0000-4000-8000-00000000000a"))],
            "lease.workerSessionId",
        ),
        (
            &[("/lease/workerSessionId", json!("01900000-0000-7000-c000-00000000000a"))],
            "lease.workerSessionId",
        ),
        (
            &[("/lease/workerSessionId", json!("01900000-0000-7000-8000-00000000000A"))],
            "lease.workerSessionId",
        ),
        (&[("/lease/leaseGeneration", json!(0))], "lease.leaseGeneration: must be a whole number of 1"),
        (&[("/lease/leaseGeneration", json!(3))], "offerId: must be derived from the lease"),
        (&[("/lease/version", json!(9_007_199_254_740_991_u64))], ""),
        (&[("/lease/version", json!(9_007_199_254_740_992_u64))], "lease.version: must be a whole number"),
        (&[("/lease/leaseToken", long(128))], ""),
        (&[("/lease/leaseToken", long(129))], "lease.leaseToken: must be 32 to 128 characters"),
        (&[("/lease/leaseToken", long(31))], "lease.leaseToken: must be 32 to 128 characters"),
        (&[("/lease/leaseToken", json!("=".repeat(40)))], "lease.leaseToken: must be 32 to 128 characters"),
        (&[("/lease/renewedAtMs", json!(1))], "lease.renewedAtMs: must not precede acquiredAtMs"),
        (&times(999_000), "lease.expiresAtMs: must follow renewedAtMs"),
        (&times(999_001), ""),
        (&[("/lease/releasedAtMs", json!(1_000_000))], "lease.releasedAtMs: belongs to a released lease"),
        (
            &[
                ("/lease/status", json!("released")),
                ("/lease/releasedAtMs", json!(1)),
                ("/lease/releaseReason", json!("declined")),
            ],
            "lease.status: must be leased",
        ),
        (&[("/lease/status", json!("completed"))], "lease.completedAtMs: belongs to a completed lease"),
        (&[("/executionSpecDigest", json!("0".repeat(64)))], "executionSpecDigest: must be the digest"),
        (&[("/executionSpec/timeoutMs", json!(604_800_000))], "executionSpecDigest: must be the digest"),
        (
            &[("/executionSpec/timeoutMs", json!(604_800_001))],
            "executionSpec.timeoutMs: must be 1 to 604800000",
        ),
        (&[("/executionSpec/timeoutMs", json!(0))], "executionSpec.timeoutMs: must be 1 to 604800000"),
        (&[("/executionSpec/terminationGraceMs", json!(300_001))], "executionSpec.terminationGraceMs"),
        (
            &[("/executionSpec/workingDirectory", json!("w"))],
            "executionSpec.workingDirectory: must be an absolute",
        ),
        (&[("/executionSpec/command/file", json!(""))], "executionSpec.command.file: must not be empty"),
        (
            &[("/executionSpec/command/args", json!(["\0"]))],
            "executionSpec.command.args: must not contain U+0000",
        ),
        (
            &[("/executionSpec/command/args", json!(vec![""; 4097]))],
            "executionSpec.command.args: must be at most",
        ),
        (
            &[("/executionSpec/command/args", json!([long(131_072)]))],
            "executionSpec.command: must be at most",
        ),
        (
            &[("/executionSpec/command", json!({ "kind": "shell", "command": "x", "shell": "sh" }))],
            "executionSpec.command.shell: must be an absolute path",
        ),
        (
            &[(
                "/executionSpec/resourcePolicy",
                json!({ "memoryBytes": { "value": 0, "enforcement": "required" } }),
            )],
            "executionSpec.resourcePolicy.memoryBytes.value: must be a whole number of 1",
        ),
        (&[("/deliveryKind", json!("gift"))], "offer, line 1 column"),
        (&[("/lease/leaseToken", json!(7))], "offer, line 1 column"),
    ];
    let valid = serde_json::to_value(offer("a", 3)).expect("an offer is JSON");
    for (changes, expected) in cases {
        let fault = fault(valid.clone(), changes, Offer::parse);
        assert!(
            fault.starts_with(expected) && fault.is_empty() == expected.is_empty(),
            "{changes:?}: {fault}"
        );
    }
}

/// Goal: a record holds exactly what its state may hold.
#[test]
fn records() {
    use State::*;
    let (handle, started) = (("/executorHandle", json!("p")), ("/executorStartedAtMs", json!(1)));
    let digest = ("/completionReceiptTokenDigest", json!("0".repeat(64)));
    let sequence = |sequence: u64| ("/completionReceiptCallbackSequence", json!(sequence));
    let cases: &[(State, Changes<'_>, &str)] = &[
        (Accepted, &[("/schemaVersion", json!(2))], "schemaVersion: must be 1"),
        (Accepted, &[("/updatedAtMs", json!(1))], "updatedAtMs: must not precede acceptedAtMs"),
        (Accepted, &[handle.clone(), started.clone()], "executorHandle: must not be there in this state"),
        (
            Accepted,
            &[sequence(1), digest.clone()],
            "completionReceiptCallbackSequence: must not be there before",
        ),
        (Accepted, &[("/recoveryReason", json!("launch_outcome_unknown"))], "recoveryReason: belongs to"),
        (Accepted, &[("/offer/lease/version", json!(-1))], "record, line 1 column"),
        (StartingAcknowledged, &[sequence(1), digest.clone()], "completionReceiptCallbackSequence: must not"),
        (
            Launching,
            &[digest.clone(), sequence(0)],
            "completionReceiptCallbackSequence: must be a whole number of 1",
        ),
        (
            Launching,
            &[("/completionReceiptTokenDigest", Value::Null)],
            "completionReceiptTokenDigest: goes with",
        ),
        (Launching, &[("/logArtifactId", json!("log"))], "executorHandle: goes with executorStartedAtMs"),
        (Started, &[("/executorStartedAtMs", Value::Null)], "executorHandle: goes with executorStartedAtMs"),
        (
            Started,
            &[("/executorHandle", Value::Null), ("/executorStartedAtMs", Value::Null)],
            "executorHandle: must",
        ),
        (Started, &[("/executorHandle", long(2048)), ("/logArtifactId", long(36))], ""),
        (Started, &[("/executorHandle", long(2049))], "executorHandle: must be 1 to 2048"),
        (Started, &[("/logArtifactId", long(37))], "logArtifactId: must be 1 to 36"),
        (RunningAcknowledged, &[("/executorHandle", json!("a\nb"))], "executorHandle: must be 1 to 2048"),
        (StartFailed, &[handle.clone(), started.clone()], "executorHandle: must not be there in this state"),
        (StartFailureAcknowledged, &[handle.clone(), started.clone()], "executorHandle: must not be there"),
        (
            CompletionAcknowledged,
            &[("/completionAcknowledgedAtMs", json!(1))],
            "completionAcknowledgedAtMs: must be",
        ),
        (
            CompletionAcknowledged,
            &[("/completionAcknowledgedAtMs", Value::Null)],
            "completionAcknowledgedAtMs: must",
        ),
        (
            CompletionAcknowledged,
            &[
                ("/completionReceiptTokenDigest", Value::Null),
                ("/completionReceiptCallbackSequence", Value::Null),
            ],
            "completionReceiptCallbackSequence: must be there",
        ),
        (RecoveryRequired, &[handle, started], ""),
        (
            RecoveryRequired,
            &[("/recoveryReason", Value::Null)],
            "recoveryReason: belongs to recovery_required",
        ),
    ];
    for state in State::ALL {
        let valid = serde_json::to_value(record(offer("a", 3), state)).expect("a record is JSON");
        assert_eq!(fault(valid.clone(), &[], Record::parse), "", "{state}");
        for (_, changes, expected) in cases.iter().filter(|case| case.0 == state) {
            let fault = fault(valid.clone(), changes, Record::parse);
            assert!(
                fault.starts_with(expected) && fault.is_empty() == expected.is_empty(),
                "{changes:?}: {fault}"
            );
        }
    }
}

/// Goal: a record is at most 196608 bytes of JSON, to the byte.
#[test]
fn record_size() {
    let mut record = record(offer("a", 3), State::Accepted);
    let of_size = |record: &mut Record, args: usize| {
        let spec = std::sync::Arc::make_mut(&mut record.offer.execution_spec);
        // A control character is one byte of the command and six of the record.
        let escaped = "\u{1}".repeat(20_000);
        let args = vec![escaped.as_str().into(), "x".repeat(args).as_str().into()];
        spec.command = Command::Argv { file: "/bin/true".into(), args };
        record.offer.execution_spec_digest = spec.digest();
        record.to_json().len()
    };
    let rest = RECORD_BYTES_MAX - of_size(&mut record, 0);
    assert_eq!(of_size(&mut record, rest), RECORD_BYTES_MAX);
    assert_eq!(record.check(), Ok(()));
    assert_eq!(Record::parse(&record.to_json()), Ok(record.clone()));
    let padded = format!("{} ", record.to_json());
    assert_eq!(
        Record::parse(&padded).unwrap_err().to_string(),
        "record: must be at most 196608 bytes of JSON"
    );
    of_size(&mut record, rest + 1);
    assert_eq!(record.check().unwrap_err().to_string(), "record: must be at most 196608 bytes of JSON");
}

/// Goal: a configuration is refused in one clear line.
#[test]
fn configurations() {
    let config = |retries, types: &[&str]| {
        let types = types.iter().map(|name| (*name).into()).collect();
        Config::new(retries, types, "local".into()).err().map(|invalid| invalid.to_string())
    };
    assert_eq!(config(4, &["a", "b"]), None);
    assert_eq!(config(0, &["a"]).as_deref(), Some("activation retries: must be 1 to 4"));
    assert_eq!(config(5, &["a"]).as_deref(), Some("activation retries: must be 1 to 4"));
    for types in [&[][..], &["a", "a"], &["a"; 17]] {
        assert_eq!(
            config(1, types).as_deref(),
            Some("accepted executor types: must be 1 to 16 distinct names")
        );
    }
}
