/// Folds `bits` into a digest, so that order matters: the finaliser of SplitMix64 over both. It is cheap, and
/// every input bit reaches every output bit.
pub(crate) fn fold(digest: u64, bits: u64) -> u64 {
    let bits = (digest ^ bits).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// What a seed with this digest adds to the digest of a campaign, which is the sum of all. The seed is in it, so
/// that two seeds which exchange their digests are noticed; and a sum does not mind how it is put together, so
/// that shards add up to the whole.
pub(crate) fn of_seed(seed: u64, digest: u64) -> u64 {
    fold(fold(0, seed), digest)
}

/// A digest as people and machines read it: 16 hexadecimal digits.
pub fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

/// Reads what [`hex`] wrote.
pub(crate) fn from_hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok().filter(|digest| hex(*digest) == text)
}

/// Digests in JSON.
pub(crate) mod as_hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::borrow::Cow;

    pub(crate) fn serialize<S: Serializer>(digest: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::hex(*digest))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        super::from_hex(&text).ok_or_else(|| D::Error::custom("expected a digest of 16 hexadecimal digits"))
    }
}
