//! The lines of IN, one by one: JSON Lines, plain text, or CSV.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;
use tokio::sync::mpsc::{self, Receiver};

use crate::output::{Exit, Failure};

/// The longest line; a prompt, not a dump.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;
/// Lines read ahead of the calls.
const AHEAD: usize = 16;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// One line to answer.
#[derive(Debug)]
pub(super) struct Job {
    /// Its place among the lines that are answered, from 0.
    pub(super) place: u64,
    /// Its own id, or its number.
    pub(super) id: Value,
    /// What is asked, or why that cannot be read.
    pub(super) prompt: Result<Prompt, String>,
}

#[derive(Debug, Default)]
pub(super) struct Prompt {
    pub(super) prompt: String,
    pub(super) system: Option<String>,
}

/// Lines as they are read; an error ends them.
pub(super) type Jobs = Box<dyn Iterator<Item = Result<Job, Failure>> + Send>;

/// Opens IN. With a column it is CSV; else JSON Lines or text, by its name or its first character.
pub(super) fn open(path: &Path, column: Option<&str>) -> Result<Jobs, Failure> {
    let reader: Box<dyn BufRead + Send> = if path == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let failed = |error: io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(Failure::usage(format!("{} is a folder; give a file of lines", path.display())));
        }
        Box::new(BufReader::new(file))
    };
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let form = match extension.as_str() {
        "jsonl" | "ndjson" | "json" => Some(Form::Json),
        "txt" => Some(Form::Text),
        "csv" if column.is_none() => {
            return Err(Failure::usage(format!("{} is CSV; name the prompts' column with --column", path.display())));
        }
        _ => None,
    };
    match column {
        Some(column) => csv_jobs(reader, column, path),
        None => Ok(Box::new(Lines { reader, form, number: 0, place: 0, name: path.display().to_string() })),
    }
}

/// How many lines a file has to answer, where that can be told; for a bar and no more than that.
pub(super) fn count(path: &Path, is_csv: bool) -> Option<u64> {
    let file = File::open(path).ok().filter(|file| !is_csv && file.metadata().is_ok_and(|known| known.is_file()))?;
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    u64::try_from(lines.filter(|line| !line.trim_ascii().is_empty()).count()).ok()
}

/// Reads on a thread of its own, a little ahead: a pipe may be slow, and calls should not wait for it.
pub(super) fn on_thread(jobs: Jobs) -> Receiver<Result<Job, Failure>> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    std::thread::spawn(move || {
        for job in jobs {
            let is_last = job.is_err();
            if sender.blocking_send(job).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Text,
}

/// JSON Lines or text.
struct Lines {
    reader: Box<dyn BufRead + Send>,
    /// Known from the first line on.
    form: Option<Form>,
    number: u64,
    place: u64,
    name: String,
}

impl Iterator for Lines {
    type Item = Result<Job, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match read_line(&mut self.reader) {
                Ok(line) => line?,
                Err(error) => return Some(Err(unreadable(&self.name, &error))),
            };
            self.number += 1;
            let mut text = match &line {
                Line::Whole(bytes) => bytes.trim_ascii(),
                Line::TooLong => b"-",
            };
            if self.number == 1 {
                text = text.strip_prefix(MARK).unwrap_or(text).trim_ascii();
            }
            if text.is_empty() {
                continue;
            }
            let form = *self.form.get_or_insert(if text.starts_with(b"{") { Form::Json } else { Form::Text });
            let (id, prompt) = match (&line, std::str::from_utf8(text), form) {
                (Line::TooLong, _, _) => (None, Err(format!("the line is longer than {LONGEST_LINE} bytes"))),
                (_, Err(error), _) => {
                    (None, Err(format!("the line is not UTF-8 at byte {}; convert it first", error.valid_up_to())))
                }
                (_, Ok(text), Form::Text) => (None, Ok(Prompt { prompt: text.to_owned(), system: None })),
                (_, Ok(text), Form::Json) => object(text),
            };
            let id = id.unwrap_or_else(|| self.number.into());
            self.place += 1;
            return Some(Ok(Job { place: self.place - 1, id, prompt: prompt.and_then(not_empty) }));
        }
    }
}

/// `{"prompt", "id"?, "system"?}`: its id, and what it asks.
fn object(text: &str) -> (Option<Value>, Result<Prompt, String>) {
    let mut line: Value = match serde_json::from_str(text) {
        Ok(line) => line,
        Err(error) => return (None, Err(format!("the line is no JSON: {error}"))),
    };
    let id = line.get_mut("id").map(Value::take).filter(|id| !id.is_null());
    let prompt = match (line.get_mut("prompt").map(Value::take), line.get_mut("system").map(Value::take)) {
        (Some(Value::String(prompt)), None | Some(Value::Null)) => Ok(Prompt { prompt, system: None }),
        (Some(Value::String(prompt)), Some(Value::String(system))) => Ok(Prompt { prompt, system: Some(system) }),
        (Some(Value::String(_)), Some(_)) => Err("the line's \"system\" is no string".to_owned()),
        _ => Err("the line is no JSON object with a string \"prompt\"".to_owned()),
    };
    (id, prompt)
}

fn not_empty(prompt: Prompt) -> Result<Prompt, String> {
    if prompt.prompt.trim().is_empty() { Err("the prompt is empty".to_owned()) } else { Ok(prompt) }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// The next line; `None` at the end.
fn read_line(reader: &mut dyn BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let read = reader.take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 > LONGEST_LINE && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(bytes)))
}

/// Records of CSV with a header: the prompt's column, and `id` and `system` where there are such columns.
fn csv_jobs(reader: Box<dyn BufRead + Send>, column: &str, path: &Path) -> Result<Jobs, Failure> {
    let name = path.display().to_string();
    let mut records = csv::ReaderBuilder::new().flexible(true).from_reader(reader);
    let header = records.headers().map_err(|error| Failure::usage(format!("{name}: {error}")))?.clone();
    let place_of = |wanted: &str| header.iter().position(|name| name.trim_start_matches('\u{feff}').trim() == wanted);
    let Some(prompt_at) = place_of(column) else {
        let known: Vec<&str> = header.iter().collect();
        return Err(Failure::usage(format!("{name} has no column \"{column}\"; it has {}", known.join(", "))));
    };
    let (id_at, system_at) = (place_of("id"), place_of("system"));
    let jobs = records.into_records().zip(0_u64..).map(move |(record, place)| {
        let field = |record: &csv::StringRecord, at: Option<usize>| {
            at.and_then(|at| record.get(at)).filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let number = Value::from(place + 1);
        let record = match record {
            Ok(record) => record,
            Err(error) if error.is_io_error() => {
                return Err(Failure::new(Exit::Failed, "input", format!("{name}: {error}")));
            }
            Err(error) => {
                return Ok(Job { place, id: number, prompt: Err(format!("the record cannot be read: {error}")) });
            }
        };
        let id = field(&record, id_at).map_or(number, Value::from);
        let prompt = field(&record, Some(prompt_at)).map(|prompt| Prompt { prompt, system: field(&record, system_at) });
        Ok(Job { place, id, prompt: prompt.ok_or_else(|| "the prompt is empty".to_owned()) })
    });
    Ok(Box::new(jobs))
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::new(Exit::Failed, "input", format!("{name}: {error}"))
}
