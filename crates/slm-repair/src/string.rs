//! Reads one string from its opening mark to its closing one, and mends it on the way.

use crate::draft::{Draft, Mark};
use crate::mend::{
    Choice, Doubt, Mended, Site, bad_escapes, concatenated_strings, control_chars, inner_quotes, missing_quotes,
    quotes, triple_quotes,
};
use crate::quote::{Quote, is_stop};
use crate::rung::Rung;
use crate::scan::{blank_end, byte_at, char_at, rest};
use crate::string::closing::{Around, Place, Verdict, verdict};

pub(crate) mod closing;

/// What became of a string.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) end: usize,
    /// Its closing mark was found.
    pub(crate) closed: bool,
    pub(crate) doubt: Option<Doubt>,
    /// What cannot be mended in it, and where.
    pub(crate) broken: Option<(usize, &'static str)>,
}

/// Reads the string at `at`.
pub(crate) fn read<'a>(text: &'a str, at: usize, draft: &mut Draft<'a>, around: Around, choice: Choice) -> Ended {
    if around.place == Place::Key || !Quote::is_tripled(text, at) {
        return Reader::new(text, at, draft, around, choice).read();
    }
    let Some(close) = triple_quotes::closer(text, at) else {
        return Ended { end: text.len(), closed: false, doubt: None, broken: None };
    };
    let mut site = Site { text, at, draft, choice };
    match triple_quotes::mend(&mut site, close) {
        Ok(doubt) => Ended { end: close + 3, closed: true, doubt, broken: None },
        Err(broken) => Ended { end: close + 3, closed: true, doubt: None, broken: Some(broken) },
    }
}

/// Where the string at `at` ends, if it needs nothing but its marks, `"` or `'`, and what stands behind it leaves no doubt:
/// the short way for most strings.
pub(crate) fn plain_end(text: &str, at: usize, place: Place) -> Option<usize> {
    let bytes = text.as_bytes();
    let mark = *bytes.get(at)?;
    let content = bytes.get(at + 1..)?;
    let length = content.iter().position(|b| *b < 0x20 || *b == mark || matches!(b, b'"' | b'\\'))?;
    let end = at + length + 2;
    if *content.get(length)? != mark {
        return None;
    }
    let closes = match (place, bytes.get(end)?) {
        (Place::Key, b':') | (Place::Member, b'}') | (Place::Item, b']') => true,
        (Place::Member | Place::Item, b',') => {
            let gap = bytes.get(end + 1..)?.iter().position(|b| !crate::scan::is_space(*b))?;
            bytes.get(end + 1 + gap) == Some(&mark)
        }
        _ => false,
    };
    closes.then_some(end)
}

/// A mark of another kind that may close the string, if its own does not.
struct Candidate {
    at: usize,
    end: usize,
    draft: Mark,
    /// Nothing but closers follows it.
    is_last: bool,
}

struct Reader<'s, 'a> {
    site: Site<'s, 'a>,
    opened: usize,
    /// Where its content begins, or that of the last string that was joined to it.
    start: usize,
    quote: Quote,
    around: Around,
    /// Marks inside that cannot stand alone.
    unpaired: usize,
    /// Quotations that are open inside, by what stands around their marks.
    quoting: usize,
    /// Marks of the string's own kind stand inside it, as they are or escaped.
    ragged: bool,
    escaped: bool,
    /// What stands around one of them makes it look like the end of this string, or of the one before.
    suspect: bool,
    /// Typographic quotes that opened inside and did not close.
    nested: usize,
    candidate: Option<Candidate>,
    doubt: Option<Doubt>,
    broken: Option<(usize, &'static str)>,
}

impl<'s, 'a> Reader<'s, 'a>
where
    'a: 's,
{
    fn new(text: &'a str, at: usize, draft: &'s mut Draft<'a>, around: Around, choice: Choice) -> Self {
        let quote = char_at(text, at).and_then(Quote::of).unwrap_or(Quote::Double);
        Self {
            site: Site { text, at, draft, choice },
            opened: at,
            start: at,
            quote,
            around,
            unpaired: 0,
            quoting: 0,
            ragged: false,
            escaped: false,
            suspect: false,
            nested: 0,
            candidate: None,
            doubt: None,
            broken: None,
        }
    }

    fn read(mut self) -> Ended {
        let text = self.site.text;
        self.start += char_at(text, self.opened).map_or(1, char::len_utf8);
        self.site.at = quotes::mend(&mut self.site, self.quote, self.start);
        loop {
            let tail = text.as_bytes().get(self.site.at..).unwrap_or_default();
            let Some(length) = tail.iter().position(|byte| is_stop(*byte)) else { return self.unclosed() };
            self.site.at += length;
            match tail.get(length) {
                Some(b'\\') => self.escape(),
                Some(byte) if *byte < 0x20 => {
                    let mended = control_chars::mend(&mut self.site);
                    self.go_on(mended);
                }
                _ => {
                    if let Some(ended) = self.mark() {
                        return ended;
                    }
                }
            }
        }
    }

    fn go_on(&mut self, mended: Mended) {
        match mended {
            Mended::On(next) => self.site.at = next,
            Mended::Doubtful(next, doubt) => {
                self.site.at = next;
                self.doubt = self.doubt.or(Some(doubt));
            }
            Mended::Broken(at, next, message) => {
                self.site.at = next;
                self.broken = self.broken.or(Some((at, message)));
            }
        }
    }

    fn escape(&mut self) {
        let escaped = char_at(self.site.text, self.site.at + 1);
        self.escaped |= escaped.is_some_and(|c| Quote::of(c) == Some(self.quote));
        if escaped == Some('\'') && self.quote == Quote::Single {
            // Between single quotes that is how one is written.
            self.site.draft.remove(Rung::Quotes, self.site.at..self.site.at + 1);
            self.site.at += 2;
            return;
        }
        let mended = bad_escapes::mend(&mut self.site);
        self.go_on(mended);
    }

    /// A character that may be a quotation mark stands here.
    fn mark(&mut self) -> Option<Ended> {
        let text = self.site.text;
        let at = self.site.at;
        let c = char_at(text, at).unwrap_or_default();
        let end = at + c.len_utf8();
        let Some(quote) = Quote::of(c) else {
            self.site.at = end;
            return None;
        };
        // At the end of the text it may be an apostrophe, and the string be cut off behind it.
        let is_last = self.around.place != Place::Root && blank_end(text, end) == text.len();
        let is_tex = self.quote == Quote::Backtick && quote == Quote::Single && !is_last;
        if quote == self.quote || is_tex {
            return self.own_mark(at, end);
        }
        self.note_candidate(c, quote, end);
        if quote == Quote::Double {
            if matches!(self.quote, Quote::SmartDouble | Quote::SmartSingle) && self.candidate.is_none() {
                let message =
                    "straight quotes stand inside typographic ones; which of them end the string cannot be told";
                self.doubt = self.doubt.or(Some(Doubt::new(at, message)));
            }
            self.site.at = quotes::escape(&mut self.site, self.quote);
        } else {
            self.site.at = end;
        }
        None
    }

    /// A mark of the string's own kind: the end, or part of it.
    fn own_mark(&mut self, at: usize, end: usize) -> Option<Ended> {
        let text = self.site.text;
        match verdict(text, end, self.quote, self.around, self.ragged) {
            Verdict::Perhaps if self.candidate.is_some() => {}
            Verdict::Closes | Verdict::Perhaps => return self.close(at, end),
            Verdict::Suspect => self.suspect = true,
            Verdict::Inner => {}
        }
        if let Some(candidate) = self.candidate.take() {
            return Some(self.close_at(&candidate));
        }
        if let Some(end) = self.forgotten_close(at) {
            self.site.at = end;
            missing_quotes::insert(&mut self.site);
            return Some(self.ended(end, true));
        }
        self.ragged = true;
        let before = text.get(self.start..at).unwrap_or_default();
        let one_sided = inner_quotes::is_one_sided(self.quote, before, rest(text, end));
        if !one_sided {
            self.unpaired += 1;
            let closes = inner_quotes::looks_closing(before, rest(text, end));
            self.suspect |= closes && self.quoting == 0;
            self.quoting = if closes { self.quoting.saturating_sub(1) } else { self.quoting + 1 };
        }
        self.site.at = inner_quotes::mend(&mut self.site, self.quote, end);
        None
    }

    fn close(&mut self, at: usize, end: usize) -> Option<Ended> {
        if let Some((quote, start)) = concatenated_strings::mend(&mut self.site, end) {
            self.quote = quote;
            self.start = start;
            self.site.at = start;
            self.candidate = None;
            return None;
        }
        self.site.at = at;
        quotes::mend(&mut self.site, self.quote, end);
        Some(self.ended(end, true))
    }

    fn close_at(&mut self, candidate: &Candidate) -> Ended {
        self.site.draft.go_back(candidate.draft);
        self.site.at = candidate.at;
        self.doubt = None;
        self.broken = None;
        missing_quotes::replace(&mut self.site, candidate.end);
        self.ended(candidate.end, true)
    }

    /// Remembers the mark of another kind that stands here, if everything behind it says that the string ends there.
    fn note_candidate(&mut self, c: char, quote: Quote, end: usize) {
        let opens = matches!(c, '“' | '„' | '‘' | '‚' | '«');
        if opens {
            self.nested += 1;
            return;
        }
        if self.nested > 0 {
            self.nested -= usize::from(quote != Quote::Single);
            return;
        }
        if self.candidate.is_some() || self.ragged || !quote.resembles(self.quote) {
            return;
        }
        let text = self.site.text;
        let next = blank_end(text, end);
        let behind = char_at(text, blank_end(text, next + 1));
        let fits = match (self.around.place, char_at(text, next)) {
            (Place::Key, Some(':' | '：'))
            | (Place::Member, Some('}'))
            | (Place::Item, Some(']'))
            | (Place::Root, None) => true,
            (Place::Member | Place::Item, Some(',')) => behind.is_some_and(|c| Quote::of(c).is_some()),
            _ => false,
        };
        if fits {
            let is_last = rest(text, end).bytes().take(256).all(|b| matches!(b, b' ' | b'\n' | b'}' | b']'));
            self.candidate =
                Some(Candidate { at: self.site.at, end, draft: self.site.draft.mark(self.site.at), is_last });
        }
    }

    /// Where the string ends if its closing mark was forgotten, and the mark at `at` opens the next string.
    fn forgotten_close(&self, at: usize) -> Option<usize> {
        if self.ragged {
            return None;
        }
        let content = self.site.text.get(self.start..at)?.trim_end();
        if self.around.place == Place::Key {
            // `{"key:"value"}`
            let key = content.strip_suffix(':')?;
            let is_simple = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
            return is_simple.then_some(self.start + key.trim_end().len());
        }
        // `{"a": "b, "c": 1}`: only the second of two readings.
        let value = content.strip_suffix(',')?;
        let is_wanted = self.site.choice == Choice::Second && byte_at(self.site.text, at + 1).is_some();
        is_wanted.then_some(self.start + value.len())
    }

    fn is_mark(&self, at: usize) -> bool {
        char_at(self.site.text, at).and_then(Quote::of) == Some(self.quote)
    }

    fn unclosed(&mut self) -> Ended {
        // Only where marks were mixed before: by itself `["a”]` may be the beginning of a longer string.
        let rungs = self.site.draft.rungs;
        let is_mixed = rungs.contains(Rung::SmartQuotes) || rungs.contains(Rung::MissingQuotes);
        let doubles = matches!(self.quote, Quote::Double | Quote::SmartDouble);
        if let Some(candidate) = self.candidate.take().filter(|candidate| candidate.is_last && doubles && is_mixed) {
            return self.close_at(&candidate);
        }
        self.ended(self.site.text.len(), false)
    }

    fn ended(&mut self, end: usize, closed: bool) -> Ended {
        let is_odd = !self.unpaired.is_multiple_of(2) || (self.ragged && (self.escaped || self.suspect));
        // `""name"":` may be a name in quotes, or one whose quotes are doubled.
        let is_doubled = self.ragged && self.around.place == Place::Key && self.is_mark(self.start);
        // A string that is the whole document ends where the text does.
        if (is_odd || is_doubled) && closed && self.around.place != Place::Root {
            let message = "quotes inside this string do not pair up, so its end cannot be told; escape them as \\\"";
            self.doubt = Some(Doubt::new(self.opened, message));
        }
        Ended { end, closed, doubt: self.doubt, broken: self.broken }
    }
}
