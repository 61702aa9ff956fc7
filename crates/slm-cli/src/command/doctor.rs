//! `slmcode doctor`: what the endpoint is, and which constraint it was seen to enforce.

use serde_json::{Map, Value, json};
use slm_backends::Diagnosis;

use crate::args::Doctor;
use crate::output::{self, Exit, Failure, insert};
use crate::progress;
use crate::settings::{Call, Target};

pub(crate) async fn run(args: &Doctor, json: bool) -> Result<Exit, Failure> {
    let call = Call { refresh: args.refresh, ..Call::default() };
    let target = Target::find(&args.connection, call, json).await?;
    let client = target.client()?;
    let diagnosis = progress::waiting("asking the endpoint what it enforces", json, client.diagnose()).await;
    if json {
        output::document(&document(&diagnosis, target.origin));
    } else {
        print(&diagnosis);
    }
    Ok(if diagnosis.reachable { Exit::Done } else { Exit::Failed })
}

fn print(diagnosis: &Diagnosis) {
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
    if let Some(window) = diagnosis.context_window {
        let slots = diagnosis.slots.map(|slots| format!(", {slots} slots")).unwrap_or_default();
        output::line(&format!("window     {window} tokens a request{slots}"));
    }
    for report in &diagnosis.mechanisms {
        let mark = if report.mechanism == diagnosis.selected { "->" } else { "  " };
        output::line(&format!(
            "{mark} {} {:<13} {:<9} {}",
            report.mechanism.rank(),
            report.mechanism.as_str(),
            report.state.as_str(),
            report.detail
        ));
    }
    output::line(&format!("selected   {}", diagnosis.selected));
    for cause in &diagnosis.causes {
        output::line(&format!("note       {cause}"));
    }
}

fn document(diagnosis: &Diagnosis, origin: &str) -> Value {
    let mut connection = Map::new();
    insert(&mut connection, "endpoint", Some(diagnosis.endpoint.to_string()));
    insert(&mut connection, "origin", Some(origin));
    insert(&mut connection, "provider", Some(diagnosis.provider.as_str()));
    insert(&mut connection, "model", diagnosis.model.clone());
    insert(&mut connection, "models", Some(diagnosis.models.clone()));
    insert(&mut connection, "context_window", diagnosis.context_window);
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
    json!({
        "connection": connection,
        "server": server,
        "reachable": diagnosis.reachable,
        "mechanisms": mechanisms,
        "selected": diagnosis.selected.as_str(),
        "causes": diagnosis.causes,
    })
}
