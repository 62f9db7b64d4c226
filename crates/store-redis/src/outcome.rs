//! What an error of a call says of whether it was carried out.

use crate::reply::Damaged;
use holdover_store::StoreError;
use redis::{ErrorKind, RedisError, ServerErrorKind};

/// With these the server refuses a script before it has written anything.
const REFUSED: [&str; 5] = ["OOM", "MISCONF", "NOREPLICAS", "BUSY", "NOAUTH"];

/// The error of a call that was sent.
pub(crate) fn of_sent(error: &RedisError) -> StoreError {
    if refused(error) {
        return StoreError::Failed(error.to_string());
    }
    StoreError::Unknown(error.to_string())
}

/// The error of an answer that cannot be read: what it answers has happened.
pub(crate) fn of_answer(damaged: &Damaged) -> StoreError {
    StoreError::Unknown(damaged.to_string())
}

fn refused(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Server(
            ServerErrorKind::BusyLoading
            | ServerErrorKind::NoScript
            | ServerErrorKind::Moved
            | ServerErrorKind::Ask
            | ServerErrorKind::TryAgain
            | ServerErrorKind::ClusterDown
            | ServerErrorKind::CrossSlot
            | ServerErrorKind::MasterDown
            | ServerErrorKind::ReadOnly,
        ) => true,
        ErrorKind::Extension => error.code().is_some_and(|code| REFUSED.contains(&code)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redis::make_extension_error;

    /// Goal: only what was certainly refused is said not to have happened.
    #[test]
    fn what_is_certain() {
        let said = |code: &str| of_sent(&make_extension_error(code.into(), Some("why".into())));
        for code in REFUSED {
            assert!(matches!(said(code), StoreError::Failed(_)), "{code}");
        }
        assert!(matches!(said("NOVEL"), StoreError::Unknown(_)));
        let lost = RedisError::from(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
        assert!(matches!(of_sent(&lost), StoreError::Unknown(_)));
    }
}
