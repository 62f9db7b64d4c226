use serde_json::Value;

/// What the application says about the values that the coordinator passes through.
#[derive(Debug, Clone, Copy, Hash)]
pub struct Contract {
    /// Reads an identity; none if the value is not one.
    pub identity: fn(&Value) -> Option<Identity>,
    /// Whether a value is a run request.
    pub is_request: fn(&Value) -> bool,
}

/// Who somebody is, as far as ownership goes. Two identities are the same owner if they are equal.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The stable key of the user.
    pub owner_key: String,
    /// The session.
    pub session_id: String,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity(..)")
    }
}
