//! What an error tells.

use slm_repair::repair;

#[track_caller]
fn check(input: &str, message: &str) {
    assert_eq!(repair(input).unwrap_err().to_string(), message);
}

#[test]
fn messages_name_the_place_and_the_way_out() {
    check(
        "{\n  \"é\": \"x",
        "line 2, column 8: the document was cut off inside a string; ask for it again with more room",
    );
    check("no, sorry", "line 1, column 1: there is no JSON document in the text; ask for one, and for nothing else");
    check("Well: {'a': 1 oops 'b': 2}", "line 1, column 15: a comma or a closer is expected here");
    check(
        "{\"n\": 007}",
        "line 1, column 7: a number with leading zeros may be a number or a string; it may be {\"n\": 7}, or {\"n\": \"007\"}",
    );
    check(&"[".repeat(200), "line 1, column 128: containers are nested more than 127 deep; ask for a flatter document");
}
