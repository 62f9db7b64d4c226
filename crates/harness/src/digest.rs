/// Folds `bits` into a digest, so that order matters: the finaliser of SplitMix64 over both. It is cheap, and
/// every input bit reaches every output bit.
pub(crate) fn fold(digest: u64, bits: u64) -> u64 {
    let bits = (digest ^ bits).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A digest as people and machines read it: 16 hexadecimal digits.
pub fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}
