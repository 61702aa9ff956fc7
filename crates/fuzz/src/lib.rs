//! What must hold for any bytes, one module an entry point: a fuzzer feeds them, and the ordinary tests of the crates replay the
//! seeds through them.

pub mod agents;
pub mod answer;
pub mod contract;
pub mod endpoint;
mod folder;
pub mod pattern;
pub mod remembered;
pub mod repair;
pub mod repair_as;
pub mod stream;
