//! The schema as a model should read it in a prompt: type-like, one property a line, in few tokens.

use std::fmt::Write as _;

use crate::conforms;
use crate::json::{Json, write_string};
use crate::read::Document;
use crate::schema::{ArrayShape, ObjectShape, Property, Range, Schema, Shape, Size};

/// Describes a schema, what it refers to, and shows `example` below, spelled as the grammar spells it.
pub(crate) fn describe(document: &Document, example: Option<&str>) -> String {
    let mut out = String::new();
    node(&document.root, 0, &mut out);
    for (name, target) in document.slots.iter().filter_map(|(name, slot)| Some((name, slot.get()?))) {
        write(&mut out, format_args!("\n{} = ", title(name)));
        node(target, 0, &mut out);
    }
    if let Some(example) = example {
        write(&mut out, format_args!("\nAnother reply: {example}"));
    }
    out
}

/// What a definition is called: the last word of its place.
fn title(name: &str) -> &str {
    match name.rsplit('/').next() {
        Some(last) if !last.is_empty() => last,
        _ => "Document",
    }
}

/// `json` spelled as the grammar spells it (declared properties in schema order), if it has the schema's shape.
pub(crate) fn respell(json: &Json, schema: &Schema) -> Option<String> {
    if !schema.conforms(&json.to_value()) {
        return None;
    }
    Some(ordered(json, schema).compact())
}

fn ordered(json: &Json, schema: &Schema) -> Json {
    match (&schema.shape, json) {
        (Shape::Object(object), Json::Object(members)) => {
            let declared = object.properties.iter().filter_map(|property| {
                json.get(&property.name).map(|value| (property.name.clone(), ordered(value, &property.schema)))
            });
            let others = members.iter().filter(|(name, _)| object.property(name).is_none());
            let rest = object.additional.as_ref().map(|rest| &rest.value);
            let others = others.map(|(name, value)| {
                (name.clone(), rest.map_or_else(|| value.canonical(), |schema| ordered(value, schema)))
            });
            Json::Object(declared.chain(others).collect())
        }
        (Shape::Array(array), Json::Array(items)) => {
            let schema = |index: usize| array.prefix.get(index).unwrap_or(&array.items);
            Json::Array(items.iter().enumerate().map(|(index, item)| ordered(item, schema(index))).collect())
        }
        (Shape::Reference(reference), json) => {
            reference.with(|target| ordered(json, target)).unwrap_or_else(|| json.canonical())
        }
        (Shape::Union(members), json) => {
            let value = json.to_value();
            let member = members.iter().find(|member| member.conforms(&value));
            member.map_or_else(|| json.canonical(), |member| ordered(json, member))
        }
        (Shape::Enum(members), json) => {
            let value = json.to_value();
            let member = members.iter().find(|member| conforms::equal(&member.value, &value));
            member.and_then(|member| serde_json::from_str(&member.text).ok()).unwrap_or_else(|| json.canonical())
        }
        _ => json.canonical(),
    }
}

fn node(schema: &Schema, depth: usize, out: &mut String) {
    match &schema.shape {
        Shape::Object(object) => self::object(object, depth, out),
        Shape::Any => out.push_str("any JSON"),
        Shape::Array(array) => self::array(array, depth, out),
        Shape::Pattern(pattern) => {
            write(out, format_args!("str /{}/", pattern.as_str()));
            length(pattern.size, " ", "", out);
        }
        Shape::Union(members) => {
            for (index, member) in members.iter().enumerate() {
                out.push_str(if index > 0 { " | " } else { "" });
                node(member, depth, out);
            }
        }
        Shape::Reference(reference) => out.push_str(title(reference.name())),
        Shape::String(size) => {
            out.push_str("str");
            length(*size, " ", "", out);
        }
        Shape::Integer(range) => integer(*range, out),
        Shape::Number => out.push_str("number"),
        Shape::Boolean => out.push_str("bool"),
        Shape::Null => out.push_str("null"),
        Shape::Enum(members) => {
            let are_words = members.iter().all(|member| is_word(member.value.as_str().unwrap_or_default()));
            let texts = members.iter().map(|member| match member.value.as_str() {
                Some(word) if are_words => word,
                _ => member.text.as_str(),
            });
            out.push_str(&texts.collect::<Vec<_>>().join("|"));
        }
    }
}

fn object(object: &ObjectShape, depth: usize, out: &mut String) {
    out.push('{');
    for property in &object.properties {
        line(property, depth + 1, out);
    }
    if let Some(rest) = &object.additional {
        indent(depth + 1, out);
        out.push_str("any name: ");
        node(&rest.value, depth + 1, out);
    }
    indent(depth, out);
    out.push('}');
}

fn line(property: &Property, depth: usize, out: &mut String) {
    indent(depth, out);
    if is_word(&property.name) {
        out.push_str(&property.name);
    } else {
        write_string(&property.name, out);
    }
    if !property.required {
        out.push('?');
    }
    out.push_str(": ");
    node(&property.schema, depth, out);
    if let Some(description) = &property.schema.description {
        write(out, format_args!(" # {description}"));
    }
}

fn array(array: &ArrayShape, depth: usize, out: &mut String) {
    out.push('[');
    for schema in &array.prefix {
        node(schema, depth, out);
        out.push_str(", ");
    }
    node(&array.items, depth, out);
    out.push(']');
    length(array.size, "(", ")", out);
}

/// Names and values that need no quotes to be told from the notation around them.
fn is_word(text: &str) -> bool {
    const TAKEN: [&str; 7] = ["str", "bool", "integer", "number", "null", "true", "false"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !TAKEN.contains(&text)
}

/// `≤80`, `1-8`, `≥2`, between `open` and `close`; nothing where there is no bound.
fn length(size: Size, open: &str, close: &str, out: &mut String) {
    match (size.min(), size.max()) {
        (0, None) => {}
        (0, Some(max)) => write(out, format_args!("{open}≤{max}{close}")),
        (min, None) => write(out, format_args!("{open}≥{min}{close}")),
        (min, Some(max)) if min == max => write(out, format_args!("{open}{max}{close}")),
        (min, Some(max)) => write(out, format_args!("{open}{min}-{max}{close}")),
    }
}

fn integer(range: Range, out: &mut String) {
    match (range.min(), range.max()) {
        (None, None) => out.push_str("integer"),
        (Some(min), None) => write(out, format_args!("integer≥{min}")),
        (None, Some(max)) => write(out, format_args!("integer≤{max}")),
        (Some(min), Some(max)) => write(out, format_args!("{min}..{max}")),
    }
}

fn indent(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', depth));
}

fn write(out: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _infallible = out.write_fmt(args);
}
