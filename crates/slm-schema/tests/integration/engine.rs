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

    /// The most stacks that are live anywhere in `text`, which must be accepted: what each mask costs grows with them.
    #[track_caller]
    pub(crate) fn live_stacks(&mut self, text: &str) -> usize {
        self.0.reset().expect("a fresh state");
        let mut most = self.0.num_stacks();
        let mut buffer = [0; 4];
        for c in text.chars() {
            assert!(self.0.accept_token(c.encode_utf8(&mut buffer)).is_ok(), "{text}");
            most = most.max(self.0.num_stacks());
        }
        most
    }
}
