//! One endpoint, and calls to it.

use std::sync::Arc;

use slm_repair::RepairCounts;
use slm_schema::Contract;

use crate::cache::Cache;
use crate::call::{self, Task};
use crate::capabilities::Capabilities;
use crate::config::Config;
use crate::connection::Connection;
use crate::diagnose::{self, Diagnosis};
use crate::endpoint::Endpoint;
use crate::error::{Error, ErrorKind};
use crate::knowledge::Knowledge;
use crate::outcome::Outcome;
use crate::partial::StructuredStream;
use crate::request::Request;
use crate::retry::{Clock, SystemClock};
use crate::tools::Tools;
use crate::transport::{HttpTransport, Transport, is_header};
use crate::turn;

/// A client of one endpoint. Clones share what was learnt about it, and its connections.
///
/// Its futures run on tokio, with the drivers for time and input/output enabled.
#[derive(Debug, Clone)]
pub struct Client {
    connection: Arc<Connection>,
    knowledge: Arc<Knowledge>,
}

impl Client {
    /// A client with the default configuration.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self::assembled(endpoint, Config::default(), Arc::new(HttpTransport::new()), Arc::new(SystemClock))
    }

    /// A client with this configuration.
    ///
    /// # Errors
    ///
    /// A header, or the key, cannot be sent.
    pub fn with_config(endpoint: Endpoint, config: Config) -> Result<Self, Error> {
        Self::with_transport(endpoint, config, Arc::new(HttpTransport::new()), Arc::new(SystemClock))
    }

    /// A client that sends by a transport of the caller's, and waits by a clock of the caller's.
    ///
    /// # Errors
    ///
    /// A header, or the key, cannot be sent.
    pub fn with_transport(
        endpoint: Endpoint,
        config: Config,
        transport: Arc<dyn Transport>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        if let Some((name, _)) = config.headers.iter().find(|(name, value)| !is_header(name, value)) {
            let message = format!("the header \"{}\" cannot be sent", name.escape_debug());
            return Err(
                Error::new(ErrorKind::Config, message).with_hint("a header is NAME: VALUE, without line breaks")
            );
        }
        if config
            .api_key
            .as_ref()
            .is_some_and(|key| key.expose().is_empty() || !is_header("authorization", key.expose()))
        {
            let message = "the API key is empty or holds characters that cannot be sent";
            return Err(Error::new(ErrorKind::Config, message).with_hint("check the variable that it comes from"));
        }
        Ok(Self::assembled(endpoint, config, transport, clock))
    }

    fn assembled(endpoint: Endpoint, config: Config, transport: Arc<dyn Transport>, clock: Arc<dyn Clock>) -> Self {
        let knowledge = Knowledge::new(config.cache_dir.clone().map(|directory| Cache::new(directory, config.refresh)));
        let connection = Connection::new(endpoint, config, transport, clock);
        Self { connection: Arc::new(connection), knowledge: Arc::new(knowledge) }
    }

    /// The endpoint's address.
    pub fn endpoint(&self) -> &Endpoint {
        &self.connection.endpoint
    }

    /// What the endpoint was seen to enforce so far.
    pub async fn capabilities(&self) -> Capabilities {
        self.knowledge.capabilities().await
    }

    /// What the replies to structured calls came to so far, those that were asked for again included: which were repaired,
    /// and which failures a repair or another request fixed.
    pub fn repairs(&self) -> RepairCounts {
        self.knowledge.repairs.counts()
    }

    /// Asks for a document of this contract, by the strongest mechanism that the endpoint was seen to enforce.
    ///
    /// The first call finds out what that is. A reply that is cut off, refused or invalid is an
    /// [`Outcome`] too: its [`ending`](Outcome::ending) says which.
    ///
    /// # Errors
    ///
    /// The request cannot be sent as it is, no reply came, or the endpoint answered with an error.
    /// [`Error::class`] says what a caller can do about it, [`Error::hint`] what a person can.
    pub async fn structured(&self, contract: &Contract, request: impl Into<Request>) -> Result<Outcome, Error> {
        let request = request.into();
        request.check_structured()?;
        let task = Task { contract, request: &request, partials: None };
        call::structured(&self.connection, &self.knowledge, task).await
    }

    /// The same call, with the document while it grows.
    ///
    /// ```no_run
    /// # async fn show(client: slm_backends::Client, contract: slm_schema::Contract) -> Result<(), slm_backends::Error> {
    /// let mut call = client.structured_stream(&contract, "Plan a walk through Lyon.")?;
    /// while let Some(partial) = call.next().await {
    ///     println!("{partial}");
    /// }
    /// let outcome = call.finish().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The request cannot be sent as it is.
    pub fn structured_stream<'c>(
        &self,
        contract: &'c Contract,
        request: impl Into<Request>,
    ) -> Result<StructuredStream<'c>, Error> {
        let request = request.into();
        request.check_structured()?;
        let (sender, partials) = tokio::sync::mpsc::unbounded_channel();
        let client = self.clone();
        let call = async move {
            let task = Task { contract, request: &request, partials: Some(&sender) };
            call::structured(&client.connection, &client.knowledge, task).await
        };
        Ok(StructuredStream::new(Box::pin(call), partials))
    }

    /// One turn in which the model may call a tool in place of answering with a document of `contract` (without one: with
    /// text).
    ///
    /// Nothing constrains such a request. The first call is kept, its arguments repaired and validated against the tool's own
    /// schema; [`Outcome::dropped_tool_calls`] counts the others.
    ///
    /// # Errors
    ///
    /// Those of [`structured`](Self::structured); and the model's chat template shows it no tools, where the server says so.
    pub async fn turn(
        &self,
        contract: Option<&Contract>,
        tools: &Tools,
        request: impl Into<Request>,
    ) -> Result<Outcome, Error> {
        let request = request.into();
        if contract.is_some() {
            request.check_structured()?;
        } else {
            request.check()?;
        }
        let retry = self.connection.config.retry;
        let task = turn::Task { contract, tools: Some(tools), request: &request, retry };
        turn::turn(&self.connection, &self.knowledge, task).await
    }

    /// Free text: [`Ending::Text`](crate::Ending::Text), unless it was cut, refused or ran into a loop.
    ///
    /// # Errors
    ///
    /// Those of [`structured`](Self::structured).
    pub async fn complete(&self, request: impl Into<Request>) -> Result<Outcome, Error> {
        let request = request.into();
        request.check()?;
        let retry = self.connection.config.plain_retry;
        let task = turn::Task { contract: None, tools: None, request: &request, retry };
        turn::turn(&self.connection, &self.knowledge, task).await
    }

    /// What the endpoint is, and which of the five mechanisms it enforces. Never an error: an endpoint that does not answer
    /// is a finding.
    pub async fn diagnose(&self) -> Diagnosis {
        diagnose::diagnose(&self.connection, &self.knowledge).await
    }
}
