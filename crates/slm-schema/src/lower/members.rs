//! The members of a schema that is being written.

use crate::json::Json;

/// Keywords and their values, in the order they are written.
pub(super) type Members = Vec<(String, Json)>;

/// Puts a keyword in its place, or at the end.
pub(super) fn set(members: &mut Members, keyword: &str, value: Json) {
    match members.iter_mut().find(|(name, _)| name == keyword) {
        Some((_, found)) => *found = value,
        None => members.push((keyword.to_owned(), value)),
    }
}
