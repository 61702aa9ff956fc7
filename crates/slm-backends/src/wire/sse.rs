//! Server-sent events, as model servers write them: bytes in, events out, split anywhere.

use serde_json::Value;

/// One event of a stream. Keep-alives are none.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    /// A chunk of the reply, or an error among the chunks.
    Json(Value),
    /// What came where only an error stands: `event: error`, a line `error: …`.
    Error(String),
    /// Data that is no JSON.
    Garbage(String),
    /// `[DONE]`.
    Done,
}

/// Reads events from the bytes of a stream.
#[derive(Debug, Default)]
pub(crate) struct Sse {
    line: Vec<u8>,
    /// The last byte was a CR: an LF right after it belongs to the same line break.
    after_cr: bool,
    began: bool,
    /// Lines of data that are no JSON yet: more of it may follow.
    data: Option<String>,
    is_error: bool,
}

impl Sse {
    /// Reads the next bytes; the events that they complete.
    ///
    /// Lines end at CR, LF and CR LF alone: other line breaks of Unicode occur inside strings.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' if self.after_cr => self.after_cr = false,
                b'\n' | b'\r' => {
                    self.after_cr = *byte == b'\r';
                    self.end_line(&mut events);
                }
                _ => {
                    self.after_cr = false;
                    self.line.push(*byte);
                }
            }
        }
        events
    }

    /// The stream is over; what its last line completes.
    pub(crate) fn end(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        if !self.line.is_empty() {
            self.end_line(&mut events);
        }
        self.end_event(&mut events);
        events
    }

    fn end_line(&mut self, events: &mut Vec<Event>) {
        let bytes = std::mem::take(&mut self.line);
        // A character may be split between two pieces of the stream, never between two lines.
        let text = String::from_utf8_lossy(&bytes);
        let line = if self.began { &*text } else { text.trim_start_matches('\u{feff}') };
        self.began = true;
        if line.trim().is_empty() {
            return self.end_event(events);
        }
        match line.split_once(':') {
            Some(("data", rest)) => self.take_data(rest.strip_prefix(' ').unwrap_or(rest), events),
            Some(("event", rest)) => self.is_error = rest.trim() == "error",
            Some(("error", rest)) => events.push(Event::Error(rest.trim().to_owned())),
            // A document on a line of its own, as some servers write errors into their streams.
            _ if line.starts_with('{') => self.take_data(line, events),
            // Comments, ids, and whatever else.
            _ => {}
        }
    }

    fn take_data(&mut self, data: &str, events: &mut Vec<Event>) {
        let text = match self.data.take() {
            Some(before) => format!("{before}\n{data}"),
            None => data.to_owned(),
        };
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.starts_with(':') {
            return;
        }
        if trimmed == "[DONE]" {
            return events.push(Event::Done);
        }
        if self.is_error {
            return events.push(Event::Error(trimmed.to_owned()));
        }
        // Not every server ends an event with an empty line, so it ends where it is complete.
        match serde_json::from_str(trimmed) {
            Ok(Value::Null) => {}
            Ok(value) => events.push(Event::Json(value)),
            Err(_) => self.data = Some(text),
        }
    }

    fn end_event(&mut self, events: &mut Vec<Event>) {
        self.is_error = false;
        events.extend(self.data.take().map(Event::Garbage));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The events of a text, in one piece and byte by byte.
    fn events(text: &str) -> Vec<Event> {
        let mut whole = Sse::default();
        let mut events = whole.feed(text.as_bytes());
        events.extend(whole.end());
        let mut split = Sse::default();
        let mut one_by_one: Vec<Event> = text.bytes().flat_map(|byte| split.feed(&[byte])).collect();
        one_by_one.extend(split.end());
        assert_eq!(events, one_by_one);
        events
    }

    #[test]
    fn every_line_break_ends_a_line_and_only_those() {
        let expected = [Event::Json(json!({"a": "\u{85}é\u{2028}"})), Event::Done];
        for line_break in ["\n", "\r", "\r\n"] {
            let text = "data: {\"a\": \"\u{85}é\u{2028}\"}||data: [DONE]||".replace('|', line_break);
            assert_eq!(events(&text), expected, "{line_break:?}");
        }
    }

    #[test]
    fn keep_alives_are_no_events() {
        let text =
            ": ping\n\ndata:\n\ndata: null\n\ndata: : PROCESSING\n\nid: 3\nretry: 5\nevent: message\ndata:   \n\n";
        assert_eq!(events(text), []);
    }

    #[test]
    fn data_may_stand_on_several_lines_or_without_empty_lines_between() {
        assert_eq!(events("data: {\"a\":\ndata: 1}\n\n"), [Event::Json(json!({"a": 1}))]);
        assert_eq!(
            events("\u{feff}data: {}\ndata: []\ndata:[DONE]"),
            [Event::Json(json!({})), Event::Json(json!([])), Event::Done]
        );
        assert_eq!(events("data: {\"a\":\n\ndata: {}\n\n"), [Event::Garbage("{\"a\":".into()), Event::Json(json!({}))]);
    }

    #[test]
    fn errors_have_three_homes() {
        assert_eq!(events("event: error\ndata: no\n\ndata: 1\n\n"), [Event::Error("no".into()), Event::Json(json!(1))]);
        assert_eq!(events("error: {\"code\":500}\n"), [Event::Error("{\"code\":500}".into())]);
        assert_eq!(events("{\"error\":\"no\"}\n"), [Event::Json(json!({"error": "no"}))]);
    }
}
