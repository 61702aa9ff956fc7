#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| slm_fuzz::answer::check(data));
