//! Values that must not be shown. Only the lease token may be written, into the journal and into commands; the
//! field of [`Lease`](crate::Lease) and the one of [`Fence`](crate::Fence) that do so say it.

use crate::{Digest, Text};
use holdover_machine::Secret;
use std::collections::BTreeMap;

/// Proves to the control plane that a command comes from the holder of the lease. It may be written to the
/// journal, a private file, and into commands.
pub type LeaseToken = Secret<Text>;

/// Lets the local process report its completion. It lives in the prepared context and in the receipt; the
/// journal holds its digest only.
pub type CompletionToken = Secret<Text>;

/// The environment of the local process. Only the executor may see it.
pub type Environment = Secret<BTreeMap<Text, Text>>;

/// What a failing port says about its failure, which may quote anything. It reaches the caller and nothing else.
pub type Detail = Secret<Text>;

/// What the journal keeps of a completion token.
pub(crate) fn token_digest(token: &CompletionToken) -> Digest {
    Digest::of(token.expose().as_bytes())
}
