//! slmcode
fn main() {}
