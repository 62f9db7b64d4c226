#![no_main]

use holdover_fuzz::judge;
use holdover_sim::jobs::fuzz::fuzz_request;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| judge(&fuzz_request(bytes)));
