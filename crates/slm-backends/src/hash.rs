//! A hash that may be written down.

/// FNV-1a, 64 bits: unlike the standard library's, it stays the same between versions, so that a cache may hold it.
pub(crate) fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
