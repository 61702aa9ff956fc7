//! What a contract has, by place; and which names are something else than a field.

use slm_schema::{ObjectShape, Schema, Shape};

use strsim::osa_distance;

use super::text::is_one_of;
use crate::id::base_role;

/// Names of JSON and of schemas: in backticks they promise nothing.
const SCHEMA_WORDS: &str = "\
    array bool boolean dict enum false float int integer json list markdown nil none null number object str \
    string toml true undefined yaml";

/// Commands that coding agents are told to run.
const COMMANDS: &str = "\
    awk bash bazel bun cargo cat cd clippy cmake cp curl deno diff docker eslint fd find gcc gh git go gofmt \
    gradle grep head jest jq just kubectl less ls make mkdir mv mvn mypy ninja node npm npx patch perl pip pnpm \
    prettier pytest python python3 rg rm ruff rustc rustfmt sed sh sudo tail tar tee touch tree tsc uv vitest wc \
    wget which xargs yarn";

/// Usual folders and branches.
const FOLDERS: &str = "\
    bin build crates dist doc docs examples include lib main master node_modules scripts src target test tests \
    vendor";

/// Longer names are no misspelling of a field.
const LONGEST: usize = 64;

/// A contract's fields.
pub(super) struct Fields<'a> {
    /// Every object of the contract, the outermost first.
    places: Vec<Place<'a>>,
    values: Vec<&'a str>,
    tools: &'a [String],
    /// Something in it takes names that are not declared, so a name without a place is never a fault.
    open: bool,
}

/// An object of the contract, and where it is: `""`, `findings[]`.
#[derive(Clone)]
pub(super) struct Place<'a> {
    pub(super) path: String,
    object: &'a ObjectShape,
}

/// What stands at a name.
pub(super) enum Child<'a> {
    /// An object, or an array of such.
    Object(Place<'a>),
    /// A value without fields.
    Leaf,
    /// It may hold anything.
    Open,
    /// Nothing.
    Missing,
}

impl<'a> Fields<'a> {
    pub(super) fn of(schema: &'a Schema, tools: &'a [String]) -> Self {
        let mut fields = Self { places: Vec::new(), values: Vec::new(), tools, open: false };
        fields.collect(schema, String::new());
        fields.places.sort_by_key(|place| place.path.matches('.').count() + usize::from(!place.path.is_empty()));
        fields
    }

    fn collect(&mut self, schema: &'a Schema, path: String) {
        if let Shape::Enum(members) = &schema.shape {
            self.values.extend(members.iter().filter_map(|member| member.value.as_str()));
        }
        match target(schema, path) {
            Child::Object(place) => {
                self.open |= place.object.open;
                self.places.push(place.clone());
                for property in &place.object.properties {
                    self.collect(&property.schema, place.join(&property.name));
                }
            }
            Child::Open => self.open = true,
            Child::Leaf | Child::Missing => self.collect_values(schema),
        }
    }

    /// The enum values of an array's items, which [`target`] has skipped over.
    fn collect_values(&mut self, schema: &'a Schema) {
        if let Shape::Array(array) = &schema.shape {
            if let Shape::Enum(members) = &array.items.shape {
                self.values.extend(members.iter().filter_map(|member| member.value.as_str()));
            }
            self.collect_values(&array.items);
        }
    }

    /// The outermost object.
    pub(super) fn root(&self) -> Option<&Place<'a>> {
        self.places.first()
    }

    pub(super) fn places(&self) -> &[Place<'a>] {
        &self.places
    }

    /// Is it a field somewhere?
    pub(super) fn has(&self, name: &str) -> bool {
        self.places.iter().any(|place| place.has(name))
    }

    /// A field, and no enum value that happens to be spelled the same.
    pub(super) fn is_plainly_field(&self, name: &str) -> bool {
        self.has(name) && !self.is_value(name)
    }

    pub(super) fn is_value(&self, name: &str) -> bool {
        self.values.contains(&name)
    }

    /// Is it a field spelled wrongly: a letter off, two in a long name, or `camelCase` for `snake_case`?
    pub(super) fn is_misspelt(&self, name: &str) -> bool {
        let is_near = |field: &String| {
            let distance = osa_distance(&field.to_lowercase(), &name.to_lowercase());
            let is_plural = name.strip_suffix('s') == Some(field) || field.strip_suffix('s') == Some(name);
            let is_near = (distance == 1 && field.len() >= 6) || (distance == 2 && field.len() >= 10);
            let is_camel = field.contains('_') && field.replace('_', "").eq_ignore_ascii_case(&name.replace('_', ""));
            !is_plural && (is_near || is_camel)
        };
        name.len() <= LONGEST && self.all_names().iter().any(is_near)
    }

    /// Can the name be no fault, whatever is said about it?
    pub(super) fn is_excused(&self, name: &str) -> bool {
        self.open || self.is_value(name) || self.is_tool(name)
    }

    pub(super) fn is_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }

    /// Every name once, the outermost first.
    pub(super) fn all_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.places.iter().flat_map(Place::names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

impl<'a> Place<'a> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.object.property(name).is_some()
    }

    /// The schema of a field.
    pub(super) fn field(&self, name: &str) -> Option<&'a Schema> {
        self.object.property(name).map(|property| &property.schema)
    }

    /// The object itself.
    pub(super) fn object(&self) -> &'a ObjectShape {
        self.object
    }

    /// The fields that a document must have.
    pub(super) fn required(&self) -> impl Iterator<Item = &'a str> {
        self.object.properties.iter().filter(|property| property.required).map(|property| property.name.as_str())
    }

    /// Does it take names that are not declared?
    pub(super) fn is_open(&self) -> bool {
        self.object.open
    }

    pub(super) fn child(&self, name: &str) -> Child<'a> {
        match self.object.property(name) {
            Some(property) => target(&property.schema, self.join(name)),
            None if self.object.open => Child::Open,
            None => Child::Missing,
        }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.object.properties.iter().map(|property| property.name.clone()).collect()
    }

    /// The last name of its path: `findings` of `findings[]`.
    pub(super) fn own_name(&self) -> &str {
        let name = self.path.rsplit('.').next().unwrap_or_default();
        name.trim_end_matches("[]")
    }

    /// Does the word, in lower case, name it: `finding` or `findings`?
    pub(super) fn is_called(&self, word: &str) -> bool {
        let name = self.own_name();
        !name.is_empty() && (word == name || Some(word) == name.strip_suffix('s'))
    }

    pub(super) fn join(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

/// Is it a name of JSON or of schemas?
pub(super) fn is_schema_word(name: &str) -> bool {
    is_one_of(&name.to_ascii_lowercase(), SCHEMA_WORDS)
}

/// Is the name known to be something else than a field, unless the text calls it one?
pub(super) fn is_no_field(name: &str) -> bool {
    // `RUST_LOG`, `HEAD`, `go-worker`: nobody names a field so.
    let odd = name.contains('-') || !name.contains(|c: char| c.is_ascii_lowercase());
    let word = name.to_ascii_lowercase();
    odd || [SCHEMA_WORDS, COMMANDS, FOLDERS].iter().any(|list| is_one_of(&word, list)) || base_role(name).is_some()
}

/// The object that a schema leads to, through arrays.
fn target(mut schema: &Schema, mut path: String) -> Child<'_> {
    loop {
        if let Shape::Object(object) = &schema.shape {
            return Child::Object(Place { path, object });
        }
        let Shape::Array(array) = &schema.shape else { break };
        schema = &array.items;
        path.push_str("[]");
    }
    let leaf = matches!(
        schema.shape,
        Shape::String(_) | Shape::Integer(_) | Shape::Number | Shape::Boolean | Shape::Null | Shape::Enum(_)
    );
    // A shape that is not known here may have fields that cannot be seen.
    if leaf { Child::Leaf } else { Child::Open }
}
