//! What a dialect is, as data: a verdict on each keyword, and the shapes it insists on.

use super::scope::Scope;
use super::view::strings;
use crate::json::Json;
use crate::report::Tier;

/// What becomes of one keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) tier: Tier,
    pub(super) why: &'static str,
    pub(super) sent: Sent,
}

/// How a keyword reaches the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// As a keyword.
    Keyword,
    /// As words in the description.
    Words,
    /// Not at all.
    Not,
}

/// Decoding holds it.
pub(super) const ENFORCED: Verdict = Verdict { tier: Tier::Grammar, why: "", sent: Sent::Keyword };

/// Decoding holds it, and more.
pub(super) const fn stricter(why: &'static str) -> Verdict {
    Verdict { tier: Tier::GrammarStricter, why, sent: Sent::Keyword }
}

/// Sent, but not to be relied on.
pub(super) const fn checked(why: &'static str) -> Verdict {
    Verdict { tier: Tier::Validator, why, sent: Sent::Keyword }
}

/// Not sent: the endpoint ignores it, or could not bear it, and shows no schema to the model.
pub(super) const fn withheld(why: &'static str) -> Verdict {
    Verdict { tier: Tier::Validator, why, sent: Sent::Not }
}

/// Put into words: the endpoint would refuse the keyword.
pub(super) const fn refused(why: &'static str) -> Verdict {
    Verdict { tier: Tier::Description, why, sent: Sent::Words }
}

impl Verdict {
    /// Is the rule left to the validator?
    pub(super) fn is_weak(self) -> bool {
        matches!(self.tier, Tier::Validator | Tier::Description)
    }

    pub(super) fn is_sent(self) -> bool {
        self.sent == Sent::Keyword
    }
}

/// What one dialect does with a schema.
#[derive(Debug)]
pub(super) struct Rules {
    /// The verdict on a keyword of a node. It is also asked about `type` and `additionalProperties` where they are absent,
    /// since an endpoint may take their absence for more than the schema says.
    pub(super) judge: fn(&Node<'_>, &str) -> Verdict,
    pub(super) objects: Objects,
    pub(super) root: Root,
    pub(super) tuples: Tuples,
    pub(super) vocabulary: Vocabulary,
    pub(super) limits: &'static Limits,
}

/// How objects are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objects {
    /// As they stand.
    AsWritten,
    /// Closed, whatever the schema says.
    Closed,
    /// Closed, and every property required; one that was optional may be null instead.
    Complete,
}

/// What may stand at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// Any schema.
    Any,
    /// An object; anything else becomes its property `value`.
    Object,
}

/// How arrays are written whose places differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tuples {
    /// Place by place.
    Places,
    /// As items that may look like any of the places.
    Union,
}

/// Which keywords say what others could say too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vocabulary {
    /// All.
    Full,
    /// None: no schema is sent.
    Empty,
    /// No `title`; `const` is an `enum` of one, a list of types an `anyOf`.
    Lean,
}

/// What an endpoint refuses by size.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// Objects and arrays within each other.
    pub(super) levels: Option<usize>,
    /// Properties in all.
    pub(super) properties: Option<usize>,
    /// Values of all enums.
    pub(super) enum_values: Option<usize>,
    /// Characters of all names and values.
    pub(super) characters: Option<usize>,
    /// Properties that are not required.
    pub(super) optional: Option<usize>,
    /// Properties of more than one type.
    pub(super) unions: Option<usize>,
    /// What must hold whatever the size.
    pub(super) forms: &'static [Form],
}

/// A form of schema that an endpoint refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Every schema must say its type.
    Typed,
    /// No reference may come back to itself.
    NoRecursion,
    /// The root must have `properties`.
    RootProperties,
}

/// No limits.
pub(super) const UNLIMITED: Limits = Limits {
    levels: None,
    properties: None,
    enum_values: None,
    characters: None,
    optional: None,
    unions: None,
    forms: &[],
};

/// May a schema do without this keyword, and still be one that the dialect can send? What gives a document its shape stays.
pub(super) fn is_dispensable(rules: &Rules, keyword: &str) -> bool {
    match keyword {
        "type" | "nullable" | "properties" | "required" | "items" | "$ref" => false,
        "additionalProperties" => rules.objects == Objects::AsWritten,
        _ => true,
    }
}

/// What the dialect does with a keyword, or what is done after the endpoint refused it.
fn judged(rules: &Rules, node: &Node<'_>, keyword: &str) -> Verdict {
    let is_refused = node.has(keyword) && node.scope.put_aside.iter().any(|aside| aside == keyword);
    if is_refused && is_dispensable(rules, keyword) {
        return withheld("the endpoint refused the schema for it");
    }
    (rules.judge)(node, keyword)
}

/// The verdict of a dialect on a keyword of a node, with what holds for every dialect.
pub(super) fn verdict(rules: &Rules, node: &Node<'_>, keyword: &str) -> Verdict {
    if node.scope.refs_stand_alone && keyword != "$ref" && node.has("$ref") {
        return withheld("beside `$ref` this draft ignores it");
    }
    let verdict = judged(rules, node, keyword);
    let is_sent = |other: &str| judged(rules, node, other).is_sent();
    match (keyword, node.get(keyword)) {
        ("$ref", Some(_)) if node.scope.target_of(node.json).is_none() => withheld("it leads out of the schema"),
        ("$dynamicRef" | "$recursiveRef", _) => withheld("only `$ref` is followed"),
        // Without the patterns, the names that they stand for would be taken for further ones.
        ("additionalProperties", Some(rest))
            if rules.objects == Objects::AsWritten
                && node.has("patternProperties")
                && !is_sent("patternProperties") =>
        {
            if *rest == Json::Bool(true) {
                verdict
            } else if *rest == Json::Bool(false) && verdict.is_sent() {
                stricter("names that match a pattern cannot be written")
            } else {
                withheld("the names that it is about cannot be told without the patterns")
            }
        }
        ("properties", Some(Json::Object(members))) => {
            let is_forbidden = |(_, schema): &(String, Json)| *schema == Json::Bool(false);
            let is_closed =
                rules.objects != Objects::AsWritten || node.get("additionalProperties") == Some(&Json::Bool(false));
            if members.iter().any(is_forbidden) && !is_closed && verdict.is_sent() {
                return checked("that a property may not be there is not said");
            }
            verdict
        }
        ("items", Some(Json::Array(_))) if rules.tuples == Tuples::Union && verdict.is_sent() => {
            checked("items may look like any of the places")
        }
        ("items", Some(Json::Bool(false))) => judged(rules, node, "maxItems"),
        (_, Some(value)) if verdict.sent == Sent::Words && super::words::of(keyword, value, node.json).is_none() => {
            withheld("too long to be put into words")
        }
        _ => verdict,
    }
}

/// A schema object under judgement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) json: &'a Json,
    pub(super) scope: &'a Scope<'a>,
    pub(super) is_root: bool,
}

impl<'a> Node<'a> {
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Json> {
        self.json.get(keyword)
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.get(keyword).is_some()
    }

    pub(super) fn has_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.has(keyword))
    }

    /// The types that `type` lists; none where it is absent.
    pub(super) fn types(&self) -> Vec<&'a str> {
        self.get("type").map(strings).unwrap_or_default()
    }

    pub(super) fn may_be(&self, name: &str) -> bool {
        self.types().contains(&name)
    }

    /// The one type, `null` aside.
    pub(super) fn is_only(&self, name: &str) -> bool {
        let types = self.types();
        types.contains(&name) && types.iter().all(|found| *found == name || *found == "null")
    }

    /// Does the node speak of objects, by its type or by its keywords?
    pub(super) fn is_object(&self) -> bool {
        self.may_be("object") || (self.types().is_empty() && self.has_any(OBJECT_KEYWORDS))
    }

    /// The type that an endpoint reads into keywords without `type`, if any.
    pub(super) fn assumed_type(&self) -> Option<&'static str> {
        let says_more = self.has_any(&["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"]);
        let by_keyword = [
            ("object", OBJECT_KEYWORDS),
            ("array", ARRAY_KEYWORDS),
            ("string", STRING_KEYWORDS),
            ("number", NUMBER_KEYWORDS),
        ];
        let found = by_keyword.into_iter().find(|(_, keywords)| self.has_any(keywords));
        found.map(|(name, _)| name).filter(|_| !says_more)
    }
}

const OBJECT_KEYWORDS: &[&str] = &[
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
];
const ARRAY_KEYWORDS: &[&str] = &[
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
];
const STRING_KEYWORDS: &[&str] = &["minLength", "maxLength", "pattern", "format"];
const NUMBER_KEYWORDS: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
