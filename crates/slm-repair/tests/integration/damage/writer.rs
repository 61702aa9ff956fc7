//! Writes a value as JSON, damaged in the ways that are asked for, at places that a seed chooses.

use serde_json::Value;

/// A kind of damage that has one reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Damage {
    TrailingCommas,
    MissingCommas,
    MissingColons,
    SingleQuotes,
    Backticks,
    SmartQuotes,
    FullwidthQuotes,
    TripleQuotes,
    InnerQuotes,
    BareKeys,
    BareWords,
    Joined,
    Python,
    Capitals,
    Tuples,
    Numbers,
    RawControls,
    BadEscapes,
    OddSpace,
    Comments,
    NewLines,
}

impl Damage {
    pub(super) const ALL: [Self; 21] = [
        Self::TrailingCommas,
        Self::MissingCommas,
        Self::MissingColons,
        Self::SingleQuotes,
        Self::Backticks,
        Self::SmartQuotes,
        Self::FullwidthQuotes,
        Self::TripleQuotes,
        Self::InnerQuotes,
        Self::BareKeys,
        Self::BareWords,
        Self::Joined,
        Self::Python,
        Self::Capitals,
        Self::Tuples,
        Self::Numbers,
        Self::RawControls,
        Self::BadEscapes,
        Self::OddSpace,
        Self::Comments,
        Self::NewLines,
    ];
}

/// Writes one document.
pub(super) struct Writer<'a> {
    damages: &'a [Damage],
    state: u64,
    out: String,
}

impl<'a> Writer<'a> {
    pub(super) fn write(value: &Value, damages: &'a [Damage], seed: u64) -> String {
        let mut writer = Self { damages, state: seed | 1, out: String::new() };
        writer.value(value);
        writer.out
    }

    /// Is this damage done at this place?
    fn does(&mut self, damage: Damage) -> bool {
        self.damages.contains(&damage) && self.below(2) == 0
    }

    fn below(&mut self, count: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % count
    }

    fn one_of(&mut self, choices: &[&str]) {
        let index = self.below(choices.len() as u64);
        self.out.push_str(choices.get(usize::try_from(index).unwrap()).copied().unwrap_or_default());
    }

    fn gap(&mut self) {
        if self.does(Damage::OddSpace) {
            self.one_of(&["\u{a0}", "\u{3000}", "\u{feff}", "\u{2003}", "\u{200b}"]);
        }
        if self.does(Damage::Comments) {
            self.one_of(&["/* a, \"b\": } */", "// it's {c}\n", "# [d]\n", "/**/"]);
        }
        if self.does(Damage::NewLines) {
            self.out.push_str("\n  ");
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.word("null", "None", "NULL"),
            Value::Bool(true) => self.word("true", "True", "TRUE"),
            Value::Bool(false) => self.word("false", "False", "FALSE"),
            Value::Number(number) => self.number(&number.to_string()),
            Value::String(string) => self.string(string, false),
            Value::Array(items) => self.array(items),
            Value::Object(members) => {
                self.out.push('{');
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        self.comma();
                    }
                    self.gap();
                    self.string(key, true);
                    self.gap();
                    if self.does(Damage::MissingColons) {
                        self.one_of(&[" ", " = ", " => "]);
                    } else {
                        self.out.push_str(": ");
                    }
                    self.gap();
                    self.value(value);
                }
                self.close("}", members.len());
            }
        }
    }

    fn array(&mut self, items: &[Value]) {
        let is_tuple = items.len() > 1 && self.does(Damage::Tuples);
        self.out.push_str(if is_tuple { "(" } else { "[" });
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.comma();
            }
            self.gap();
            self.value(item);
        }
        self.close(if is_tuple { ")" } else { "]" }, items.len());
    }

    fn close(&mut self, closer: &str, count: usize) {
        self.gap();
        if count > 0 && self.does(Damage::TrailingCommas) {
            self.out.push(',');
            self.gap();
        }
        self.out.push_str(closer);
    }

    fn comma(&mut self) {
        self.gap();
        if self.does(Damage::MissingCommas) {
            self.one_of(&["\n", " "]);
        } else {
            self.one_of(&[", ", ","]);
        }
    }

    fn word(&mut self, json: &str, python: &str, capitals: &str) {
        let word = if self.does(Damage::Python) {
            python
        } else if self.does(Damage::Capitals) {
            capitals
        } else {
            json
        };
        self.out.push_str(word);
    }

    fn number(&mut self, number: &str) {
        if !self.does(Damage::Numbers) || number.contains('e') {
            return self.out.push_str(number);
        }
        let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
        let spelt = match (digits.split_once('.'), digits.parse::<u64>()) {
            (Some(("0", fraction)), _) => format!("{sign}.{fraction}"),
            (None, Ok(whole)) if self.below(3) == 0 => format!("{sign}{whole:#x}"),
            (None, Ok(whole)) if whole >= 1000 => format!("{sign}{}_{:03}", whole / 1000, whole % 1000),
            _ if sign.is_empty() => format!("+{number}"),
            _ => number.to_owned(),
        };
        self.out.push_str(&spelt);
    }

    fn string(&mut self, string: &str, is_key: bool) {
        let is_word = string.starts_with(|c: char| c.is_ascii_alphabetic())
            && string.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !["true", "false", "null", "none", "nil", "undefined", "nan", "inf"]
                .iter()
                .any(|name| string.to_lowercase().starts_with(name));
        if is_word && (is_key && self.does(Damage::BareKeys) || !is_key && self.does(Damage::BareWords)) {
            return self.out.push_str(string);
        }
        let (open, close) = self.marks(string, is_key);
        let chars: Vec<char> = string.chars().collect();
        let joins = !is_key && open == "\"" && chars.len() > 1 && !string.contains('"') && self.does(Damage::Joined);
        let middle = if joins { 1 + usize::try_from(self.below(chars.len() as u64 - 1)).unwrap() } else { 0 };
        let ragged = self.does(Damage::InnerQuotes);
        self.out.push_str(open);
        for (i, c) in chars.iter().enumerate() {
            if joins && i == middle {
                self.out.push_str("\" + \"");
            }
            self.character(*c, chars.get(i + 1).copied(), open, ragged);
        }
        self.out.push_str(close);
    }

    fn marks(&mut self, string: &str, is_key: bool) -> (&'static str, &'static str) {
        if self.does(Damage::SingleQuotes) {
            ("'", "'")
        } else if !string.contains('`') && self.does(Damage::Backticks) {
            ("`", "`")
        } else if !string.contains(['"', '“', '”', '„']) && self.does(Damage::SmartQuotes) {
            if self.below(2) == 0 { ("“", "”") } else { ("„", "“") }
        } else if !string.contains(['"', '“', '”', '„', '＂']) && self.does(Damage::FullwidthQuotes) {
            ("＂", "＂")
        } else if !is_key && !string.contains('"') && self.does(Damage::TripleQuotes) {
            ("\"\"\"", "\"\"\"")
        } else {
            ("\"", "\"")
        }
    }

    fn character(&mut self, c: char, next: Option<char>, open: &str, ragged: bool) {
        match c {
            '"' if open == "\"" && ragged => self.out.push('"'),
            '"' if open == "\"" => self.out.push_str("\\\""),
            '\'' if open == "'" => self.out.push_str("\\'"),
            '\n' if self.does(Damage::RawControls) => self.out.push('\n'),
            '\n' => self.out.push_str("\\n"),
            '\t' if self.does(Damage::RawControls) => self.out.push('\t'),
            '\t' => self.out.push_str("\\t"),
            '\\' if next.is_some_and(|c| "dwsS.D".contains(c)) && self.does(Damage::BadEscapes) => self.out.push('\\'),
            '\\' => self.out.push_str("\\\\"),
            c => self.out.push(c),
        }
    }
}
