#![no_main]

use holdover_fuzz::{begin, judge};
use holdover_sim::jobs::fuzz::fuzz_request;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: begin(), |bytes: &[u8]| judge(&fuzz_request(bytes)));
