//! Our own grammar: exact, but for what a finite pattern must leave out.

use crate::json::Json;
use crate::keywords::is_rule;
use crate::pointer::Pointer;
use crate::report::{EnforcementReport, Tier};
use crate::schema::{Schema, Shape};

/// The report of a schema of the portable profile.
pub(super) fn report(source: &Json, schema: &Schema) -> EnforcementReport {
    let mut report = EnforcementReport::default();
    visit(source, schema, &Pointer::root(), &mut report);
    report
}

fn visit(source: &Json, schema: &Schema, pointer: &Pointer, report: &mut EnforcementReport) {
    let Json::Object(members) = source else { return };
    for (keyword, value) in members.iter().filter(|(keyword, _)| is_rule(keyword)) {
        let (tier, why) = judge(keyword, value, schema);
        report.push(pointer.as_str(), keyword, tier, why);
    }
    match &schema.shape {
        Shape::Object(object) => {
            if source.get("additionalProperties").is_none() {
                let (tier, why) = judge("additionalProperties", &Json::Bool(true), schema);
                report.push(pointer.as_str(), "additionalProperties", tier, why);
            }
            let below = pointer.key("properties");
            for property in &object.properties {
                if let Some(json) = source.get("properties").and_then(|declared| declared.get(&property.name)) {
                    visit(json, &property.schema, &below.key(&property.name), report);
                }
            }
        }
        Shape::Array(array) => {
            if let Some(json) = source.get("items") {
                visit(json, &array.items, &pointer.key("items"), report);
            }
        }
        Shape::String(_) | Shape::Integer(_) | Shape::Number | Shape::Boolean | Shape::Null | Shape::Enum(_) => {}
    }
}

fn judge(keyword: &str, value: &Json, schema: &Schema) -> (Tier, &'static str) {
    match (keyword, &schema.shape) {
        ("additionalProperties", _) if *value == Json::Bool(true) => {
            (Tier::GrammarStricter, "properties that the schema does not declare cannot be written")
        }
        ("type", Shape::Integer(range)) if range.min().is_none() || range.max().is_none() => {
            (Tier::GrammarStricter, "without both bounds an integer has at most 18 digits")
        }
        ("type", Shape::Number) => {
            (Tier::GrammarStricter, "at most 16 digits before and after the point, and no exponent")
        }
        _ => (Tier::Grammar, ""),
    }
}
