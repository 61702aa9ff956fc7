//! `StreamScanner`: it does not matter how a reply is split.

use slm_repair::StreamScanner;

/// The first byte is the size of the pieces, the others are the reply.
pub fn check(data: &[u8]) {
    let Some((size, data)) = data.split_first() else { return };
    let mut whole = StreamScanner::new();
    let at_once = whole.feed(data);
    let mut pieces = StreamScanner::new();
    for (i, piece) in data.chunks(usize::from(*size).max(1)).enumerate() {
        let status = pieces.feed(piece);
        assert!(status.complete.is_none_or(|end| end <= data.len()), "the end stands in the reply");
        if i < 16 {
            drop(pieces.partial());
        }
    }
    assert_eq!(pieces.status(), at_once, "pieces come to the same as the whole");
    assert_eq!(pieces.partial(), whole.partial());
}
