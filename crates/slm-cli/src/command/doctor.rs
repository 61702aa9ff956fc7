//! `slmcode doctor`: what the endpoint is, and which constraint it was seen to enforce.

use serde_json::{Map, Value, json};
use slm_backends::{Diagnosis, Mechanism, Provider, State};
use slm_schema::{Contract, EnforcementReport};

use crate::args::Doctor;
use crate::contract;
use crate::output::{self, DIM, Exit, Failure, GREEN, RED, YELLOW, insert, styled};
use crate::progress;
use crate::settings::{Call, NO_ENDPOINT, Target};

pub(crate) async fn run(args: &Doctor, json: bool) -> Result<Exit, Failure> {
    let contract = contract::find(args.contract.contract.as_deref(), args.contract.schema.as_deref())?;
    let call = Call { refresh: args.refresh, ..Call::default() };
    let Some(target) = Target::look(&args.connection, call, json).await? else {
        return Ok(nothing_there(json));
    };
    let client = target.client()?;
    let diagnosis = progress::waiting("asking the endpoint what it enforces", json, client.diagnose()).await;
    let contract = contract.as_deref().map(|contract| Enforced::new(contract, &diagnosis));
    if json {
        output::document(&document(&diagnosis, target.origin, contract.as_ref()));
    } else {
        print(&diagnosis, contract.as_ref());
    }
    Ok(if diagnosis.reachable { Exit::Done } else { Exit::Failed })
}

/// What a contract would get at the endpoint.
struct Enforced<'a> {
    contract: &'a Contract,
    mechanism: Mechanism,
    report: EnforcementReport,
}

impl<'a> Enforced<'a> {
    fn new(contract: &'a Contract, diagnosis: &Diagnosis) -> Self {
        let (mechanism, report) = diagnosis.enforcement(contract);
        Self { contract, mechanism, report }
    }
}

/// No endpoint is configured and none was found: said in the same words as everything else.
fn nothing_there(json: bool) -> Exit {
    if json {
        let mechanisms = Mechanism::ALL.map(|mechanism| {
            let state = State::Untried.as_str();
            json!({"name": mechanism.as_str(), "rank": mechanism.rank(), "state": state, "detail": "there is no endpoint"})
        });
        output::document(&json!({
            "connection": {"endpoint": null, "origin": "default"},
            "server": null,
            "reachable": false,
            "mechanisms": mechanisms,
            "selected": Mechanism::PromptOnly.as_str(),
            "causes": [NO_ENDPOINT, STARTS],
        }));
    } else {
        output::line("endpoint   none");
        output::line(&format!("note       {NO_ENDPOINT}"));
        output::line(&format!("note       {STARTS}"));
    }
    Exit::Failed
}

const STARTS: &str = "such as `llama-server -m MODEL.gguf --port 8080` or `ollama serve`; `slmcode config set endpoint URL` \
                      names one for good";

fn print(diagnosis: &Diagnosis, contract: Option<&Enforced<'_>>) {
    let unknown = || "unknown".to_owned();
    let server = diagnosis.server.as_ref().map_or_else(unknown, |server| match &server.version {
        Some(version) => format!("{} {version}", server.name),
        None => server.name.clone(),
    });
    let answer = match diagnosis.latency {
        Some(latency) if diagnosis.reachable => format!("answers in {} ms", latency.as_millis()),
        _ if diagnosis.reachable => "answers".to_owned(),
        _ => "does not answer".to_owned(),
    };
    output::line(&format!("endpoint   {} ({answer})", diagnosis.endpoint));
    output::line(&format!("server     {server} (preset {})", diagnosis.provider.as_str()));
    output::line(&format!("model      {}", diagnosis.model.clone().unwrap_or_else(unknown)));
    if let [_, _, ..] = diagnosis.models.as_slice() {
        output::line(&format!("models     {}", diagnosis.models.join(", ")));
    }
    if let Some(window) = diagnosis.context_window {
        let slots = diagnosis.slots.map(|slots| format!(", {slots} slots")).unwrap_or_default();
        output::line(&format!("window     {window} tokens a request{slots}"));
    }
    for report in &diagnosis.mechanisms {
        let mark = if report.mechanism == diagnosis.selected { "->" } else { "  " };
        let style = match report.state {
            State::Enforced => GREEN,
            State::Ignored => YELLOW,
            State::Rejected => RED,
            State::Untried => DIM,
        };
        let state = styled(style, &format!("{:<9}", report.state.as_str()));
        let (rank, name) = (report.mechanism.rank(), report.mechanism.as_str());
        output::coloured(&format!("{mark} {rank} {name:<13} {state} {}", report.detail));
    }
    output::line(&format!("selected   {}", diagnosis.selected));
    if let Some(enforced) = contract {
        print_contract(enforced, diagnosis);
    }
    for cause in diagnosis.causes.iter().map(String::as_str).chain(silent_cut(diagnosis.provider)) {
        output::line(&format!("note       {cause}"));
    }
}

fn print_contract(enforced: &Enforced<'_>, diagnosis: &Diagnosis) {
    let Enforced { contract, mechanism, report } = enforced;
    output::line(&format!("contract   {} by {mechanism}: {report}", contract.name()));
    for entry in report.exceptions() {
        let place = format!("\"{}\" `{}`", entry.pointer.escape_debug(), entry.keyword.escape_debug());
        output::line(&format!("           {place}: {} ({})", entry.tier.as_str(), entry.why));
    }
    if let Some(tokens) = contract.bound().map(slm_schema::Bound::max_tokens) {
        let room = match diagnosis.context_window {
            Some(window) if u64::try_from(tokens).is_ok_and(|tokens| tokens > window) => {
                ", more than the window holds: the longest would be cut"
            }
            _ => "",
        };
        output::line(&format!("           its documents take up to about {tokens} tokens{room}"));
    }
}

/// Where a prompt beyond the window is cut without a word, and the fix.
fn silent_cut(provider: Provider) -> Option<&'static str> {
    (provider == Provider::Ollama).then_some(
        "Ollama cuts a prompt beyond its window without a word, and /v1 takes no num_ctx: --provider ollama_chat asks for a \
         window that fits, or start Ollama with OLLAMA_CONTEXT_LENGTH=16384; calls warn with prompt_truncated",
    )
}

fn document(diagnosis: &Diagnosis, origin: &str, contract: Option<&Enforced<'_>>) -> Value {
    let mut connection = Map::new();
    insert(&mut connection, "endpoint", Some(diagnosis.endpoint.to_string()));
    insert(&mut connection, "origin", Some(origin));
    insert(&mut connection, "provider", Some(diagnosis.provider.as_str()));
    insert(&mut connection, "model", diagnosis.model.clone());
    insert(&mut connection, "models", Some(diagnosis.models.clone()));
    insert(&mut connection, "context_window", diagnosis.context_window);
    insert(&mut connection, "window_cut_silently", silent_cut(diagnosis.provider));
    insert(&mut connection, "slots", diagnosis.slots);
    insert(&mut connection, "latency_ms", diagnosis.latency.map(|latency| latency.as_secs_f64() * 1000.0));
    let mechanisms: Vec<Value> = diagnosis
        .mechanisms
        .iter()
        .map(|report| {
            json!({
                "name": report.mechanism.as_str(),
                "rank": report.mechanism.rank(),
                "state": report.state.as_str(),
                "detail": report.detail,
            })
        })
        .collect();
    let server = diagnosis.server.as_ref().map(|server| json!({"name": server.name, "version": server.version}));
    let mut document = Map::new();
    insert(&mut document, "connection", Some(connection));
    insert(&mut document, "server", Some(json!(server)));
    insert(&mut document, "reachable", Some(diagnosis.reachable));
    insert(&mut document, "mechanisms", Some(mechanisms));
    insert(&mut document, "selected", Some(diagnosis.selected.as_str()));
    insert(&mut document, "causes", Some(diagnosis.causes.clone()));
    insert(&mut document, "contract", contract.map(contract_document));
    Value::Object(document)
}

fn contract_document(enforced: &Enforced<'_>) -> Value {
    json!({
        "name": enforced.contract.name(),
        "mechanism": enforced.mechanism.as_str(),
        "report": enforced.report,
        "fully_enforced": enforced.report.is_fully_enforced(),
        "max_tokens": enforced.contract.bound().map(slm_schema::Bound::max_tokens),
    })
}
