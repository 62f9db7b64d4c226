use crate::{Contract, Failure, Identity, Rules, base64, error_code::ErrorCode};
use holdover_machine::Secret;
use serde_json::Value;

/// Names a request or an alarm while it is not answered, and the stream that a request was answered with. The shell
/// never gives one twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// A request as the router passes it on. It may hold an identity and what the user asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The path.
    pub path: String,
    /// The header that holds the caller's identity.
    pub identity: Option<Secret<String>>,
    /// Whether the caller wants a stream to resume behind some event.
    pub has_last_event_id: bool,
    /// The body.
    pub body: Secret<Vec<u8>>,
}

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Route {
    Accept,
    Cancel,
    Events,
    Snapshot,
    Approval,
    Other,
}

/// What an accepted run starts from.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Order {
    pub(crate) run_id: String,
    pub(crate) actor: Secret<Value>,
    pub(crate) input: Secret<Value>,
}

impl Request {
    pub(crate) fn route(&self) -> Route {
        match (self.method.as_str(), self.path.as_str()) {
            ("POST", "/accept") => Route::Accept,
            ("POST", "/cancel") => Route::Cancel,
            ("GET", "/events") => Route::Events,
            ("GET", "/snapshot") => Route::Snapshot,
            ("POST", "/approval") => Route::Approval,
            _ => Route::Other,
        }
    }

    /// The caller. Whatever is wrong with the header, the answer is the one for a run that does not exist.
    pub(crate) fn caller(&self, rules: &Rules, contract: &Contract) -> Result<Identity, Failure> {
        let read = || {
            let header = self.identity.as_ref()?.expose();
            if header.is_empty() || header.encode_utf16().count() > rules.identity_header_max {
                return None;
            }
            let value: Value = serde_json::from_slice(&base64::decode(header)?).ok()?;
            (contract.identity)(&value)
        };
        read().ok_or(Failure::classified(ErrorCode::NotFound))
    }

    /// The order in an accept request.
    pub(crate) fn order(&self, contract: &Contract) -> Result<Order, Failure> {
        let mut body = self.json()?;
        let run_id = body.get("runId").and_then(Value::as_str).filter(|id| is_run_id(id)).map(str::to_owned);
        let actor =
            body.get_mut("actor").map(Value::take).filter(|value| (contract.identity)(value).is_some());
        let input = body.get_mut("request").map(Value::take).filter(|value| (contract.is_request)(value));
        match (run_id, actor, input) {
            (Some(run_id), Some(actor), Some(input)) => {
                Ok(Order { run_id, actor: Secret::new(actor), input: Secret::new(input) })
            }
            _ => Err(bad_request()),
        }
    }

    /// The call and the decision in an approval request.
    pub(crate) fn decision(&self) -> Result<(String, bool), Failure> {
        let body = self.json()?;
        let call_id = body.get("callId").and_then(Value::as_str).ok_or(bad_request())?;
        match body.get("decision").and_then(Value::as_str) {
            Some("allow") => Ok((call_id.to_owned(), true)),
            Some("deny") => Ok((call_id.to_owned(), false)),
            _ => Err(bad_request()),
        }
    }

    /// The body is read whole, however long it is (W-C20).
    fn json(&self) -> Result<Value, Failure> {
        serde_json::from_slice(self.body.expose()).map_err(|_| bad_request())
    }
}

fn bad_request() -> Failure {
    Failure::classified(ErrorCode::BadRequest)
}

fn is_run_id(id: &str) -> bool {
    (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTRACT: Contract = Contract {
        identity: |value| Some(Identity { owner_key: value.as_str()?.into(), session_id: String::new() }),
        is_request: Value::is_string,
    };

    fn request(identity: Option<&str>, body: &str) -> Request {
        Request {
            method: "POST".into(),
            path: "/accept".into(),
            identity: identity.map(|identity| Secret::new(identity.into())),
            has_last_event_id: false,
            body: Secret::new(body.into()),
        }
    }

    /// A caller is whoever the header says; anything that is not an identity is nobody.
    #[test]
    fn callers_come_from_the_header() {
        let rules = Rules { identity_header_max: 8, ..Rules::original() };
        let cases = [
            (Some("ImFubiI="), true),
            (Some("ImFubiIg"), true),
            (Some("ImFubmEi="), false),
            (Some("ImFubmFub"), false),
            (Some("bnVsbA=="), false),
            (Some("/////w=="), false),
            (Some("ann"), false),
            (Some(""), false),
            (None, false),
        ];
        for (header, known) in cases {
            let caller = request(header, "").caller(&rules, &CONTRACT);
            assert_eq!(caller.is_ok(), known, "{header:?}");
        }
    }

    /// An order needs all three parts, each as it must be.
    #[test]
    fn orders_are_complete() {
        let long = format!(r#"{{"runId":"{}","actor":"ann","request":"x"}}"#, "r".repeat(129));
        let cases = [
            (r#"{"runId":"A-z_9","actor":"ann","request":"x"}"#, true),
            (r#"{"runId":"","actor":"ann","request":"x"}"#, false),
            (r#"{"runId":"a.b","actor":"ann","request":"x"}"#, false),
            (r#"{"runId":7,"actor":"ann","request":"x"}"#, false),
            (r#"{"runId":"r","actor":7,"request":"x"}"#, false),
            (r#"{"runId":"r","request":"x"}"#, false),
            (r#"{"runId":"r","actor":"ann","request":7}"#, false),
            (long.as_str(), false),
            ("[]", false),
            ("{", false),
        ];
        for (body, valid) in cases {
            assert_eq!(request(None, body).order(&CONTRACT).is_ok(), valid, "{body}");
        }
    }
}
