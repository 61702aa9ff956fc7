//! `slmcode readiness`: are the settings those that a small model needs? And, if asked, they become so.

mod checks;
mod difference;
mod fix;

use serde_json::{Value, json};
use slm_schema::Registry;

use self::checks::{Check, Situation};
use crate::args::Readiness;
use crate::contract;
use crate::output::{self, DIM, Exit, Failure, GREEN, RED, styled};
use crate::progress;
use crate::settings::{Call, Key, Settings, Target};

/// Where none is named: the contract that asks most of a model.
const CONTRACT: &str = "review";

pub(crate) async fn run(args: &Readiness, json: bool) -> Result<Exit, Failure> {
    if args.undo {
        return fix::undo(json);
    }
    let named = contract::find(args.contract.as_deref(), args.call.schema.as_deref())?;
    let contract = match named {
        Some(contract) => contract,
        None => contract::require(Registry::builtin().names().find(|name| *name == CONTRACT), None)?,
    };
    let call = Call { mechanism: args.call.mechanism.as_deref(), ..Call::default() };
    let target = Target::look(&args.connection, call, json).await?;
    let (diagnosis, origin) = match &target {
        Some(target) => {
            let client = target.client()?;
            let asked = progress::waiting("asking the endpoint what it enforces", json, client.diagnose()).await;
            (Some(asked), Some(target.origin))
        }
        None => (None, None),
    };
    let settings = Settings::resolve(&args.connection)?;
    let situation = |settings| Situation {
        settings,
        diagnosis: diagnosis.as_ref(),
        origin,
        contract: &contract,
        flags: &args.call,
    };
    let checks = checks::all(&situation(&settings));
    if !args.fix {
        tell(&checks, json, None);
        return Ok(Exit::Done);
    }
    if !json {
        print(&checks);
    }
    let fixed = fix::apply(&checks, &settings, json)?;
    let after = checks::all(&situation(&Settings::resolve(&args.connection)?));
    tell(&after, json, Some(fixed));
    Ok(Exit::Done)
}

/// The share of what the good checks weigh, in percent.
fn score(checks: &[Check]) -> u32 {
    let weight = |checks: &mut dyn Iterator<Item = &Check>| checks.map(|check| check.weight).sum::<u32>();
    let all = weight(&mut checks.iter()).max(1);
    weight(&mut checks.iter().filter(|check| check.ok)) * 100 / all
}

fn tell(checks: &[Check], json: bool, fixed: Option<Value>) {
    if json {
        let rows: Vec<Value> = checks.iter().map(document).collect();
        let mut told = json!({"score": score(checks), "checks": rows});
        if let (Some(fixed), Some(told)) = (fixed, told.as_object_mut()) {
            told.insert("fixed".to_owned(), fixed);
        }
        output::document(&told);
    } else {
        print(checks);
    }
}

fn document(check: &Check) -> Value {
    json!({
        "id": check.id,
        "ok": check.ok,
        "weight": check.weight,
        "finding": check.finding,
        "fix": check.fix.as_ref().map(|fix| fix.words.as_str()),
    })
}

fn print(checks: &[Check]) {
    for check in checks {
        let mark = if check.ok { styled(GREEN, "ok  ") } else { styled(RED, "weak") };
        let weight = styled(DIM, &format!("{:>2}", check.weight));
        output::coloured(&format!("{mark} {weight} {:<19} {}", check.id, check.finding));
        if let Some(fix) = check.fix.as_ref().filter(|_| !check.ok) {
            let own = if fix.changes.is_empty() { "" } else { "; --fix does that" };
            output::line(&format!("        {:<19} {}{own}", "", fix.words));
        }
    }
    output::line(&format!("score {} of 100", score(checks)));
}

/// A value for a key of the configuration.
type Change = (Key, String);
