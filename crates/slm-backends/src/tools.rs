//! The tools that a model may call, and what its calls come to.

use serde_json::Value;
use slm_schema::{Constraint, Contract, Dialect, EnforcementReport, Lowered};

use crate::error::{Error, ErrorKind};
use crate::provider::{Preset, ToolForm};

/// A tool without parameters takes this.
const NO_PARAMETERS: &str = r#"{"type":"object","properties":{},"additionalProperties":false}"#;

/// Something that a model may call.
#[derive(Debug)]
pub struct Tool {
    name: String,
    description: Option<String>,
    parameters: Contract,
}

impl Tool {
    /// A tool of this name, whose arguments are a document of `parameters`.
    #[must_use]
    pub fn new(name: impl Into<String>, parameters: Contract) -> Self {
        Self { name: name.into(), description: None, parameters }
    }

    /// Says what it is for.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its arguments have to be.
    pub fn parameters(&self) -> &Contract {
        &self.parameters
    }
}

/// The tools of a turn.
#[derive(Debug, Default)]
pub struct Tools {
    tools: Vec<Tool>,
    required: bool,
}

impl Tools {
    /// These tools, of which the model may call one or none.
    #[must_use]
    pub fn new(tools: Vec<Tool>) -> Self {
        Self { tools, required: false }
    }

    /// Makes the model call one.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Reads the `tools` array of OpenAI's chat API.
    ///
    /// # Errors
    ///
    /// It is no such array, is empty, or a tool's parameters are a schema that cannot be used; the error names the place.
    ///
    /// ```
    /// let tools = slm_backends::Tools::from_json(
    ///     r#"[{"type": "function", "function": {"name": "now", "description": "The time"}}]"#,
    /// )?;
    /// assert_eq!(tools.iter().next().map(|tool| tool.name()), Some("now"));
    /// # Ok::<(), slm_backends::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        // Names and places alone: the schemas are read from the text, which keeps their order.
        let raw: Vec<Entry<'_>> = serde_json::from_str(text)
            .map_err(|error| usage(format!("the tools are no array of tools as OpenAI's API has it: {error}")))?;
        if raw.is_empty() {
            return Err(usage("there are no tools in the array".to_owned()));
        }
        let tools =
            raw.into_iter().enumerate().map(|(place, entry)| entry.read(place)).collect::<Result<Vec<_>, _>>()?;
        for (place, tool) in tools.iter().enumerate() {
            if tools.iter().take(place).any(|before| before.name == tool.name) {
                return Err(usage(format!("two tools have the name \"{}\"", tool.name.escape_debug())));
            }
        }
        Ok(Self::new(tools))
    }

    /// The tools, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter()
    }

    /// Each tool with its parameters as they were sent.
    pub(crate) fn lowered(&self, preset: &Preset, strict: bool) -> Vec<(&Tool, Lowered)> {
        self.tools.iter().map(|tool| (tool, tool.lowered(preset, strict))).collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The fields of a request body, each with its value as JSON text.
    pub(crate) fn fields(&self, preset: &Preset, strict: bool) -> Vec<(String, String)> {
        let tools: Vec<String> = self.tools.iter().map(|tool| tool.text(preset, strict)).collect();
        let mut fields = vec![("tools".to_owned(), format!("[{}]", tools.join(",")))];
        let choice = match preset.tool_form {
            ToolForm::Function => Some(format!("\"{}\"", preset.required_tool)),
            ToolForm::InputSchema => Some(r#"{"type":"any"}"#.to_owned()),
            ToolForm::FunctionWithoutChoice => None,
        };
        fields.extend(choice.filter(|_| self.required).map(|choice| ("tool_choice".to_owned(), choice)));
        fields
    }
}

impl Tool {
    fn text(&self, preset: &Preset, strict: bool) -> String {
        let name = Value::from(self.name.as_str());
        let described = self.description.as_deref().map(|text| format!(r#""description":{},"#, Value::from(text)));
        let strict_field = if strict { r#""strict":true,"# } else { "" };
        // Held to it or not, the model reads the schema in the dialect that its server can compile.
        let parameters = match self.lowered(preset, strict).constraint {
            Constraint::Schema(schema) => schema,
            Constraint::Grammar(_) | Constraint::JsonObject | Constraint::None | _ => self.parameters.to_json(),
        };
        let described = described.unwrap_or_default();
        match preset.tool_form {
            ToolForm::Function | ToolForm::FunctionWithoutChoice => format!(
                r#"{{"type":"function","function":{{"name":{name},{described}{strict_field}"parameters":{parameters}}}}}"#
            ),
            ToolForm::InputSchema => {
                format!(r#"{{"name":{name},{described}{strict_field}"input_schema":{parameters}}}"#)
            }
        }
    }

    /// Its parameters as they are sent, and the way back from what comes.
    pub(crate) fn lowered(&self, preset: &Preset, strict: bool) -> Lowered {
        self.parameters.lower(preset.dialect(strict))
    }

    /// Who makes sure of what in its arguments.
    pub(crate) fn report(&self, preset: &Preset, strict: bool) -> EnforcementReport {
        let dialect = if strict { preset.dialect(strict) } else { Dialect::PromptOnly };
        self.parameters.lower(dialect).report
    }
}

#[derive(Debug, serde::Deserialize)]
struct Entry<'t> {
    #[serde(borrow)]
    function: Function<'t>,
}

#[derive(Debug, serde::Deserialize)]
struct Function<'t> {
    name: String,
    description: Option<String>,
    #[serde(borrow)]
    parameters: Option<&'t serde_json::value::RawValue>,
}

impl Entry<'_> {
    fn read(self, place: usize) -> Result<Tool, Error> {
        let Function { name, description, parameters } = self.function;
        let schema = parameters.map_or(NO_PARAMETERS, serde_json::value::RawValue::get);
        let parameters = Contract::from_json(&name, schema).map_err(|error| {
            usage(format!("/{place}/function/parameters (tool \"{}\"): {error}", name.escape_debug()))
        })?;
        Ok(Tool { name, description, parameters })
    }
}

fn usage(message: String) -> Error {
    Error::new(ErrorKind::Usage, message)
}
