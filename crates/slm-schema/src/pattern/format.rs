//! The `format`s that a regular expression can describe.

use super::{Regex, parse};
use crate::report::Tier;

/// A format's expression, and what is to be said of it in a report.
#[derive(Debug, Clone)]
pub(crate) struct Format {
    pub(crate) regex: Regex,
    pub(crate) tier: Tier,
    pub(crate) why: &'static str,
    /// Are there valid strings that the expression leaves out?
    pub(crate) is_outline: bool,
}

const DATE: &str = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
const TIME: &str = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+\-]([01][0-9]|2[0-3]):[0-5][0-9])";
const OCTET: &str = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const LABEL: &str = "[A-Za-z0-9]([A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?";

const PERIOD: &str = "([0-9]{1,6}Y([0-9]{1,6}M([0-9]{1,6}D)?)?|[0-9]{1,6}M([0-9]{1,6}D)?|[0-9]{1,6}D)";
const HOURS: &str = "T([0-9]{1,6}H([0-9]{1,6}M([0-9]{1,6}S)?)?|[0-9]{1,6}M([0-9]{1,6}S)?|[0-9]{1,6}S)";

const ENFORCED: (Tier, &str) = (Tier::Grammar, "");
const NO_SUCH_DAY: (Tier, &str) = (Tier::Validator, "the form is held; a day that the month lacks is not refused");
const OUTLINE: (Tier, &str) = (Tier::Validator, "an outline of the common form is held, not every rule of the format");

/// What a format looks like; `None` where no expression says enough.
pub(crate) fn format(name: &str) -> Option<Format> {
    let (source, (tier, why)) = match name {
        "date" => (format!("^{DATE}$"), NO_SUCH_DAY),
        "time" => (format!("^{TIME}$"), (Tier::GrammarStricter, "at most six digits of a second, and no leap second")),
        "date-time" => (format!("^{DATE}T{TIME}$"), NO_SUCH_DAY),
        "duration" => {
            let tier = (Tier::GrammarStricter, "at most six digits a part");
            (format!("^P({PERIOD}({HOURS})?|{HOURS}|[0-9]{{1,6}}W)$"), tier)
        }
        "uuid" => {
            let tier = (Tier::GrammarStricter, "written with its dashes");
            ("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$".to_owned(), tier)
        }
        "ipv4" => (format!(r"^{OCTET}(\.{OCTET}){{3}}$"), ENFORCED),
        "ipv6" => {
            let tier = (Tier::GrammarStricter, "all eight groups are written, in lower case");
            ("^([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$".to_owned(), tier)
        }
        "hostname" => (format!(r"^{LABEL}(\.{LABEL}){{0,8}}$"), OUTLINE),
        "email" => {
            (format!(r"^[A-Za-z0-9_+\-]{{1,32}}(\.[A-Za-z0-9_+\-]{{1,31}})?@{LABEL}(\.{LABEL}){{1,3}}$"), OUTLINE)
        }
        "uri" => (format!(r"^https?://{LABEL}(\.{LABEL}){{1,3}}(/[A-Za-z0-9_.~\-]{{0,64}}){{0,8}}$"), OUTLINE),
        _ => return None,
    };
    let is_outline = tier == Tier::GrammarStricter || matches!(name, "date-time" | "hostname" | "email" | "uri");
    parse(&source).ok().map(|regex| Format { regex, tier, why, is_outline })
}
