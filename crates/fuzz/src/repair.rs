//! `repair`: a value that its own text agrees with, or an error that points into the input.

use serde_json::Value;
use slm_repair::{Rung, repair};

/// Repairs the bytes as text, and checks what comes back.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match repair(&text) {
        Ok(repaired) => {
            let is_json = serde_json::from_str::<Value>(&text).is_ok();
            assert_eq!(repaired.rung == Rung::None, is_json, "the rung says whether the text was JSON");
            let value: Option<Value> = serde_json::from_str(&repaired.text).ok();
            assert_eq!(value.as_ref(), Some(&repaired.value), "text and value agree");
            for change in repaired.changes() {
                assert!(text.get(change.range).is_some(), "a change stands in the input");
            }
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.offset()), "the error points into the input");
            assert!(!error.to_string().is_empty());
            for range in error.documents() {
                assert!(text.get(range.clone()).is_some(), "a document stands in the input");
            }
            if let Some(partial) = error.partial() {
                assert_eq!(serde_json::from_str::<Value>(&partial.text).ok(), Some(partial.value));
            }
        }
    }
}
