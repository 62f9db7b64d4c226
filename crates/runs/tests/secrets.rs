//! Goal: identity, handle, request and credentials do not show in debug text; the record alone writes the first two.

use holdover_machine::{Secret, Timestamp};
use holdover_runs::{Context, Effect, Handle, Input, OperationId, Record, Request, RequestId};
use serde_json::{Value, json};

fn record() -> Record {
    serde_json::from_value(json!({
        "phase": "creating",
        "runId": "run",
        "actor": { "user": "sk-actor" },
        "handle": { "key": "sk-handle" },
        "snapshot": {
            "runId": "run", "conversationId": null, "turnId": null, "status": "running", "cancelRequested": false,
        },
        "revision": 1,
        "acceptedUntil": null,
        "pending": null,
    }))
    .expect("a record")
}

#[test]
fn debug_text_shows_no_secret() {
    let secret = || Secret::new(Value::from("sk-value"));
    let context = Context { actor: secret(), now: Timestamp::ZERO };
    let request = Request {
        method: "POST".into(),
        path: "/accept".into(),
        identity: Some(Secret::new("sk-header".into())),
        has_last_event_id: false,
        body: Secret::new(b"sk-body".to_vec()),
    };
    let (operation, handle) = (OperationId(1), Handle::new(json!("sk-handle")));
    let texts = [
        format!("{:?}", record()),
        format!("{:?}", Input::Requested { id: RequestId(1), request }),
        format!("{:?}", Input::HandleAnnounced { operation, handle }),
        format!("{:?}", Effect::Prepare { operation, run_id: "run".into(), request: secret(), context }),
    ];
    for text in texts {
        // Bytes would show as numbers: 115, 107 is how `sk` begins.
        assert!(!text.contains("sk-") && !text.contains("115, 107"), "{text}");
    }
}

#[test]
fn the_record_survives_storage_with_its_owner_and_handle() {
    let written = json!(record());
    assert_eq!(written["actor"]["user"], "sk-actor");
    assert_eq!(written["handle"]["key"], "sk-handle");
    let read: Record = serde_json::from_value(written).expect("a record");
    assert_eq!(read, record());
}
