//! What must hold for any bytes, one module an entry point: a fuzzer feeds them, and the ordinary tests of `slm-repair` replay
//! the seeds through them.

pub mod contract;
pub mod pattern;
pub mod repair;
pub mod repair_as;
pub mod stream;
