//! Contracts by name: the sixteen built in, and those a user adds.

use std::sync::LazyLock;

use crate::contract::Contract;
use crate::error::{Error, ErrorKind};

/// Declares the built-in contracts by name; each is `contracts/NAME.json`.
macro_rules! built_in {
    ($($name:literal),+ $(,)?) => {
        const BUILT_IN: &[(&str, &str)] = &[$(($name, include_str!(concat!("../contracts/", $name, ".json")))),+];
    };
}

built_in![
    "plan",
    "tasks",
    "review",
    "tester",
    "clarify",
    "escalate",
    "composition",
    "scope_judge",
    "worker",
    "explore",
    "docs",
    "architect",
    "coordinator",
    "orchestrator",
    "placeholder",
    "lessons",
];

/// Contracts by name.
#[derive(Debug, Default)]
pub struct Registry {
    contracts: Vec<Contract>,
}

impl Registry {
    /// No contracts.
    pub fn new() -> Self {
        Self::default()
    }

    /// The sixteen contracts of a coding harness, read once per process.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Registry> = LazyLock::new(|| {
            // A built-in file that does not parse is left out here and refused by this crate's tests.
            let contracts = BUILT_IN.iter().filter_map(|(name, text)| Contract::from_json(name, text).ok()).collect();
            Registry { contracts }
        });
        &BUILTIN
    }

    /// Adds a contract.
    ///
    /// # Errors
    ///
    /// A contract of that name is there already; a rule of it lies outside the portable profile, so that some endpoint
    /// could not be told it.
    pub fn register(&mut self, contract: Contract) -> Result<(), Error> {
        contract.check_portable()?;
        if self.iter().any(|known| known.name() == contract.name()) {
            let message =
                format!("a contract named \"{}\" is registered already; choose another name", contract.name());
            return Err(Error::new(ErrorKind::DuplicateContract, message));
        }
        self.contracts.push(contract);
        Ok(())
    }

    /// The contract of that name.
    ///
    /// # Errors
    ///
    /// There is none; the error lists the names that are known.
    pub fn get(&self, name: &str) -> Result<&Contract, Error> {
        self.iter().find(|contract| contract.name() == name).ok_or_else(|| {
            let known: Vec<&str> = self.names().collect();
            let message = format!("no contract is named \"{}\"; known are: {}", name.escape_debug(), known.join(", "));
            Error::new(ErrorKind::UnknownContract, message)
        })
    }

    /// The names, in the order of registration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(Contract::name)
    }

    /// The contracts, in the order of registration.
    pub fn iter(&self) -> impl Iterator<Item = &Contract> {
        self.contracts.iter()
    }
}
