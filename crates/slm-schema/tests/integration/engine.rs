//! The crate `schoolmarm`, a port of llama.cpp's automaton: does a grammar accept exactly this text?

use schoolmarm::{Grammar, GrammarState};

pub(crate) struct Engine(GrammarState);

impl Engine {
    #[track_caller]
    pub(crate) fn new(grammar: &str) -> Self {
        let parsed = Grammar::new(grammar).unwrap_or_else(|error| panic!("refused: {error}\n{grammar}"));
        Self(GrammarState::new(parsed).expect("the grammar has a root"))
    }

    pub(crate) fn accepts(&mut self, text: &str) -> bool {
        self.0.reset().expect("a fresh state");
        let mut buffer = [0; 4];
        for c in text.chars() {
            if self.0.accept_token(c.encode_utf8(&mut buffer)).is_err() || !self.0.is_valid() {
                return false;
            }
        }
        self.0.is_accepting()
    }
}
