//! What is looked at: each with its weight, what was found, and the fix.

use slm_agents::RoleSpec;
use slm_backends::{Diagnosis, Mechanism};
use slm_schema::Contract;

use super::Change;
use crate::args::CallFlags;
use crate::settings::{Key, LOCAL_PORT, Settings};

/// What a prompt takes beside the contract's description; a diff of some screens.
const PROMPT_TOKENS: u64 = 2000;
/// Of descriptions, which are mostly words.
const CHARS_PER_TOKEN: usize = 3;
/// Above it a small model's words get away from it.
const WARMEST: f64 = 1.0;
/// Retries of free text: some, and not for minutes.
const RETRIES: std::ops::RangeInclusive<u64> = 1..=5;
const SHORTEST_DELAY_MS: u64 = 100;

/// What the checks look at.
#[derive(Debug)]
pub(super) struct Situation<'a> {
    pub(super) settings: &'a Settings,
    /// None where no endpoint was found.
    pub(super) diagnosis: Option<&'a Diagnosis>,
    pub(super) origin: Option<&'static str>,
    pub(super) contract: &'a Contract,
    pub(super) flags: &'a CallFlags,
}

#[derive(Debug)]
pub(super) struct Check {
    pub(super) id: &'static str,
    pub(super) ok: bool,
    pub(super) weight: u32,
    pub(super) finding: String,
    pub(super) fix: Option<Fix>,
}

#[derive(Debug)]
pub(super) struct Fix {
    pub(super) words: String,
    /// What `--fix` sets; nothing where only a person can.
    pub(super) changes: Vec<Change>,
}

impl Check {
    fn new(id: &'static str, weight: u32, ok: bool, finding: impl Into<String>) -> Self {
        Self { id, ok, weight, finding: finding.into(), fix: None }
    }

    /// The way out, where it is not well.
    fn or(mut self, words: impl Into<String>, changes: Vec<Change>) -> Self {
        if !self.ok {
            self.fix = Some(Fix { words: words.into(), changes });
        }
        self
    }
}

/// Everything that is looked at, the heaviest first.
pub(super) fn all(situation: &Situation<'_>) -> Vec<Check> {
    vec![
        structured_decoding(situation),
        constraint(situation),
        context_window(situation),
        endpoint(situation),
        max_tokens(situation),
        parallelism(situation),
        temperature(situation),
        stop_sequences(situation),
        retries(situation),
    ]
}

fn structured_decoding(situation: &Situation<'_>) -> Check {
    let value = situation.settings.get(Key::StructuredDecoding).unwrap_or_default();
    Check::new("structured_decoding", 20, value == "auto", format!("structured_decoding is {value}")).or(
        "set structured_decoding to auto, so that the strongest constraint is used that the endpoint enforces",
        vec![(Key::StructuredDecoding, "auto".to_owned())],
    )
}

fn constraint(situation: &Situation<'_>) -> Check {
    let Some(diagnosis) = situation.diagnosis.filter(|diagnosis| diagnosis.reachable) else {
        return Check::new("constraint", 20, false, "no endpoint answers, so none is seen to enforce anything")
            .or("start a server; slmcode doctor says how", Vec::new());
    };
    let (mechanism, report) = diagnosis.enforcement(situation.contract);
    let holds = match mechanism {
        Mechanism::JsonSchema | Mechanism::GuidedJson | Mechanism::GbnfGrammar => true,
        Mechanism::JsonObject | Mechanism::PromptOnly => false,
    };
    let name = situation.contract.name();
    let why = diagnosis.causes.first().map_or("slmcode doctor says why", String::as_str);
    Check::new("constraint", 20, holds, format!("{name} would go by {mechanism}: {report}")).or(why, Vec::new())
}

fn context_window(situation: &Situation<'_>) -> Check {
    let document = situation.contract.bound().map_or(0, slm_schema::Bound::max_tokens);
    let described = situation.contract.describe().chars().count() / CHARS_PER_TOKEN;
    let needed = u64::try_from(document.saturating_add(described)).unwrap_or(u64::MAX).saturating_add(PROMPT_TOKENS);
    let name = situation.contract.name();
    match situation.diagnosis.map(|diagnosis| diagnosis.context_window) {
        None => Check::new("context_window", 15, false, "no endpoint answers, so its window is unknown")
            .or("start a server with a window of 8192 tokens or more", Vec::new()),
        Some(None) => Check::new("context_window", 15, true, "the endpoint does not say how large its window is"),
        Some(Some(window)) => {
            let finding =
                format!("{window} tokens a request; {name} with a prompt of {PROMPT_TOKENS} takes up to {needed}");
            Check::new("context_window", 15, window >= needed, finding).or(
                "give the server a larger window (llama.cpp: --ctx-size, which its slots share; Ollama: \
                 OLLAMA_CONTEXT_LENGTH), or use a contract with tighter bounds",
                Vec::new(),
            )
        }
    }
}

fn endpoint(situation: &Situation<'_>) -> Check {
    let Some(diagnosis) = situation.diagnosis else {
        return Check::new("endpoint", 10, false, "none is configured, and none answers on the usual local ports")
            .or("start a server, or set endpoint to the address of one", Vec::new());
    };
    let url = diagnosis.endpoint.to_string();
    if !diagnosis.reachable {
        let why = diagnosis.causes.first().map_or("start it", String::as_str);
        return Check::new("endpoint", 10, false, format!("{url} does not answer")).or(why, Vec::new());
    }
    if let (Some(model), [first, ..]) = (&diagnosis.model, diagnosis.models.as_slice())
        && !diagnosis.models.contains(model)
    {
        let words = format!("set model to one that it lists, such as {first}");
        return Check::new("endpoint", 10, false, format!("{url} does not list the model {model}"))
            .or(words, vec![(Key::Model, first.clone())]);
    }
    let found = situation.origin == Some(LOCAL_PORT);
    let finding =
        if found { format!("{url} was found on its port, and is not configured") } else { format!("{url} answers") };
    Check::new("endpoint", 10, !found, finding)
        .or("set endpoint to it, so that no port has to be tried", vec![(Key::Endpoint, url)])
}

fn max_tokens(situation: &Situation<'_>) -> Check {
    let name = situation.contract.name();
    let bound = situation.contract.bound().map(|bound| u64::try_from(bound.max_tokens()).unwrap_or(u64::MAX));
    let (ok, finding) = match (situation.flags.max_tokens, bound) {
        (None, Some(bound)) => (true, format!("follows from the bound of {name}: {bound}")),
        (None, None) => (false, format!("{name} has no bound, so nothing says how long a reply may get")),
        (Some(cap), Some(bound)) => {
            (cap >= bound, format!("--max-tokens {cap}; documents of {name} take up to {bound}"))
        }
        (Some(cap), None) => (true, format!("--max-tokens {cap}; {name} has no bound")),
    };
    let words = match bound {
        Some(bound) => format!("leave --max-tokens out, or give {bound} at least: a smaller cap cuts documents"),
        None => "bound its strings and arrays (maxLength, maxItems), or give --max-tokens".to_owned(),
    };
    Check::new("max_tokens", 10, ok, finding).or(words, Vec::new())
}

fn parallelism(situation: &Situation<'_>) -> Check {
    let most = situation.settings.number(Key::MaxParallel).unwrap_or_default();
    let Some(slots) = situation.diagnosis.and_then(|diagnosis| diagnosis.slots) else {
        return Check::new(
            "parallelism",
            10,
            true,
            format!("max_parallel is {most}; the server's slots are not known"),
        );
    };
    let finding = format!("max_parallel is {most}; the server works on {slots} at once");
    Check::new("parallelism", 10, most <= slots, finding).or(
        format!("set max_parallel to {slots}: further requests wait in the server, where time-outs run"),
        vec![(Key::MaxParallel, slots.max(1).to_string())],
    )
}

fn temperature(situation: &Situation<'_>) -> Check {
    match situation.flags.temperature {
        None => Check::new("temperature", 5, true, "the endpoint's own"),
        Some(warmth) => {
            Check::new("temperature", 5, (0.0..=WARMEST).contains(&warmth), format!("--temperature {warmth}"))
                .or("give 0 to 1: above, a small model's words get away from it", Vec::new())
        }
    }
}

fn stop_sequences(situation: &Situation<'_>) -> Check {
    let own = situation.flags.extra.as_deref().is_some_and(|extra| {
        serde_json::from_str::<serde_json::Value>(extra).is_ok_and(|extra| extra.get("stop").is_some())
    });
    if own {
        return Check::new(
            "stop_sequences",
            5,
            false,
            "--extra sets stop, which can cut a document; a call refuses it",
        )
        .or("leave stop out of --extra", Vec::new());
    }
    let stops = RoleSpec::new(situation.contract.name()).normalize().decoding.stop;
    // A raw line break stands in no JSON string and in no compact document.
    let safe = stops.iter().all(|stop| stop.contains('\n'));
    let finding = match stops.len() {
        0 => "none".to_owned(),
        count => format!("{count}, each with a line break, which no compact document holds"),
    };
    Check::new("stop_sequences", 5, safe, finding).or("use stop sequences that hold a line break", Vec::new())
}

fn retries(situation: &Situation<'_>) -> Check {
    let number = |key| situation.settings.number(key).unwrap_or_default();
    let (count, delay) = (number(Key::LlmRetryCount), number(Key::LlmRetryDelayMs));
    let mut changes = Vec::new();
    if !RETRIES.contains(&count) {
        changes.extend(Key::LlmRetryCount.default_value().map(|value| (Key::LlmRetryCount, value.to_owned())));
    }
    if delay < SHORTEST_DELAY_MS {
        changes.extend(Key::LlmRetryDelayMs.default_value().map(|value| (Key::LlmRetryDelayMs, value.to_owned())));
    }
    let finding = format!("{count} retries of free text, the first after up to {delay} ms");
    Check::new("retries", 5, changes.is_empty(), finding).or(
        format!(
            "set llm_retry_count to {} to {}, and llm_retry_delay_ms to {SHORTEST_DELAY_MS} or more",
            RETRIES.start(),
            RETRIES.end()
        ),
        changes,
    )
}
