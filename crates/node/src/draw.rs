//! Identifiers that must not be guessed, drawn from the operating system.

use holdover_jobs::{Incarnation, JobId, LeaseToken};

/// A fresh job id.
pub fn draw_job_id() -> JobId {
    JobId::new(&format!("job-{}", draw())).expect("letters, digits and a hyphen")
}

/// A fresh lease token.
pub fn draw_token() -> LeaseToken {
    LeaseToken::new(&draw()).expect("32 letters and digits")
}

/// A fresh number for one run of a worker process: 53 bits, so that every reader of JSON keeps it.
pub fn draw_incarnation() -> Incarnation {
    Incarnation(u64::from_be_bytes(bytes()) >> 11)
}

/// 32 hexadecimal digits.
fn draw() -> String {
    bytes::<16>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Without the operating system's randomness no secret can be made, and no process should go on.
fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}
