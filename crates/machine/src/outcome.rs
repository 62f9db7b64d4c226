use serde::{Deserialize, Serialize};

/// What a caller knows after a call through a port.
///
/// The third case is the one that hurts in production, so it has a name: no code may treat it as a failure. `E` is what
/// the caller learns about the other two; a port whose errors may hold secrets names a type that cannot show them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome<T, E = String> {
    /// The call was carried out and this is its answer.
    Ok(T),
    /// The call was certainly not carried out.
    Failed(E),
    /// The call may or may not have been carried out.
    Unknown(E),
}

impl<T, E> Outcome<T, E> {
    /// Applies `change` to the answer of a call that was carried out.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U, E> {
        match self {
            Self::Ok(value) => Outcome::Ok(change(value)),
            Self::Failed(why) => Outcome::Failed(why),
            Self::Unknown(why) => Outcome::Unknown(why),
        }
    }
}
