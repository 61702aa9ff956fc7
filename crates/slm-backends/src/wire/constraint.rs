//! How each mechanism stands in a request body.

use serde_json::Value;
use slm_schema::Constraint;

use crate::capabilities::Spelling;
use crate::mechanism::Mechanism;
use crate::provider::{GrammarForm, ObjectForm, Preset, SchemaForm};

/// A field of a request body: its name, and its value as JSON text.
pub(crate) type Field = (String, String);

/// The field that carries a constraint, or none.
///
/// The schema's text goes out as it was lowered: models write in its key order, and servers cache by its bytes.
pub(crate) fn field(
    mechanism: Mechanism,
    constraint: &Constraint,
    name: &str,
    spelling: Spelling,
    preset: &Preset,
) -> Option<Field> {
    let (field, value) = match (mechanism, constraint) {
        (Mechanism::JsonSchema, Constraint::Schema(schema)) => json_schema(schema, name, spelling, preset.schema_form),
        (Mechanism::GuidedJson, Constraint::Schema(schema)) if spelling.older_guided => ("guided_json", schema.clone()),
        (Mechanism::GuidedJson, Constraint::Schema(schema)) => {
            ("structured_outputs", format!(r#"{{"json":{schema}}}"#))
        }
        (Mechanism::GbnfGrammar, Constraint::Grammar(grammar)) => gbnf(grammar, preset.grammar_form),
        (Mechanism::JsonObject, _) => {
            let (field, value) = json_object(preset.object_form);
            (field, value.to_owned())
        }
        _ => return None,
    };
    Some((field.to_owned(), value))
}

fn json_schema(schema: &str, name: &str, spelling: Spelling, form: SchemaForm) -> (&'static str, String) {
    let name = Value::from(name);
    let strict = if spelling.without_strict { "" } else { r#""strict":true,"# };
    match form {
        SchemaForm::Named => (
            "response_format",
            format!(r#"{{"type":"json_schema","json_schema":{{"name":{name},{strict}"schema":{schema}}}}}"#),
        ),
        SchemaForm::Value => {
            ("response_format", format!(r#"{{"type":"json_schema","value":{{"name":{name},"schema":{schema}}}}}"#))
        }
        SchemaForm::OutputConfig => {
            ("output_config", format!(r#"{{"format":{{"type":"json_schema","schema":{schema}}}}}"#))
        }
        SchemaForm::Format => ("format", schema.to_owned()),
    }
}

fn gbnf(grammar: &str, form: GrammarForm) -> (&'static str, String) {
    let text = Value::from(grammar);
    match form {
        GrammarForm::Grammar => ("grammar", text.to_string()),
        GrammarForm::Ebnf => ("ebnf", text.to_string()),
        GrammarForm::ResponseFormat => ("response_format", format!(r#"{{"type":"grammar","grammar":{text}}}"#)),
        GrammarForm::StructuredOutputs => ("structured_outputs", format!(r#"{{"grammar":{text}}}"#)),
    }
}

fn json_object(form: ObjectForm) -> (&'static str, &'static str) {
    let value = match form {
        ObjectForm::Plain => r#"{"type":"json_object"}"#,
        ObjectForm::AnyObjectSchema => {
            r#"{"type":"json_schema","json_schema":{"name":"object","schema":{"type":"object"}}}"#
        }
        ObjectForm::Value => r#"{"type":"json_object","value":{"type":"object","properties":{}}}"#,
        ObjectForm::Format => return ("format", r#""json""#),
    };
    ("response_format", value)
}
