//! Reads a chat answer while it comes, and leaves as soon as enough of it has come.

use std::time::{Duration, SystemTime};

use tokio::time::timeout;

use crate::class::ErrorClass;
use crate::error::ErrorKind;
use crate::failure::Failure;
use crate::plain::plain;
use crate::reply::Reply;
use crate::transport::{HttpResponse, HttpStream, LARGEST_BODY, TransportError};
use crate::watch::Watch;
use crate::wire::error_body::ErrorBody;
use crate::wire::sse::{Event, Sse};
use crate::wire::{messages, ollama};

/// Some servers count the tokens in a chunk of their own after the reply is whole; others just keep the line open.
const PATIENCE_FOR_USAGE: Duration = Duration::from_secs(2);

/// Why an answer could not be read to its end.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The connection failed.
    Transport(TransportError),
    /// The answer is an error, or none that can be understood.
    Answer(Failure),
}

impl From<TransportError> for Broken {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self::Answer(failure)
    }
}

/// Reads an answer, as events or as one document. `idle` bounds the silence between two pieces once the reply has begun.
pub(crate) async fn read(
    mut answer: HttpStream,
    idle: Duration,
    now: SystemTime,
    watch: &mut Watch<'_>,
) -> Result<Reply, Broken> {
    let mut head =
        HttpResponse { status: answer.status, headers: std::mem::take(&mut answer.headers), body: Vec::new() };
    let mut form = Form::Unknown;
    let mut received = 0_usize;
    let mut stream = Stream::default();
    loop {
        let patience = stream.patience(idle);
        let piece = match timeout(patience, answer.body.next()).await {
            Ok(Ok(piece)) => piece,
            // What matters has come already.
            Ok(Err(_)) | Err(_) if stream.is_finished() => None,
            Ok(Err(error)) => return Err(error.into()),
            Err(_) => return Err(stalled(patience).into()),
        };
        let Some(piece) = piece else { break };
        received += piece.len();
        if received > LARGEST_BODY {
            return Err(TransportError::too_large().into());
        }
        if form == Form::Unknown {
            form = Form::of(&head, &piece);
        }
        if form == Form::Events {
            let events = stream.sse.feed(&piece);
            if stream.take(events, &head, now, watch)? {
                break;
            }
        } else {
            head.body.extend_from_slice(&piece);
        }
    }
    if form != Form::Events {
        return Ok(Reply::read(&head, now)?);
    }
    let events = stream.sse.end();
    stream.take(events, &head, now, watch)?;
    Ok(stream.into_reply()?)
}

/// What a body turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Unknown,
    Events,
    /// One document: an error, or the reply of a server that does not stream.
    Whole,
}

impl Form {
    /// By its first byte that is no white space, since content types lie.
    fn of(head: &HttpResponse, piece: &[u8]) -> Self {
        if !(200..300).contains(&head.status) {
            return Self::Whole;
        }
        let text = piece.trim_ascii_start();
        // Lines of JSON are read as events are.
        if head.header("content-type").is_some_and(|kind| kind.contains("ndjson")) || begins_with_line(text) {
            return Self::Events;
        }
        match text.first() {
            None => Self::Unknown,
            Some(b'{' | b'[' | b'<') => Self::Whole,
            Some(_) if head.header("content-type").is_some_and(|kind| kind.contains("event-stream")) => Self::Events,
            Some(_) => {
                let starts = [b"data:".as_slice(), b":", b"event:", b"id:", b"retry:", b"\xEF\xBB\xBFdata:"];
                if starts.iter().any(|start| text.starts_with(start)) { Self::Events } else { Self::Whole }
            }
        }
    }
}

/// Is it a line of Ollama's, after which others come?
fn begins_with_line(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().filter(|line| line.len() < text.len());
    let value = line.and_then(|line| serde_json::from_slice(line).ok());
    value.is_some_and(|value| ollama::is_one(&value) && !ollama::is_last(&value))
}

#[derive(Debug, Default)]
struct Stream {
    sse: Sse,
    reply: Reply,
    saw_event: bool,
    saw_done: bool,
}

impl Stream {
    /// Before the first token the server may be reading the prompt or waiting for a slot: the call's own time bounds that.
    fn patience(&self, idle: Duration) -> Duration {
        if self.is_finished() {
            PATIENCE_FOR_USAGE.min(idle)
        } else if self.reply.has_begun() {
            idle
        } else {
            Duration::MAX
        }
    }

    fn is_finished(&self) -> bool {
        self.saw_done || self.reply.finish_reason.is_some()
    }

    /// Takes events; is the reply at its end?
    fn take(
        &mut self,
        events: Vec<Event>,
        head: &HttpResponse,
        now: SystemTime,
        watch: &mut Watch<'_>,
    ) -> Result<bool, Failure> {
        for event in events {
            self.saw_event = true;
            match event {
                Event::Done => {
                    self.saw_done = true;
                    return Ok(true);
                }
                Event::Error(text) => return Err(Failure::from_answer(head, &ErrorBody::read(&text), now)),
                Event::Garbage(text) => return Err(garbage(&text)),
                Event::Json(value) => {
                    if let Some(body) = ErrorBody::in_success(&value) {
                        return Err(Failure::from_answer(head, &body, now));
                    }
                    self.reply.add_chunk(&value);
                    if messages::is_last(&value) || ollama::is_last(&value) {
                        self.saw_done = true;
                        return Ok(true);
                    }
                }
            }
            if self.reply.finish_reason.is_none()
                && let Some(stopped) = watch.look(&self.reply.text, &self.reply.reasoning)
            {
                self.reply.stopped = Some(stopped);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn into_reply(mut self) -> Result<Reply, Failure> {
        if !self.saw_event {
            let message = "answered with an empty stream";
            return Err(Failure::new(ErrorKind::Protocol, ErrorClass::Unknown, message)
                .with_hint("the server may have failed while it generated: look at its log"));
        }
        // Nothing says that the model was done: the rest may be lost.
        self.reply.is_incomplete = self.reply.finish_reason.is_none() && self.reply.stopped.is_none();
        self.reply.checked()
    }
}

fn stalled(patience: Duration) -> Failure {
    let message = format!("the reply stopped coming: nothing for {} s", patience.as_secs_f64());
    Failure::new(ErrorKind::Timeout, ErrorClass::Transient, message)
        .with_hint("the server may have crashed or be out of memory: look at its log")
}

fn garbage(text: &str) -> Failure {
    let message = format!("sent a stream with data that is no JSON: \"{}\"", plain(text));
    Failure::new(ErrorKind::Protocol, ErrorClass::Unknown, message)
        .with_hint("is it an OpenAI-like API, and no proxy that changes its streams?")
}
