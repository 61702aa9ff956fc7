#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slm_fuzz::remembered::check(data));
