//! Down the ladder: what a refusal, or a reply that breaks what was enforced, takes from a mechanism.

use slm_schema::{Constraint, Lowered};

use crate::attempt::Demotion;
use crate::call::{Call, Sent};
use crate::capabilities::{Spelling, State};
use crate::class::ErrorClass;
use crate::classify::Blame;
use crate::error::ErrorKind;
use crate::failure::Failure;
use crate::judge::{self, Judged};
use crate::knowledge::Choice;
use crate::lower_further::lower_further;
use crate::mechanism::Mechanism;
use crate::probe::{self, Seen};
use crate::watch::{Until, Watch};

/// The plain twin of a refused request only has to be accepted.
const TWIN_CAP: u64 = 16;

impl Call<'_> {
    /// After a refusal: is there another way to send this contract? If so, what stands in its way has been put aside.
    pub(crate) async fn steps_down(
        &mut self,
        choice: &Choice,
        spelling: Spelling,
        lowered: &Lowered,
        failure: &Failure,
    ) -> bool {
        let mechanism = choice.mechanism;
        let forced = self.session.connection.config.mechanism.is_some();
        if self.session.adapts(self.knowledge, &choice.capabilities, failure).await {
            return true;
        }
        if forced || mechanism == Mechanism::PromptOnly || failure.blame == Blame::Nothing {
            return false;
        }
        let refused = self.session.last();
        if failure.blame == Blame::Request && !self.plain_twin_is_taken(choice).await {
            return false;
        }
        let has_strict = choice.identity.provider.preset().has_strict();
        if mechanism == Mechanism::JsonSchema && has_strict && !spelling.without_strict {
            self.without_strict = true;
            return true;
        }
        if self.lowers_further(choice, lowered, failure) {
            return true;
        }
        let Some(seen) = self.probe(choice).await else { return false };
        let demoted = match seen {
            Seen::Unavailable(_) => return false,
            Seen::Rejected(_) | Seen::Ignored(_) => Demotion::Mechanism,
            Seen::Obeyed | Seen::NoEvidence(_) => Demotion::Contract,
        };
        let hash = self.hash;
        self.session
            .learn(self.knowledge, |known| match demoted {
                Demotion::Mechanism => known.learn(mechanism, State::Rejected, &*failure.message),
                Demotion::Contract => known.refuse_contract(mechanism, hash),
            })
            .await;
        self.session.mark_demoted(refused, demoted);
        true
    }

    /// Once a mechanism: is there a schema without the rules that the refusal names?
    fn lowers_further(&mut self, choice: &Choice, lowered: &Lowered, failure: &Failure) -> bool {
        let is_sent_as_schema = matches!(lowered.constraint, Constraint::Schema(_));
        let was_lowered = self.put_aside.as_ref().is_some_and(|(mechanism, _)| *mechanism == choice.mechanism);
        if !is_sent_as_schema || was_lowered {
            return false;
        }
        let before = self.put_aside(choice);
        let Some((keywords, _)) = lower_further(self.task.contract, lowered, before, &failure.message) else {
            return false;
        };
        tracing::info!(mechanism = choice.mechanism.as_str(), ?keywords, "left to the validator");
        self.put_aside = Some((choice.mechanism, keywords));
        true
    }

    /// A schema beyond the endpoint's limits is not sent: the next mechanism carries it.
    pub(crate) async fn is_beyond_limits(&mut self, choice: &Choice, lowered: &Lowered) -> Result<bool, Failure> {
        let Err(error) = lowered.check() else { return Ok(false) };
        if self.session.connection.config.mechanism.is_some() {
            let message = format!("the endpoint takes no such schema by {}: {error}", choice.mechanism);
            return Err(Failure::new(ErrorKind::Usage, ErrorClass::Permanent, message)
                .with_hint("leave the mechanism to the client, or simplify the schema"));
        }
        tracing::info!(mechanism = choice.mechanism.as_str(), %error, "not sent");
        let (mechanism, hash) = (choice.mechanism, self.hash);
        self.session.learn(self.knowledge, |known| known.refuse_contract(mechanism, hash)).await;
        Ok(true)
    }

    /// The same request without the constraint: if that is taken, the constraint was what the endpoint did not like.
    async fn plain_twin_is_taken(&mut self, choice: &Choice) -> bool {
        let messages = self.messages(choice);
        let twin = Choice { mechanism: Mechanism::PromptOnly, ..choice.clone() };
        let lowered = self.task.contract.lower(choice.identity.provider.dialect(twin.mechanism, true));
        let body = self.body(&twin, &messages, Some(TWIN_CAP), &lowered, Spelling::default());
        // The first token says enough.
        let mut watch = Watch::new(Until::Document, None);
        let provider = choice.identity.provider;
        let answer = self.session.connection.chat(body, provider, Some(probe::BUDGET), &mut watch).await;
        self.session.note(Mechanism::PromptOnly, &answer);
        answer.result.is_ok()
    }

    /// A trivial contract by the same mechanism.
    async fn probe(&mut self, choice: &Choice) -> Option<Seen> {
        let until = tokio::time::Instant::now() + probe::BUDGET;
        let probe = probe::probe(
            self.session.connection,
            &choice.identity,
            (&choice.capabilities, &self.session.setting),
            choice.mechanism,
            until,
        )
        .await?;
        self.session.note(choice.mechanism, &probe.answer);
        Some(probe.seen)
    }

    /// A whole reply that breaks what its mechanism enforces is evidence: the mechanism is probed again, and lost if it fails.
    pub(crate) async fn is_unenforced(&mut self, choice: &Choice, sent: &Sent, judged: &Judged) -> bool {
        let mechanism = choice.mechanism;
        let is_evidence = sent.circumstances.shape_enforced
            && !self.suspected.contains(&mechanism)
            && judge::breaks_enforced_rules(&judged.ending, &sent.lowered.report);
        if !is_evidence {
            return false;
        }
        self.suspected.push(mechanism);
        let broken = self.session.last();
        let (state, detail) = match self.probe(choice).await {
            Some(Seen::Ignored(detail)) => (State::Ignored, detail),
            Some(Seen::Rejected(detail)) => (State::Rejected, detail),
            Some(Seen::Obeyed | Seen::NoEvidence(_) | Seen::Unavailable(_)) | None => return false,
        };
        self.session.learn(self.knowledge, |known| known.learn(mechanism, state, detail)).await;
        self.session.mark_demoted(broken, Demotion::Mechanism);
        true
    }
}
