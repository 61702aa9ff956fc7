//! Megabytes made to hurt: an answer, no abort. A pass that is quadratic in a megabyte would not come back for hours; many kinds of
//! pieces are tried at a sixteenth of it, which one would still make the slowest test of all. `benches/peers` has the times.

use slm_repair::{ErrorKind, repair};

const MEGABYTE: usize = 1 << 20;

fn times(piece: &str, size: usize) -> String {
    piece.repeat(size / piece.len())
}

fn check(input: &str) -> Option<ErrorKind> {
    repair(input).err().map(|error| error.kind())
}

#[test]
fn deep_nesting_is_an_error() {
    for input in [
        "[".repeat(100_000),
        times("{\"a\":", MEGABYTE),
        times("[{'a':", MEGABYTE),
        "[".repeat(100_000) + &"]".repeat(100_000),
    ] {
        assert_eq!(check(&input), Some(ErrorKind::TooDeep));
    }
    assert_eq!(check(&("[".repeat(127) + &"]".repeat(127))), None);
    assert_eq!(check(&("[".repeat(127) + "1," + &"]".repeat(127))), None);
    assert_eq!(check(&("[".repeat(128) + "1," + &"]".repeat(128))), Some(ErrorKind::TooDeep));
}

#[test]
fn repeated_pieces_cost_linear_time() {
    // One string, cut at each `¦`: a list of so many would fill the screen.
    let pieces = concat!(
        "{¦}¦]¦{ x ¦[a¦{a:¦}]¦{\"¦\"¦'¦`¦```¦~~~¦\\¦\\\"¦\" ¦' '¦\"a\" b ¦,¦{,¦:¦/¦/*¦//¦<think>¦</think>¦<![CDATA[¦“¦‘a¦\u{feff}¦ ¦",
        "[1]¦{} ¦{\"a\":1} ¦{\"a\" ¦{'a': b c}¦1\" ¦tru¦-¦\"a\"\n¦{a \"x¦{a 'x¦{a: x /* ¦[a, ¦[\"a\" b¦{\"a\": b c ¦}, ¦[1, ¦{a: 1",
    );
    for piece in pieces.split('¦') {
        let pieces = times(piece, MEGABYTE / 16);
        for head in ["", "{\"a\": [", "{\"a\": \"", "```json\n[1, "] {
            check(&(String::from(head) + &pieces));
        }
        check(&(pieces + "\"}]"));
    }
}

#[test]
fn a_megabyte_is_no_trouble() {
    for piece in ["{ x ", "[1] {", "`", "\"", "'\\", "{\"a\": 1} "] {
        check(&times(piece, MEGABYTE));
    }
}

#[test]
fn many_documents_are_tried_in_linear_time() {
    let contract = slm_schema::Contract::from_json("case", r#"{"type": "integer"}"#).unwrap();
    let error = slm_repair::repair_as(&times("{'a': 1} ", MEGABYTE / 8), contract.schema()).unwrap_err();
    assert_eq!((error.kind(), error.documents().len()), (ErrorKind::Ambiguous, MEGABYTE / 8 / 9));
}

#[test]
fn many_escaped_documents_are_placed_in_linear_time() {
    let error = repair(&times("{\\\"a\\\": 1} ", MEGABYTE)).unwrap_err();
    let last = error.documents().last().cloned().unwrap_or_default();
    assert_eq!((error.documents().len(), last.len()), (MEGABYTE / 11, 10), "{error}");
}

/// On the stack of an ordinary thread: read, judged, coerced, compared, printed, copied and freed.
#[test]
fn a_caller_may_raise_the_depth() {
    const DEEPEST: usize = 1024;
    let schema = r##"{"$ref": "#/$defs/d", "$defs": {"d": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "integer"}]}}}}"##;
    let contract = slm_schema::Contract::from_json("deep", schema).unwrap();
    let options = slm_repair::Options { schema: Some(contract.schema()), ..slm_repair::Options::default() };
    let deep = |depth: usize, inner: &str| "[".repeat(depth) + inner + &"]".repeat(depth);
    for inner in ["1", "1,"] {
        let repaired = slm_repair::repair_to_depth(&deep(DEEPEST, inner), &options, usize::MAX).unwrap();
        assert!(contract.schema().conforms(&repaired.value), "{inner}");
        assert_eq!(repaired.clone().value.to_string(), deep(DEEPEST, "1"));
    }
    // So deep in a schema of unions the trials that coercion allows itself do not suffice.
    let repaired = slm_repair::repair_to_depth(&deep(DEEPEST, "\"1\""), &options, usize::MAX).unwrap();
    assert_eq!(repaired.text, deep(DEEPEST, "\"1\""));
    let error = slm_repair::repair_to_depth(&deep(DEEPEST + 1, "1"), &options, usize::MAX).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooDeep);
    assert!(slm_repair::repair_to_depth(&deep(200, "1"), &options, 199).is_err());
    let cut = "[".repeat(DEEPEST) + "1, 2";
    let error = slm_repair::repair_to_depth(&cut, &options, DEEPEST).unwrap_err();
    assert_eq!(error.partial().map(|partial| partial.text.len()), Some(2 * DEEPEST + 1));
}
