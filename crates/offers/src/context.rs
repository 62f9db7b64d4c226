use crate::{
    CompletionToken, Digest, Environment, Invalid, Text,
    check::{capability, positive},
    secret::token_digest,
};

/// The right to report the completion of one process.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CompletionCapability {
    /// The capability.
    pub token: CompletionToken,
    /// Which callback of the attempt it is.
    pub callback_sequence: u64,
}

/// What the journal keeps of a completion capability: enough to know its receipt again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ReceiptMetadata {
    /// Which callback of the attempt it is.
    pub callback_sequence: u64,
    /// The digest of its token.
    pub token_digest: Digest,
}

impl CompletionCapability {
    /// What to keep, if the capability is strong enough to be kept.
    pub fn metadata(&self) -> Result<ReceiptMetadata, Invalid> {
        capability("completionCallback.token", self.token.expose())?;
        positive("completionCallback.callbackSequence", self.callback_sequence)?;
        Ok(ReceiptMetadata {
            callback_sequence: self.callback_sequence,
            token_digest: token_digest(&self.token),
        })
    }
}

/// What a process is started with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// Its environment.
    pub environment: Environment,
    /// The shell's name for the sink that takes its output.
    pub output: Text,
    /// Its right to report its completion.
    pub completion: Option<CompletionCapability>,
}

/// A context that is ready to start, and where its log goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prepared {
    /// What the process is started with.
    pub context: Context,
    /// The log's artifact.
    pub log_artifact_id: Option<Text>,
}
