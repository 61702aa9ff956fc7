//! What an earlier run wrote: kept, checked against IN, and not asked again.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::input::{Job, Jobs};
use super::sink::{Out, Sink};
use crate::args::Batch;
use crate::output::{Exit, Failure};
use crate::tally::Tally;

/// The key under which a line says its place, where lines come as they finish.
pub(super) const PLACE: &str = "place";

/// What stands in OUT.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) tally: Tally,
    path: PathBuf,
    places: Places,
}

/// Which lines of IN are done.
#[derive(Debug)]
enum Places {
    /// The first ones, this many.
    First(u64),
    /// These: all below the mark, and some beyond.
    Some { below: u64, beyond: BTreeSet<u64> },
}

impl Default for Places {
    fn default() -> Self {
        Self::First(0)
    }
}

/// Opens OUT, after what stands there already.
pub(super) fn open(path: &Path, args: &Batch) -> Result<(Sink, Done), Failure> {
    if path == Path::new("-") {
        if args.resume {
            return Err(Failure::usage("--resume needs a file as OUT; standard output cannot be read again"));
        }
        return Ok((Sink::new(Out::Stdout, !args.as_finished, 0), Done::default()));
    }
    let name = path.display().to_string();
    let failed = |error: &io::Error| Failure::new(Exit::Failed, "output", format!("{name}: {error}"));
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
        .map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    // Some file systems have no locks; only one that is held says anything.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(Failure::usage(format!("another batch is writing {name}; wait for it, or name another OUT")));
    }
    let length = file.metadata().map_err(|error| failed(&error))?.len();
    if args.overwrite {
        file.set_len(0).map_err(|error| failed(&error))?;
    } else if length > 0 && !args.resume {
        return Err(Failure::usage(format!("{name} is there already; go on with --resume, or give --overwrite")));
    }
    let done = if args.resume { read(&mut file, path, args.as_finished)? } else { Done::default() };
    let first = if let Places::First(count) = &done.places { *count } else { 0 };
    Ok((Sink::new(Out::File { file, name }, !args.as_finished, first), done))
}

impl Done {
    /// The lines of IN that are not done.
    pub(super) fn rest_of(self, mut jobs: Jobs) -> Result<Jobs, Failure> {
        match self.places {
            Places::First(0) => Ok(jobs),
            Places::First(count) => {
                same(&self.path, count, &mut jobs)?;
                Ok(jobs)
            }
            Places::Some { below, beyond } => {
                let is_done = move |job: &Job| job.place < below || beyond.contains(&job.place);
                Ok(Box::new(jobs.filter(move |job| !job.as_ref().is_ok_and(&is_done))))
            }
        }
    }
}

/// Reads what is there, after mending its end.
fn read(file: &mut File, path: &Path, as_finished: bool) -> Result<Done, Failure> {
    let name = path.display();
    mend(file).map_err(|error| Failure::new(Exit::Failed, "output", format!("{name}: {error}")))?;
    let mut tally = Tally::default();
    let (mut count, mut below, mut beyond) = (0_u64, 0_u64, BTreeSet::new());
    for line in lines(path)? {
        let line = line?;
        count += 1;
        tally.count(&line);
        match (line.get(PLACE).and_then(Value::as_u64), as_finished) {
            (Some(place), true) => {
                beyond.insert(place);
                while beyond.remove(&below) {
                    below += 1;
                }
            }
            (None, false) => {}
            (Some(_), false) => {
                return Err(Failure::usage(format!("{name} was written with --as-finished; go on with it")));
            }
            (None, true) => {
                return Err(Failure::usage(format!(
                    "{name} was written in the order of IN; go on without --as-finished"
                )));
            }
        }
    }
    let places = if as_finished { Places::Some { below, beyond } } else { Places::First(count) };
    Ok(Done { tally, path: path.to_owned(), places })
}

/// Takes the first lines of IN, which have to be those of OUT.
fn same(path: &Path, count: u64, jobs: &mut Jobs) -> Result<(), Failure> {
    for (number, line) in (1..=count).zip(lines(path)?) {
        let line = line?;
        let here = line.get("id").unwrap_or(&Value::Null);
        let job = jobs.next().transpose()?;
        let there = job.as_ref().map_or(&Value::Null, |job| &job.id);
        if job.is_none() || here != there {
            let name = path.display();
            return Err(Failure::usage(format!(
                "{name}:{number}: the id is {here}, and {there} in IN: these are answers to other lines; name another OUT"
            )));
        }
    }
    Ok(())
}

fn lines(path: &Path) -> Result<impl Iterator<Item = Result<Map<String, Value>, Failure>>, Failure> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    Ok(BufReader::new(file).split(b'\n').zip(1_u64..).map(move |(line, number)| {
        let line = line.map_err(|error| Failure::new(Exit::Failed, "output", format!("{name}: {error}")))?;
        serde_json::from_slice(&line)
            .map_err(|_| Failure::usage(format!("{name}:{number} is no line of a batch; mend it, or name another OUT")))
    }))
}

/// The last line without its end: a whole one gets it, one that was cut by a kill goes.
fn mend(file: &mut File) -> io::Result<()> {
    let end = last_line(file)?;
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(end))?;
    file.read_to_end(&mut tail)?;
    if tail.is_empty() {
        return Ok(());
    }
    if serde_json::from_slice::<Map<String, Value>>(&tail).is_ok() {
        return io::Write::write_all(file, b"\n");
    }
    file.set_len(end)
}

/// Where the last line begins that has no end.
fn last_line(file: &mut File) -> io::Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file);
    let (mut at, mut begin) = (0_u64, 0_u64);
    loop {
        let bytes = reader.fill_buf()?;
        let length = bytes.len();
        if length == 0 {
            return Ok(begin);
        }
        if let Some(newline) = bytes.iter().rposition(|byte| *byte == b'\n') {
            begin = at + newline as u64 + 1;
        }
        at += length as u64;
        reader.consume(length);
    }
}
