//! What was learnt about an endpoint, shared by everyone who calls it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use slm_repair::RepairStats;
use slm_schema::Contract;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::cache::Cache;
use crate::capabilities::Capabilities;
use crate::connection::Connection;
use crate::identify::{Identity, Reach, identify};
use crate::mechanism::Mechanism;
use crate::negotiate::{self, Next};
use crate::probe::{self, BUDGET, Probe, Seen};
use crate::provider::Provider;
use crate::setting::Setting;

/// What was learnt about an endpoint. Who finds something out holds the lock, so that others wait for it and do not ask again.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    learnt: Mutex<Learnt>,
    cache: Option<Cache>,
    /// What the replies came to.
    pub(crate) repairs: RepairStats,
}

/// Callers that waited for the same finding share it; later ones look again, since a server may be up by then.
const FRESH: Duration = Duration::from_secs(5);
/// An endpoint that was too slow for a probe is not kept from its work by another one at once.
const REST: Duration = Duration::from_mins(1);
/// For a person who wants to know about every mechanism.
const EXPLORING_BUDGET: Duration = Duration::from_mins(1);

#[derive(Debug, Default)]
struct Learnt {
    /// With the time until which it counts, where it is no good news.
    identity: Option<(Arc<Identity>, Option<Instant>)>,
    /// What the capabilities were learnt from.
    fingerprint: Option<String>,
    capabilities: Capabilities,
    /// In which setting.
    setting: String,
    /// The same for other settings.
    others: BTreeMap<String, Capabilities>,
    /// No probe is sent before: the endpoint was too slow for the last one.
    resting_until: Option<Instant>,
}

/// What a call starts from.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) mechanism: Mechanism,
    pub(crate) identity: Arc<Identity>,
    pub(crate) capabilities: Capabilities,
}

impl Knowledge {
    pub(crate) fn new(cache: Option<Cache>) -> Self {
        Self { learnt: Mutex::default(), cache, repairs: RepairStats::default() }
    }

    /// The mechanism for a contract: by what is known, after finding out what is not. Never an error, and never longer than
    /// the budget; where nothing could be found out it is the floor.
    pub(crate) async fn choose(
        &self,
        connection: &Connection,
        setting: &Setting,
        contract: &Contract,
        hash: u64,
    ) -> Choice {
        let mut learnt = self.learnt.lock().await;
        let until = Instant::now() + BUDGET;
        let identity = learnt.identity(connection, self.cache.as_ref(), until).await;
        learnt.turn_to(connection, self.cache.as_ref(), &identity, setting).await;
        let mechanism = match connection.config.mechanism {
            Some(forced) => forced,
            None => learnt.negotiate(connection, &identity, setting, (contract, hash), until).await,
        };
        self.keep(connection, &learnt).await;
        Choice { mechanism, identity, capabilities: learnt.capabilities.clone() }
    }

    /// For a call that nothing constrains. Only for `tools` is an endpoint asked what it is where all else is configured.
    pub(crate) async fn unconstrained(&self, connection: &Connection, setting: &Setting, tools: bool) -> Choice {
        let mut learnt = self.learnt.lock().await;
        let config = &connection.config;
        let identity = match (&config.model, connection.provider) {
            (Some(_), Some(provider)) if !tools || provider != Provider::LlamaCpp => {
                Arc::new(Identity::configured(provider))
            }
            _ => learnt.found(connection, self.cache.as_ref(), Instant::now() + BUDGET).await,
        };
        learnt.turn_to(connection, self.cache.as_ref(), &identity, setting).await;
        Choice { mechanism: Mechanism::PromptOnly, identity, capabilities: learnt.capabilities.clone() }
    }

    /// Finds out about every mechanism, whether it is needed or not.
    pub(crate) async fn explore(&self, connection: &Connection) -> (Arc<Identity>, Capabilities) {
        let mut learnt = self.learnt.lock().await;
        let end = Instant::now() + EXPLORING_BUDGET;
        let identity = learnt.identity(connection, self.cache.as_ref(), Instant::now() + BUDGET).await;
        let setting = Setting::default();
        learnt.turn_to(connection, self.cache.as_ref(), &identity, &setting).await;
        if identity.is_reachable() {
            for mechanism in Mechanism::ALL.into_iter().filter(|mechanism| *mechanism != Mechanism::PromptOnly) {
                if learnt.capabilities.is_probed(mechanism) {
                    continue;
                }
                let until = end.min(Instant::now() + BUDGET);
                match learnt.probe(connection, &identity, &setting, mechanism, until).await {
                    Some(Probe { seen: Seen::Unavailable(_), .. }) | None => break,
                    Some(_) => {}
                }
            }
        }
        self.keep(connection, &learnt).await;
        (identity, learnt.capabilities.clone())
    }

    /// Changes what is known, after evidence.
    pub(crate) async fn update(
        &self,
        connection: &Connection,
        setting: &Setting,
        change: impl FnOnce(&mut Capabilities),
    ) {
        let mut learnt = self.learnt.lock().await;
        learnt.swap(&setting.key);
        change(&mut learnt.capabilities);
        self.keep(connection, &learnt).await;
    }

    /// The connection failed: whatever answers next may be another server.
    pub(crate) async fn doubt(&self) {
        if let Some((_, fresh_until)) = &mut self.learnt.lock().await.identity {
            *fresh_until = Some(Instant::now());
        }
    }

    async fn keep(&self, connection: &Connection, learnt: &Learnt) {
        if let (Some(cache), Some((identity, _)), Some(_)) = (&self.cache, &learnt.identity, &learnt.fingerprint) {
            cache.save(connection, identity, (&learnt.setting, &learnt.capabilities)).await;
        }
    }

    /// What is known now, without finding out more.
    pub(crate) async fn capabilities(&self) -> Capabilities {
        self.learnt.lock().await.capabilities.clone()
    }
}

impl Learnt {
    /// What the endpoint is; not asked where all that matters is configured.
    async fn identity(&mut self, connection: &Connection, cache: Option<&Cache>, until: Instant) -> Arc<Identity> {
        let config = &connection.config;
        match (config.mechanism, &config.model, connection.provider) {
            (Some(_), Some(_), Some(provider)) => Arc::new(Identity::configured(provider)),
            _ => self.found(connection, cache, until).await,
        }
    }

    async fn found(&mut self, connection: &Connection, cache: Option<&Cache>, until: Instant) -> Arc<Identity> {
        if let Some((identity, fresh_until)) = &self.identity
            && fresh_until.is_none_or(|until| Instant::now() < until)
        {
            return Arc::clone(identity);
        }
        let identity = match timeout_at(until, identify(connection)).await {
            Ok(identity) => identity,
            // It answered that it is loading, and still is.
            Err(_) => Identity {
                reach: Reach::Answered(503),
                ..Identity::configured(connection.provider.unwrap_or_default())
            },
        };
        let identity = Arc::new(identity);
        let is_lasting = matches!(identity.reach, Reach::Answered(status) if status < 500);
        let fresh_until = (!is_lasting).then(|| Instant::now() + FRESH);
        self.identity = Some((Arc::clone(&identity), fresh_until));
        tracing::info!(
            endpoint = %connection.endpoint,
            provider = identity.provider.as_str(),
            reachable = identity.is_reachable(),
            "identified"
        );
        if is_lasting {
            self.recognise(connection, cache, &identity).await;
        }
        identity
    }

    /// Another server behind the same address does not inherit what its predecessor enforced.
    async fn recognise(&mut self, connection: &Connection, cache: Option<&Cache>, identity: &Identity) {
        let fingerprint = identity.fingerprint(probe::model(connection, identity));
        if self.fingerprint.as_ref() == Some(&fingerprint) {
            return;
        }
        if self.fingerprint.replace(fingerprint).is_some() {
            self.capabilities = Capabilities::default();
            self.others.clear();
            self.resting_until = None;
        }
        if let Some(cache) = cache
            && let Some(known) = cache.load(connection, identity, &self.setting).await
        {
            self.capabilities.add_unknown(&known);
        }
    }

    /// What follows is about this setting. One that is new here may be known from another run.
    async fn turn_to(
        &mut self,
        connection: &Connection,
        cache: Option<&Cache>,
        identity: &Identity,
        setting: &Setting,
    ) {
        let is_new = self.swap(&setting.key);
        if is_new
            && self.fingerprint.is_some()
            && let Some(cache) = cache
            && let Some(known) = cache.load(connection, identity, &self.setting).await
        {
            self.capabilities.add_unknown(&known);
        }
    }

    /// The same without looking anywhere else. Is nothing known about it here?
    fn swap(&mut self, key: &str) -> bool {
        if self.setting == key {
            return false;
        }
        let known = self.others.remove(key);
        let is_new = known.is_none();
        let before = std::mem::replace(&mut self.capabilities, known.unwrap_or_default());
        self.others.insert(std::mem::replace(&mut self.setting, key.to_owned()), before);
        is_new
    }

    async fn negotiate(
        &mut self,
        connection: &Connection,
        identity: &Identity,
        setting: &Setting,
        (contract, hash): (&Contract, u64),
        until: Instant,
    ) -> Mechanism {
        if !identity.is_reachable() {
            return Mechanism::PromptOnly;
        }
        loop {
            let probed = match negotiate::next(&self.capabilities, identity.provider, contract, hash) {
                Next::Use(mechanism) => return mechanism,
                Next::Probe(_) if self.resting_until.is_some_and(|until| Instant::now() < until) => None,
                Next::Probe(mechanism) => self.probe(connection, identity, setting, mechanism, until).await,
            };
            // Out of time, or the endpoint fails for reasons of its own: what is known must do.
            if !probed.is_some_and(|probe| !matches!(probe.seen, Seen::Unavailable(_))) {
                let known = &self.capabilities;
                return known.enforced().find(|mechanism| known.carries(*mechanism, hash)).unwrap_or_default();
            }
        }
    }

    async fn probe(
        &mut self,
        connection: &Connection,
        identity: &Identity,
        setting: &Setting,
        mechanism: Mechanism,
        until: Instant,
    ) -> Option<Probe> {
        let probe = probe::probe(connection, identity, (&self.capabilities, setting), mechanism, until).await;
        if probe.as_ref().is_none_or(Probe::is_timed_out) {
            self.resting_until = Some(Instant::now() + REST);
        }
        let probe = probe?;
        probe.note(&mut self.capabilities, mechanism);
        Some(probe)
    }
}
