//! From a reply to a turn with tools: its first call, read and validated. Pure.

use serde_json::Value;
use slm_repair::Open;
use slm_schema::Lowered;

use crate::judge::{self, Circumstances, Judged};
use crate::outcome::{AnswerSource, Ending, FinishReason, Phase, Reading};
use crate::plain::plain;
use crate::reply::Reply;
use crate::tools::Tool;
use crate::wire::tool_call::ToolCall;

/// The tags between which models write calls that their server does not read.
const TAGS: (&str, &str) = ("<tool_call>", "</tool_call>");

/// Judges the first call of a reply; `None` where it calls nothing. Says how many calls were dropped besides.
pub(crate) fn judge(reply: &Reply, tools: &[(&Tool, Lowered)], how: Circumstances) -> Option<(Judged, usize)> {
    let unread;
    let calls = if reply.tool_calls.is_empty() {
        unread = calls_in_text(&reply.text, tools);
        &unread
    } else {
        &reply.tool_calls
    };
    let (first, others) = calls.split_first()?;
    // Where another one had begun, the first was whole.
    let is_cut = others.is_empty() && judge::is_cut(reply, how.cap);
    let mut reading =
        Reading { text: first.arguments.clone(), source: AnswerSource::ToolArguments, ..Reading::default() };
    reading.warnings.extend(judge::prompt_warning(reply, how));
    let ending = if judge::is_refused(reply) {
        return None;
    } else {
        ending(first, tools, is_cut, &mut reading)
    };
    Some((Judged { ending, reading }, others.len()))
}

fn ending(call: &ToolCall, tools: &[(&Tool, Lowered)], is_cut: bool, reading: &mut Reading) -> Ending {
    let Some((tool, lowered)) = tools.iter().find(|(tool, _)| tool.name() == call.name) else {
        let names: Vec<&str> = tools.iter().map(|(tool, _)| tool.name()).collect();
        let message = format!("there is no tool \"{}\"; there are {}", plain(&call.name), names.join(", "));
        return Ending::Invalid { violations: Vec::new(), message };
    };
    let contract = tool.parameters();
    // A call without arguments is one with none; whether that is enough, the schema says.
    let text = if call.arguments.trim().is_empty() && !is_cut { "{}" } else { call.arguments.as_str() };
    let repaired = match judge::read(text, contract, lowered) {
        Ok(repaired) => repaired,
        Err(_) if is_cut => return Ending::Truncated { phase: Phase::InValue, value: None },
        Err(error) if error.kind() == slm_repair::ErrorKind::Truncated => {
            let phase = if error.open() == Some(Open::Reasoning) { Phase::InReasoning } else { Phase::InValue };
            return Ending::Truncated { phase, value: None };
        }
        Err(error) => return Ending::Invalid { violations: Vec::new(), message: plain(&error.to_string()) },
    };
    judge::note(reading, &repaired);
    let closed = judge::closed_by_itself(&repaired);
    let violations = contract.validate(&repaired.value);
    match (violations.is_empty(), is_cut) {
        (true, false) => Ending::ToolCall { name: call.name.clone(), arguments: repaired.value },
        (true, true) if closed => Ending::Truncated { phase: Phase::AfterValue, value: Some(repaired.value) },
        (_, true) => Ending::Truncated { phase: Phase::InValue, value: None },
        (false, false) => Ending::Invalid { message: judge::summary(&violations), violations },
    }
}

/// Calls that the server passed on as text: whole ones of tools that there are, and nothing else.
fn calls_in_text(text: &str, tools: &[(&Tool, Lowered)]) -> Vec<ToolCall> {
    let mut calls = Vec::new();
    for part in text.split(TAGS.0).skip(1) {
        let Some((inside, _)) = part.split_once(TAGS.1) else { break };
        let Ok(value) = serde_json::from_str::<Value>(inside.trim()) else { continue };
        let before = calls.len();
        crate::wire::tool_call::add(&mut calls, &serde_json::json!({"function_call": value}));
        if calls.get(before).is_some_and(|call| tools.iter().all(|(tool, _)| tool.name() != call.name)) {
            calls.truncate(before);
        }
    }
    calls
}

/// Did the endpoint say that the model called a tool, and give no call?
pub(crate) fn lost_its_call(reply: &Reply) -> bool {
    reply.finish_reason == Some(FinishReason::ToolCalls) && reply.tool_calls.is_empty() && reply.text.trim().is_empty()
}
