//! How each mechanism stands in a request body.

use serde_json::Value;
use slm_schema::Constraint;

use crate::capabilities::Spelling;
use crate::mechanism::Mechanism;

/// A field of a request body: its name, and its value as JSON text.
pub(crate) type Field = (String, String);

/// The field that carries a constraint, or none.
///
/// The schema's text goes out as it was lowered: models write in its key order, and servers cache by its bytes.
pub(crate) fn field(mechanism: Mechanism, constraint: &Constraint, name: &str, spelling: Spelling) -> Option<Field> {
    let (field, value) = match (mechanism, constraint) {
        (Mechanism::JsonSchema, Constraint::Schema(schema)) => {
            let strict = if spelling.without_strict { "" } else { r#""strict":true,"# };
            let name = Value::from(name);
            let format =
                format!(r#"{{"type":"json_schema","json_schema":{{"name":{name},{strict}"schema":{schema}}}}}"#);
            ("response_format", format)
        }
        (Mechanism::GuidedJson, Constraint::Schema(schema)) if spelling.older_guided => ("guided_json", schema.clone()),
        (Mechanism::GuidedJson, Constraint::Schema(schema)) => {
            ("structured_outputs", format!(r#"{{"json":{schema}}}"#))
        }
        (Mechanism::GbnfGrammar, Constraint::Grammar(grammar)) => {
            ("grammar", Value::from(grammar.as_str()).to_string())
        }
        (Mechanism::JsonObject, _) => ("response_format", r#"{"type":"json_object"}"#.to_owned()),
        _ => return None,
    };
    Some((field.to_owned(), value))
}
