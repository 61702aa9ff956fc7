//! `slmcode ask`: one structured call.

use serde_json::{Value, json};
use slm_backends::{Client, Ending, Error, Outcome, Request};
use slm_schema::Contract;

use super::validate::in_words;
use crate::args::Ask;
use crate::call::{self, document, exit, failed};
use crate::contract::{self, Source};
use crate::output::{self, Exit, Failure};
use crate::progress;
use crate::settings::{Call, Target};
use crate::stats;
use crate::tally::Tally;

pub(crate) async fn run(args: &Ask, json: bool) -> Result<Exit, Failure> {
    let (contract, prompt) = words(args)?;
    let request = call::request(&args.call, &contract, prompt)?;
    let tools = args.call.tools.as_deref().map(call::tools).transpose()?;
    let how = Call { mechanism: args.call.mechanism.as_deref(), max_reasks: args.call.max_reasks, refresh: false };
    let target = Target::find(&args.connection, how, json).await?;
    let client = target.client()?;
    let outcome = match tools {
        Some(tools) => progress::waiting(ASKING, json, client.turn(Some(&contract), &tools, request)).await,
        None if args.call.stream && !json => streamed(&client, &contract, request).await,
        None => progress::waiting(ASKING, json, client.structured(&contract, request)).await,
    };
    let told = outcome.as_ref().map_or_else(|error| failed(error).into_document(), document);
    let mut tally = Tally::default();
    tally.count(&told);
    stats::add(target.endpoint.url(), tally, client.repairs());
    let outcome = outcome.map_err(|error| failed(&error))?;
    if json {
        output::document(&Value::Object(told));
    } else {
        print(&outcome);
    }
    Ok(exit(outcome.ending()))
}

const ASKING: &str = "waiting for the reply";

/// The call, with the document on standard error as far as it has come: for the eye, and never the answer.
async fn streamed(client: &Client, contract: &Contract, request: Request) -> Result<Outcome, Error> {
    let mut call = client.structured_stream(contract, request)?;
    while let Some(partial) = call.next().await {
        output::note(&partial.to_string());
    }
    call.finish().await
}

/// `CONTRACT PROMPT`, or `PROMPT` alone beside `--schema`.
fn words(args: &Ask) -> Result<(Source, String), Failure> {
    let schema = args.call.schema.as_deref();
    let (name, prompt) = match (args.words.as_slice(), schema) {
        ([prompt], Some(_)) => (None, prompt),
        ([name, prompt], None) => (Some(name.as_str()), prompt),
        ([_, ..], Some(_)) => {
            return Err(Failure::usage("--schema takes the place of CONTRACT; give the prompt alone"));
        }
        _ => return Err(Failure::usage("give a contract and a prompt: slmcode ask CONTRACT PROMPT")),
    };
    let contract = contract::require(name, schema)?;
    let prompt = if prompt == "-" { contract::stdin()? } else { prompt.clone() };
    if prompt.trim().is_empty() {
        return Err(Failure::usage("the prompt is empty; say what the model should do"));
    }
    Ok((contract, prompt))
}

/// The value on standard output; on standard error how it was got, or why there is none.
fn print(outcome: &Outcome) {
    match outcome.ending() {
        Ending::Value(value) => output::line(&format!("{value:#}")),
        Ending::ToolCall { name, arguments } => {
            output::line(&format!("{:#}", json!({"name": name, "arguments": arguments})));
        }
        Ending::Truncated { phase, .. } => output::error(&format!(
            "the reply was cut off ({}); raise --max-tokens, or the server's context window",
            phase.as_str()
        )),
        Ending::Refused { message } => output::error(&format!("the model refused: {}", message.escape_debug())),
        Ending::Invalid { violations, message } => {
            let lines: Vec<String> = violations.iter().map(in_words).collect();
            let why = if lines.is_empty() { message.clone() } else { lines.join("; ") };
            output::error(&format!("the reply is not valid: {why}"));
        }
        Ending::WhitespaceLoop => output::error(
            "the model wrote white space without end and was stopped; try --temperature 0.7, or another --mechanism",
        ),
        Ending::RepetitionLoop => output::error(
            "the model repeated itself without end and was stopped; try --temperature 0.7, or a larger model",
        ),
        Ending::Empty | _ => output::error("the reply is empty; ask again, or raise --max-tokens"),
    }
    for warning in outcome.warnings() {
        output::warning(&warning.to_string());
    }
    let tokens = outcome.usage().map_or_else(|| "?".to_owned(), |usage| usage.completion_tokens.to_string());
    let rung = outcome.rung().map_or_else(|| "-".to_owned(), |rung| rung.to_string());
    output::note(&format!(
        "{} · rung {rung} · {tokens} tokens · {:.1} s · {}",
        outcome.mechanism(),
        outcome.elapsed().as_secs_f64(),
        outcome.report(),
    ));
}
