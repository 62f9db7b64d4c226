//! What must not be shown is not shown.

use crate::support::{TOKEN, Worker, offer};
use holdover_machine::{Ports, Timestamp, drive};
use holdover_offers::*;

/// A worker whose traffic is written down as its debug text.
struct Overheard {
    worker: Worker,
    text: String,
}

impl Ports<Receiver> for Overheard {
    fn now(&mut self) -> Timestamp {
        Ports::<Receiver>::now(&mut self.worker)
    }

    fn perform(&mut self, effect: Effect) {
        self.text += &format!("{effect:?}");
        self.worker.perform(effect);
    }

    fn next(&mut self) -> Option<Input> {
        let input = Ports::<Receiver>::next(&mut self.worker);
        self.text += &format!("{input:?}");
        input
    }
}

/// Goal: neither the traffic of a receiver nor its state shows a token; the record holds the lease token and of
/// the completion token the digest only.
#[test]
fn tokens_do_not_show() {
    let mut overheard = Overheard { worker: Worker::new(), text: String::new() };
    let mut receiver = overheard.worker.receiver.clone();
    let offer = offer("a", 3);
    let lease_token = offer.lease.lease_token.expose().to_string();
    overheard.worker.queue(offer);
    drive(&mut receiver, &mut overheard);
    assert!(matches!(overheard.worker.answers[..], [Ok(Received::Running { .. })]));
    for text in [&overheard.text, &format!("{receiver:?}"), &format!("{:?}", overheard.worker.directory)] {
        assert!(!text.contains(TOKEN) && !text.contains(&lease_token), "{text}");
    }
    let record = overheard.worker.directory.records().next().expect("one record").to_json();
    assert!(record.contains(&lease_token) && !record.contains(TOKEN));
    assert!(record.contains(&Digest::of(TOKEN.as_bytes()).to_string()));
}

/// Goal: an error about a secret value does not quote it, however the value is wrong.
#[test]
fn errors_do_not_quote() {
    let valid = serde_json::to_string(&offer("a", 3)).expect("an offer is JSON");
    let token = offer("a", 3).lease.lease_token.expose().to_string();
    for wrong in [valid.replace(&token, "hunter2!"), valid.replace("\"leased\"", &format!("\"{token}\""))] {
        let error = Offer::parse(&wrong).unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(!text.contains("hunter2") && !text.contains(&token), "{text}");
    }
}
