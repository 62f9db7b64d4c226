//! The shells on the real runtime, over loopback.

mod support;

use holdover_jobs::{Call, Command, Reply, Stamp, rules::Floor};
use holdover_machine::Span;
use holdover_node::{
    CallError, Client, FRAME_BYTES_MAX, FrameError, Patience, RemoteStore, read_frame, write_frame,
};
use holdover_store::{Store, StoreError};
use serde_json::{Value, json};
use std::time::Duration;
use support::{Deployment, create, listen, patience};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Goal: a frame is read as it was written; what is cut off or over the limit is told apart from an ended connection.
#[tokio::test]
async fn frames_are_read_as_written() {
    let limit = u32::try_from(FRAME_BYTES_MAX).expect("it fits a length");
    let cases: [(&[u8], &str); 6] = [
        (b"", "end"),
        (b"\0\0\0\x02[]", "[]"),
        (b"\0\0\0\0", ""),
        (b"\0\0", "the connection ended inside a frame"),
        (b"\0\0\0\x02[", "the connection ended inside a frame"),
        (&(limit + 1).to_be_bytes(), "a frame of 16777217 bytes is over the limit of 16777216"),
    ];
    for (bytes, expected) in cases {
        let read = match read_frame(&mut &bytes[..]).await {
            Ok(Some(frame)) => String::from_utf8(frame).expect("text"),
            Ok(None) => "end".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(read, expected, "{bytes:?}");
    }
    let mut written = Vec::new();
    write_frame(&mut written, b"{}").await.expect("a small frame");
    assert_eq!(written, b"\0\0\0\x02{}");
    let huge = write_frame(&mut written, &vec![b' '; FRAME_BYTES_MAX + 1]).await;
    assert!(matches!(huge, Err(FrameError::TooLarge { .. })));
    assert_eq!(written.len(), 6, "nothing of a frame over the limit is written");
}

/// Goal: whatever is sent to a service, it answers in words or closes the connection, and goes on serving.
#[tokio::test]
async fn malformed_requests_are_refused_in_words() {
    let deployment = Deployment::start("hardened").await;
    for (sent, code) in [
        (json!("no object").to_string(), "EXECUTOR_FRAME_INVALID"),
        ("not json".to_owned(), "EXECUTOR_FRAME_INVALID"),
        (json!({ "operation": "dance" }).to_string(), "EXECUTOR_REQUEST_INVALID"),
        (json!({ "operation": "claim", "arguments": {} }).to_string(), "EXECUTOR_WORKER_ID_INVALID"),
    ] {
        let mut stream = TcpStream::connect(deployment.services[0]).await.expect("it listens");
        write_frame(&mut stream, sent.as_bytes()).await.expect("sent");
        let answer = read_frame(&mut stream).await.expect("an answer").expect("a frame");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!(answer["error"]["code"], code, "{sent}");
    }
    let mut stream = TcpStream::connect(deployment.services[0]).await.expect("it listens");
    stream.write_all(&u32::MAX.to_be_bytes()).await.expect("sent");
    let answer = read_frame(&mut stream).await.expect("an answer").expect("a frame");
    assert!(String::from_utf8_lossy(&answer).contains("over the limit"));
    assert_eq!(stream.read(&mut [0; 1]).await.expect("closed"), 0, "after that the connection is closed");
    deployment.client().call("stats", &json!({})).await.expect("it goes on serving");
}

/// Goal: a job goes from create to its result through a client, a service, a store node and a worker.
#[tokio::test]
async fn a_job_is_done_over_loopback() {
    for variant in ["hardened", "original"] {
        let deployment = Deployment::start(variant).await;
        let client = deployment.client();
        let created = client.call("create", &create("a")).await.expect("created");
        assert_eq!(created["created"], true);
        let again = client.call("create", &create("a")).await.expect("known");
        assert_eq!((&again["created"], &again["job"]["jobId"]), (&json!(false), &json!("a")));
        let work = deployment.run_worker("w");
        let job = deployment.until_ended("a").await;
        assert_eq!(
            (&job["status"], &job["result"]["summary"]),
            (&json!("succeeded"), &json!("done by attempt 1"))
        );
        let events = client.call("listEvents", &json!({ "jobId": "a" })).await.expect("a page");
        let kinds: Vec<&str> = events["events"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|event| event["type"].as_str())
            .collect();
        let told =
            ["queued", "leased", "started", "half", "succeeded"].map(|kind| format!("executor_job_{kind}"));
        assert_eq!(kinds, told, "{variant}");
        let touched = work.touched();
        let fence = (variant == "hardened").then_some(1);
        assert!(touched.iter().all(|touch| touch.attempt == 1 && touch.fence == fence), "{touched:?}");
        assert!(!touched.is_empty());
    }
}

/// Goal: a job whose first attempt fails is done by its second.
#[tokio::test]
async fn a_failed_attempt_is_followed_by_another() {
    let deployment = Deployment::start("hardened").await;
    deployment.client().call("create", &create("fails-once")).await.expect("created");
    let _work = deployment.run_worker("w");
    let job = deployment.until_ended("fails-once").await;
    assert_eq!((&job["status"], &job["attempts"]), (&json!("succeeded"), &json!(2)));
}

/// Goal: what a client may believe of a call: not sent, sent and perhaps carried out, answered after all.
#[tokio::test]
async fn a_client_knows_what_it_cannot_know() {
    let (gone, _) = listen().await;
    let patience = Patience { deadline: Duration::from_millis(1), ..patience() };
    let refusing = Client::new([gone.to_string()], patience);
    let error = refusing.call("stats", &json!({})).await.expect_err("nobody listens");
    assert!(matches!(error, CallError::NotSent(_)) && !error.is_unknown(), "{error}");

    let silent = support::close_after_requests(usize::MAX, None).await;
    let error =
        Client::new([silent.to_string()], patience).call("stats", &json!({})).await.expect_err("no answer");
    assert!(matches!(error, CallError::Unanswered(_)) && error.is_unknown(), "{error}");

    // Once a try may have been carried out, a later one that was not does not make that certain again.
    let patience =
        Patience { deadline: Duration::from_millis(400), pause: Duration::from_millis(300), ..patience };
    let error = Client::new([silent.to_string(), gone.to_string()], patience);
    let error = error.call("stats", &json!({})).await.expect_err("no answer");
    assert!(error.is_unknown(), "{error}");
}

/// Goal: a call whose answers were lost is sent again until it is answered; the create happened once.
#[tokio::test]
async fn a_client_repeats_what_was_not_answered() {
    let deployment = Deployment::start("hardened").await;
    let lossy = support::close_after_requests(2, Some(deployment.services[0])).await;
    let client = Client::new([lossy.to_string()], patience());
    let created = client.call("create", &create("a")).await.expect("the third try is answered");
    assert_eq!(created["created"], false, "an earlier try was carried out");
    let stats = client.call("stats", &json!({})).await.expect("totals");
    assert_eq!(stats["total"], 1);
}

/// Goal: a store call that was sent and not answered is unknown; one that could not be sent has certainly failed.
#[tokio::test]
async fn a_lost_store_connection_is_an_unknown_outcome() {
    let call =
        || Call { stamp: Stamp::Store(Floor::Held), command: Command::Workers { stale_after: Span::ZERO } };
    let within = Duration::from_secs(10);
    let silent = support::close_after_requests(usize::MAX, None).await;
    let unknown = RemoteStore::new(silent.to_string(), within).execute(call()).await;
    assert!(matches!(unknown, Err(StoreError::Unknown(_))), "{unknown:?}");
    let (gone, _) = listen().await;
    let failed = RemoteStore::new(gone.to_string(), within).execute(call()).await;
    assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
    let deployment = Deployment::start("hardened").await;
    let store = RemoteStore::new(deployment.store.to_string(), within);
    assert_eq!(store.execute(call()).await, Ok(Reply::Workers(vec![])));
    assert_eq!(store.execute(call()).await, Ok(Reply::Workers(vec![])), "on the connection that was kept");
}
