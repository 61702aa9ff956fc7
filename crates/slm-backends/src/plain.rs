//! Text from an endpoint, made fit for one line of a terminal.

/// How much of a server's text a message quotes.
const LONGEST: usize = 300;

/// `text` on one line, without control or direction-changing characters, at most 300 characters.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut count = 0_usize;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if count > 0 {
            out.push(' ');
            count += 1;
        }
        for character in word.chars().filter(|c| !changes_direction(*c)) {
            if count >= LONGEST {
                out.push('…');
                return out;
            }
            out.push(character);
            count += 1;
        }
    }
    out
}

/// Characters that reorder what stands around them on a terminal, or that show nothing at all.
fn changes_direction(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// `text` without these: a server may quote what it was sent.
pub(crate) fn without_secrets(text: &str, secrets: &[String]) -> String {
    let secrets = secrets.iter().filter(|secret| !secret.is_empty());
    secrets.fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "…"))
}
