#![no_main]

use holdover_fuzz::{judge, variant};
use holdover_sim::jobs::fuzz::fuzz_commands;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| judge(&fuzz_commands(variant(), bytes)));
