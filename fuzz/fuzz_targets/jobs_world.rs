#![no_main]

use holdover_fuzz::{begin, judge, variant};
use holdover_sim::jobs::fuzz::fuzz_world;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: begin(), |bytes: &[u8]| judge(&fuzz_world(variant(), bytes)));
