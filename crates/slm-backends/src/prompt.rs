//! What the model is told: the contract's shape always, and after a reply that broke it, what was wrong.

use slm_schema::{Contract, Violation};

use crate::request::Request;
use crate::wire::chat::{Message, Speaker};

/// A reply longer than this is not shown to the model again: it would crowd out the task.
const LONGEST_QUOTED_REPLY: usize = 4000;
const MOST_QUOTED_VIOLATIONS: usize = 8;

/// What was wrong with the last reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The reply itself; `None` where it was cut: models go on where such a text ends.
    pub(crate) reply: Option<String>,
    pub(crate) note: String,
}

impl Complaint {
    /// About a reply that is whole.
    ///
    /// An empty `reply` stands for one that cannot be shown: the arguments of a tool call.
    pub(crate) fn invalid(reply: &str, violations: &[Violation], message: &str) -> Self {
        if reply.is_empty() {
            return Self::about_call(violations, message);
        }
        let mut note = "That answer does not fit:".to_owned();
        list(&mut note, violations, message);
        note.push_str("\nAnswer again with the complete, corrected JSON document on one line and nothing else.");
        Self { reply: Some(reply.to_owned()).filter(|reply| reply.len() <= LONGEST_QUOTED_REPLY), note }
    }

    fn about_call(violations: &[Violation], message: &str) -> Self {
        let mut note = "Your last tool call did not fit:".to_owned();
        list(&mut note, violations, message);
        note.push_str("\nCall it again with complete, corrected arguments.");
        Self { reply: None, note }
    }

    /// About a reply that ended in the middle of its document.
    pub(crate) fn broken_off() -> Self {
        let note = "Your last answer broke off before its JSON document was complete. Answer again, shorter: the complete \
                    JSON document on one line and nothing else.";
        Self { reply: None, note: note.to_owned() }
    }
}

fn list(note: &mut String, violations: &[Violation], message: &str) {
    for violation in violations.iter().take(MOST_QUOTED_VIOLATIONS) {
        let place = if violation.pointer.is_empty() { "the document" } else { &violation.pointer };
        note.extend(["\n- ", place, ": ", &violation.message]);
    }
    if violations.is_empty() {
        note.extend(["\n- ", message]);
    }
}

/// The chat for a request without a contract.
pub(crate) fn plain_messages(request: &Request, complaint: Option<&Complaint>) -> Vec<Message> {
    let system = request.system.as_deref().map(str::trim).filter(|system| !system.is_empty());
    let mut messages: Vec<Message> = system.map(|system| Message::new(Speaker::System, system)).into_iter().collect();
    add_prompt(&mut messages, request, complaint);
    messages
}

/// The chat for a turn in which a tool may be called in place of a document.
pub(crate) fn messages_with_tools(
    request: &Request,
    contract: &Contract,
    complaint: Option<&Complaint>,
) -> Vec<Message> {
    chat(request, contract, complaint, "Call a tool where one helps. Where none does, answer")
}

/// The chat for a request under a contract.
pub(crate) fn messages(request: &Request, contract: &Contract, complaint: Option<&Complaint>) -> Vec<Message> {
    chat(request, contract, complaint, "Answer")
}

fn chat(request: &Request, contract: &Contract, complaint: Option<&Complaint>, answer: &str) -> Vec<Message> {
    // Constrained servers do not show the schema to the model, and OpenAI wants the word JSON to be said.
    let description = contract.describe();
    let shape = format!(
        "{answer} with one JSON document and nothing else: no prose, no Markdown. Write it compact, on one line. Its shape:\n\
         {description}"
    );
    let system = match request.system.as_deref().map(str::trim).filter(|system| !system.is_empty()) {
        // A role's prompt that shows the contract in a place of its own: twice would only be twice the tokens.
        Some(system) if system.contains(&description) => system.to_owned(),
        Some(system) => format!("{system}\n\n{shape}"),
        None => shape,
    };
    let mut messages = vec![Message::new(Speaker::System, system)];
    add_prompt(&mut messages, request, complaint);
    messages
}

fn add_prompt(messages: &mut Vec<Message>, request: &Request, complaint: Option<&Complaint>) {
    match complaint {
        None => messages.push(Message::new(Speaker::User, &*request.prompt)),
        Some(Complaint { reply: Some(reply), note }) => {
            messages.push(Message::new(Speaker::User, &*request.prompt));
            messages.push(Message::new(Speaker::Assistant, &**reply));
            messages.push(Message::new(Speaker::User, &**note));
        }
        // Two user messages in a row are refused by some chat templates.
        Some(Complaint { reply: None, note }) => {
            messages.push(Message::new(Speaker::User, format!("{}\n\n{note}", request.prompt)));
        }
    }
}

/// About how many tokens the messages are. Four characters to a token is what English prose comes to; it is low for
/// everything else, so what a server counts is seldom far below.
pub(crate) fn estimated_tokens(messages: &[Message]) -> u64 {
    let characters: usize = messages.iter().map(|message| message.text.chars().count()).sum();
    u64::try_from(characters / 4).unwrap_or(u64::MAX)
}

/// The same chat for a template that takes no system message: it opens the first one of the user.
pub(crate) fn fold_system(messages: Vec<Message>) -> Vec<Message> {
    let mut system = String::new();
    let mut folded: Vec<Message> = Vec::new();
    for mut message in messages {
        if message.speaker == Speaker::System {
            system = message.text;
            continue;
        }
        if message.speaker == Speaker::User && !system.is_empty() {
            message.text = format!("{}\n\n{}", std::mem::take(&mut system), message.text);
        }
        folded.push(message);
    }
    folded
}
