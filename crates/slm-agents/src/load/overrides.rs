//! What an agent changes in its decoding.

use slm_schema::may_occur_in_json;

use super::places::Sink;
use crate::nearest::nearest;
use crate::problem::ProblemKind;
use crate::role::Overrides;
use crate::yaml::{Node, Value};

const KEYS: [&str; 5] = ["serial_tools", "json_only", "stop", "max_tokens", "temperature"];

/// What an agent is otherwise: the overrides must not contradict it.
pub(super) struct Setting {
    pub(super) has_tools: bool,
    pub(super) has_contract: bool,
}

/// Reads the mapping; what is wrong in it is noted and left out.
pub(super) fn read(node: &Node, setting: &Setting, sink: &mut Sink<'_>) -> Overrides {
    let mut overrides = Overrides::default();
    let Value::Map(members) = &node.value else {
        let message = format!("`overrides` must be a mapping, and this is {}", node.value.kind());
        sink.add(ProblemKind::InvalidValue, node.place, message);
        return overrides;
    };
    for (key, node) in members {
        match key.name.as_str() {
            "serial_tools" => overrides.serial_tools = boolean(node, "serial_tools", sink),
            "json_only" => overrides.json_only = json_only(node, setting, sink),
            "stop" => overrides.stop = stops(node, sink),
            "max_tokens" => overrides.max_tokens = max_tokens(node, sink),
            "temperature" => overrides.temperature = temperature(node, sink),
            name => {
                let message = format!("no override is named `{}`; known are {}", name.escape_debug(), KEYS.join(", "));
                sink.add_near(ProblemKind::UnknownKey, key.place, message, nearest(name, KEYS));
            }
        }
    }
    let is_json_only = setting.has_contract && !setting.has_tools && overrides.json_only != Some(false);
    if is_json_only && let Some((_, node)) = members.iter().find(|(key, _)| key.name == "stop") {
        refuse_inside_document(overrides.stop.as_deref().unwrap_or_default(), node, sink);
    }
    overrides
}

fn refuse_inside_document(stops: &[String], node: &Node, sink: &mut Sink<'_>) {
    if let Some(inside) = stops.iter().find(|stop| may_occur_in_json(stop)) {
        let stop = inside.escape_debug();
        let message = format!(
            "the stop string \"{stop}\" could occur inside the document; use one with a line break beside what JSON cannot hold, such as \"\\n## \""
        );
        sink.add(ProblemKind::InvalidValue, node.place, message);
    }
}

fn boolean(node: &Node, key: &str, sink: &mut Sink<'_>) -> Option<bool> {
    if let Value::Bool(value) = node.value {
        return Some(value);
    }
    let message = format!("`{key}` must be true or false, and this is {}", node.value.kind());
    sink.add(ProblemKind::InvalidValue, node.place, message);
    None
}

fn json_only(node: &Node, setting: &Setting, sink: &mut Sink<'_>) -> Option<bool> {
    let value = boolean(node, "json_only", sink)?;
    let obstacle = if setting.has_tools {
        "this agent has tools, and a constraint would forbid the call of one"
    } else {
        "this agent emits no contract; name one with `schema_role` or `schema`"
    };
    if value && (setting.has_tools || !setting.has_contract) {
        sink.add(ProblemKind::InvalidValue, node.place, format!("`json_only` cannot be true: {obstacle}"));
        return None;
    }
    Some(value)
}

/// Stop strings are often nothing but white space.
fn stops(node: &Node, sink: &mut Sink<'_>) -> Option<Vec<String>> {
    if let Value::List(items) = &node.value {
        let text = |item: &Node| {
            let Value::Text(text) = &item.value else { return None };
            Some(text.text.clone()).filter(|text| !text.is_empty())
        };
        if let Some(texts) = items.iter().map(text).collect() {
            return Some(texts);
        }
    }
    sink.add(ProblemKind::InvalidValue, node.place, "`stop` must be a list of texts");
    None
}

fn max_tokens(node: &Node, sink: &mut Sink<'_>) -> Option<u64> {
    if let Value::Number(text) = &node.value
        && let Ok(value @ 1..) = text.parse()
    {
        return Some(value);
    }
    let message = format!("`max_tokens` must be a whole number from 1, and this is {}", shown(node));
    sink.add(ProblemKind::InvalidValue, node.place, message);
    None
}

fn temperature(node: &Node, sink: &mut Sink<'_>) -> Option<f64> {
    if let Value::Number(text) = &node.value
        && let Ok(value) = text.parse()
        && (0.0..=2.0).contains(&value)
    {
        return Some(value);
    }
    let message = format!("`temperature` must be a number from 0 to 2, and this is {}", shown(node));
    sink.add(ProblemKind::InvalidValue, node.place, message);
    None
}

fn shown(node: &Node) -> String {
    if let Value::Number(text) = &node.value { text.clone() } else { node.value.kind().to_owned() }
}
