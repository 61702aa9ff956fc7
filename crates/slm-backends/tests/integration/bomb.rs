//! Much in little: megabytes of zeros in gzip.

/// So many megabytes, in a kilobyte each. The end is left out: nobody should get there.
pub(crate) fn bomb(megabytes: usize) -> Vec<u8> {
    let head = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03".to_vec();
    // One block of a deflate stream, flushed, so that another one can follow.
    let megabyte =
        [b"\xec\xc1\x31\x01\0\0\0\xc2\xa0\xf5\x4f\x6d\x08\x5f\xa0".as_slice(), &[0; 1016], b"\x3e\x03\0\0\xff\xff"]
            .concat();
    [head, megabyte.repeat(megabytes)].concat()
}
