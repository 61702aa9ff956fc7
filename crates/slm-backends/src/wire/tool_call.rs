//! Tool calls in a message, whole or in pieces.

use serde_json::Value;

/// A call that the model wrote: the arguments are text, and may be anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
    index: Option<u64>,
}

/// Adds the calls of a message, or of a piece of one.
pub(crate) fn add(calls: &mut Vec<ToolCall>, message: &Value) {
    for entry in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        add_entry(calls, entry, entry.get("function").unwrap_or(&Value::Null));
    }
    // The form before there could be several.
    if let Some(function) = message.get("function_call").filter(|function| function.is_object()) {
        add_entry(calls, &Value::Null, function);
    }
}

fn add_entry(calls: &mut Vec<ToolCall>, entry: &Value, function: &Value) {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let index = entry.get("index").and_then(Value::as_u64);
    let (id, name) = (text(entry, "id"), text(function, "name"));
    let known = match index {
        Some(_) => calls.iter_mut().find(|call| call.index == index),
        // Without an index, a piece without a name goes on with the last call.
        None if name.is_empty() => calls.last_mut(),
        None => None,
    };
    let Some(call) = known else {
        let mut call = ToolCall { id, name, index, ..ToolCall::default() };
        add_arguments(&mut call, function);
        return calls.push(call);
    };
    if call.id.is_empty() {
        call.id = id;
    }
    // It comes whole; some servers repeat it in every piece.
    if call.name.is_empty() {
        call.name = name;
    }
    add_arguments(call, function);
}

/// Text, or (from servers that parse it themselves) the document.
fn add_arguments(call: &mut ToolCall, function: &Value) {
    match function.get("arguments").or_else(|| function.get("parameters")) {
        Some(Value::String(text)) => call.arguments.push_str(text),
        Some(document @ (Value::Object(_) | Value::Array(_))) => call.arguments = document.to_string(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn calls(messages: &[Value]) -> Vec<(String, String)> {
        let mut calls = Vec::new();
        for message in messages {
            add(&mut calls, message);
        }
        calls.into_iter().map(|call| (call.name, call.arguments)).collect()
    }

    fn piece(index: u64, name: Option<&str>, arguments: &str) -> Value {
        json!({"tool_calls": [{"index": index, "function": {"name": name, "arguments": arguments}}]})
    }

    #[test]
    fn pieces_are_put_together_by_their_index() {
        let pieces = [piece(0, Some("a"), ""), piece(1, Some("b"), "{"), piece(0, None, "{}"), piece(1, None, "}")];
        assert_eq!(calls(&pieces), [("a".into(), "{}".into()), ("b".into(), "{}".into())]);
    }

    #[test]
    fn without_an_index_they_follow_each_other() {
        let piece = |function: Value| json!({"tool_calls": [{"function": function}]});
        let pieces = [piece(json!({"name": "a", "arguments": "{"})), piece(json!({"arguments": "}"}))];
        assert_eq!(calls(&pieces), [("a".into(), "{}".into())]);
        let whole =
            json!({"tool_calls": [{"function": {"name": "a", "arguments": {"x": 1}}}, {"function": {"name": "b"}}]});
        assert_eq!(calls(&[whole]), [("a".into(), "{\"x\":1}".into()), ("b".into(), String::new())]);
        assert_eq!(calls(&[json!({"function_call": {"name": "a", "arguments": "1"}})]), [("a".into(), "1".into())]);
    }
}
