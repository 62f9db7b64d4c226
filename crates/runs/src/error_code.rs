use serde::{Deserialize, Serialize};

/// The class of a failure: all that a caller may learn about it, with one fixed message and status per class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request is not as it must be.
    BadRequest,
    /// There is no such run, as far as the caller may know.
    NotFound,
    /// The run is not in a state that allows it.
    Conflict,
    /// The runtime cannot do it.
    Unsupported,
    /// The run was cancelled.
    Cancelled,
    /// The caller is not known.
    Unauthorized,
    /// The caller may not.
    Forbidden,
    /// Too many requests.
    RateLimited,
    /// Something that the runtime depends on failed.
    Upstream,
    /// The execution took too long.
    Timeout,
    /// The network failed.
    Network,
    /// Something must be configured first.
    NeedsConfig,
    /// The execution used up its budget.
    BudgetExceeded,
    /// The database is of another version.
    IncompatibleDb,
    /// Anything else.
    Internal,
}

impl ErrorCode {
    /// The fixed message of the class.
    pub fn message(self) -> &'static str {
        match self {
            Self::BadRequest => "Invalid request",
            Self::NotFound => "Run not found",
            Self::Conflict => "Run state conflict",
            Self::Unsupported => "Unsupported operation",
            Self::Cancelled => "Cancelled",
            Self::Unauthorized => "Authentication required",
            Self::Forbidden => "Access denied",
            Self::RateLimited => "Rate limit exceeded",
            Self::Upstream => "Upstream execution failed",
            Self::Timeout => "Execution timed out",
            Self::Network => "Network execution failed",
            Self::NeedsConfig => "Configuration required",
            Self::BudgetExceeded => "Execution budget exceeded",
            Self::IncompatibleDb => "Incompatible database",
            Self::Internal => "Internal execution failure",
        }
    }

    /// The status of an answer of this class.
    pub fn status(self) -> u16 {
        match self {
            Self::BadRequest => 400,
            Self::Unauthorized => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::Conflict => 409,
            Self::RateLimited => 429,
            Self::Internal | Self::IncompatibleDb => 500,
            Self::Unsupported
            | Self::Cancelled
            | Self::Upstream
            | Self::Timeout
            | Self::Network
            | Self::NeedsConfig
            | Self::BudgetExceeded => 422,
        }
    }
}
