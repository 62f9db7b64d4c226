use crate::CallError;
use serde_json::Value;

/// Who is told of every request that a client sends, and of what came of it. A history is recorded here.
///
/// A request of which nothing more is heard was under way when its process died: it may have been carried out.
pub trait Watch: Send + Sync {
    /// A request is about to be sent; the answer is the name that it has from here on.
    fn sent(&self, operation: &str, arguments: &Value) -> u64;
    /// It was answered, or it is known that it will not be.
    fn ended(&self, request: u64, outcome: &Result<Value, CallError>);
}
