use holdover_runs::{Contract, Identity};
use serde_json::Value;

/// The identities and requests of the vectors.
pub(super) const CONTRACT: Contract = Contract { identity, is_request };

fn identity(value: &Value) -> Option<Identity> {
    let text = |member: &str| {
        let text = value.get(member)?.as_str()?;
        (1..=128).contains(&text.encode_utf16().count()).then_some(text)
    };
    let (tenant, user, session) = (text("tenantId")?, text("userId")?, text("sessionId")?);
    // A pair of texts written as JSON is the same only for the same pair.
    let owner_key = Value::from(vec![tenant, user]).to_string();
    Some(Identity { owner_key, session_id: session.to_owned() })
}

fn is_request(value: &Value) -> bool {
    value.get("input").and_then(Value::as_str).is_some_and(|input| !input.is_empty())
}
