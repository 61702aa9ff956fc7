//! SGLang: xgrammar. It ignores or refuses what vLLM's other engine holds, and reads a union without what stands beside it.

use super::rules::{Node, Rules, Verdict, checked, withheld};
use super::vllm;

pub(super) const RULES: Rules = Rules { judge, ..vllm::RULES };

fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        "anyOf" | "oneOf" | "$ref" => vllm::judge(node, keyword),
        "patternProperties" | "multipleOf" => withheld("the engine refuses or ignores it"),
        _ if node.has(keyword) && node.has_any(&["anyOf", "oneOf"]) => {
            checked("what stands beside a union may not be read")
        }
        _ => vllm::judge(node, keyword),
    }
}
