//! Which rules of a schema does a refusal name? Without them the endpoint may take it. Pure.

use std::collections::BTreeSet;

use slm_schema::{Contract, EnforcementReport, Lowered};

/// Keywords that are words of English too: a refusal means them only where it quotes them, or where they end a path.
const PLAIN_WORDS: [&str; 6] = ["not", "if", "then", "else", "contains", "enum"];

/// The contract lowered again, without the rules that the refusal names; `None` where it names none that can be left out.
pub(crate) fn lower_further(
    contract: &Contract,
    lowered: &Lowered,
    before: &[String],
    refusal: &str,
) -> Option<(Vec<String>, Lowered)> {
    // A refusal that names a place and no rule that could be left out is about whatever stands there.
    [named(refusal, &lowered.report), standing_at(&places(refusal), &lowered.report)].into_iter().find_map(
        |mut aside| {
            aside.retain(|keyword| lowered.dialect.can_do_without(keyword));
            if aside.is_empty() {
                return None;
            }
            aside.extend(before.iter().cloned());
            let aside: Vec<String> = aside.into_iter().collect();
            let further = contract.lower_without(lowered.dialect, &aside);
            (further.constraint != lowered.constraint).then_some((aside, further))
        },
    )
}

/// The keywords of the schema that a text names.
fn named(text: &str, report: &EnforcementReport) -> BTreeSet<String> {
    let keywords: BTreeSet<&str> = report.entries().iter().map(|entry| entry.keyword.as_str()).collect();
    keywords.into_iter().filter(|keyword| names_keyword(text, keyword)).map(str::to_owned).collect()
}

fn standing_at(places: &BTreeSet<String>, report: &EnforcementReport) -> BTreeSet<String> {
    let entries = report.entries().iter().filter(|entry| !entry.pointer.is_empty() && places.contains(&entry.pointer));
    entries.map(|entry| entry.keyword.clone()).collect()
}

fn names_keyword(text: &str, keyword: &str) -> bool {
    let plain = spelled(keyword);
    words(text).any(|(before, word)| {
        let is_quoted = before.ends_with(['"', '\'', '`', '/', '.', '[']);
        let is_another = matches!(keyword, "format" | "pattern") && before.trim_end().ends_with("response");
        spelled(word) == plain && !is_another && (is_quoted || !PLAIN_WORDS.contains(&keyword))
    })
}

/// Some servers know keywords by their names in Python.
fn spelled(word: &str) -> String {
    word.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

/// Each word of a text, with what stands before it. What a path of OpenAI's names (`response_format`) is one word.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = text.get(from..)?;
        let begin = from + rest.find(is_inside)?;
        let length = text.get(begin..)?.find(|c: char| !is_inside(c)).unwrap_or(text.len() - begin);
        from = begin + length;
        Some((text.get(..begin)?, text.get(begin..from)?))
    })
}

/// The places that a text names: as JSON pointers, or as OpenAI's `context=('properties', 'age')`.
fn places(text: &str) -> BTreeSet<String> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | ')' | ']');
    let pointers = text.split("#/").skip(1).map(|rest| {
        let pointer = rest.split(ends).next().unwrap_or_default();
        format!("/{}", pointer.trim_end_matches([':', '.']))
    });
    let contexts = text.split("context=(").skip(1).map(|rest| {
        let inside = rest.split(')').next().unwrap_or_default();
        let steps = inside.split(',').map(|step| step.trim().trim_matches(['\'', '"'])).filter(|step| !step.is_empty());
        steps.fold(String::new(), |place, step| place + "/" + &step.replace('~', "~0").replace('/', "~1"))
    });
    pointers.chain(contexts).collect()
}

#[cfg(test)]
mod tests {
    use slm_schema::Dialect;

    use super::*;

    const SCHEMA: &str = r#"{"type": "object", "properties": {
        "mail": {"type": "string", "format": "date", "maxLength": 80}, "n": {"type": "integer", "maximum": 9, "not": {"const": 3}}
    }, "additionalProperties": false}"#;

    fn put_aside(refusal: &str) -> Vec<String> {
        let contract = Contract::from_json("test", SCHEMA).unwrap();
        let lowered = contract.lower(Dialect::LlamaCpp);
        lower_further(&contract, &lowered, &[], refusal).map(|(keywords, _)| keywords).unwrap_or_default()
    }

    #[test]
    fn keywords_are_found_in_every_spelling() {
        assert_eq!(put_aside(r#"Grammar error: Unimplemented keys: ["maxLength"]"#), ["maxLength"]);
        assert_eq!(put_aside("Unknown name \"max_length\" at 'generation_config.response_schema'"), ["maxLength"]);
        assert_eq!(put_aside("In context=('properties', 'mail'), 'format' is not permitted"), ["format"]);
        assert_eq!(put_aside("For 'integer' type, properties maximum, not are not supported"), ["maximum"]);
        assert_eq!(put_aside("`not` and `maximum` are not supported"), ["maximum", "not"]);
    }

    #[test]
    fn words_that_only_look_like_keywords_are_none() {
        assert_eq!(put_aside("response format json_schema is not available"), [""; 0]);
        assert_eq!(put_aside("Invalid response_format: do not use it, if possible"), [""; 0]);
    }

    #[test]
    fn a_place_without_a_keyword_stands_for_all_that_it_holds() {
        let at_mail = ["format", "maxLength"];
        assert_eq!(put_aside("JSON schema error at #/properties/mail: unrecognized type x"), at_mail);
        assert_eq!(put_aside("In context=('properties', 'mail'): too complex"), at_mail);
        assert_eq!(put_aside("JSON schema error at #/properties/other: unrecognized"), [""; 0]);
    }

    #[test]
    fn what_gives_the_shape_is_not_left_out() {
        let contract = Contract::from_json("test", SCHEMA).unwrap();
        let lowered = contract.lower(Dialect::LlamaCpp);
        assert!(lower_further(&contract, &lowered, &[], "unrecognized `type`").is_none());
        let (aside, further) = lower_further(&contract, &lowered, &["maximum".to_owned()], "bad \"format\"").unwrap();
        assert_eq!(aside, ["format", "maximum"]);
        assert!(format!("{:?}", further.constraint).contains("maxLength"));
    }
}
