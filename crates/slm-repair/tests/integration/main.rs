//! The crate seen from outside, one module per topic.

mod suite;
