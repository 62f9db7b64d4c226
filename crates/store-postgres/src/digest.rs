use holdover_jobs::{Key, Text};
use sha2::{Digest, Sha256};

/// What a key is looked up by: names may be longer than an index entry.
pub(crate) fn of_key(key: &Key) -> Vec<u8> {
    let mut digest = Sha256::new();
    // The length comes first, so that scope and text cannot run into each other.
    let scope = key.scope.as_deref().map_or(u64::MAX, |scope| scope.len() as u64);
    digest.update(scope.to_be_bytes());
    digest.update(key.scope.as_deref().unwrap_or_default());
    digest.update(&*key.text);
    digest.finalize().to_vec()
}

/// What a tenant or user is looked up by.
pub(crate) fn of_name(name: &Text) -> Vec<u8> {
    Sha256::digest(name.as_bytes())[..16].to_vec()
}
