//! What is asked, as numbers that are read against what is stored.

use holdover_jobs::*;
use holdover_machine::Span;
use proptest::{option, prelude::*, sample::select};
use serde_json::{Value, json};
use std::sync::Arc;

/// Worker processes; each has its name, and its incarnation is its number.
pub(crate) const WORKERS: u8 = 3;
/// Keys and ids that creates name.
const JOBS: u8 = 10;

/// One thing that happens.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    /// How far the caller's clock moves before, in milliseconds.
    pub(crate) caller_by: i64,
    /// How far the store's clock moves before, in milliseconds.
    pub(crate) store_by: i64,
    /// What is asked.
    pub(crate) ask: Ask,
    /// After how many of its store calls the flight waits until it is resumed.
    pub(crate) waits_after: Option<usize>,
}

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) enum Ask {
    Create {
        job: u8,
        twist: u8,
    },
    Claim {
        worker: u8,
        number_back: u64,
        executors: &'static [&'static str],
        held_max: u32,
        draining: bool,
    },
    Work {
        job: usize,
        operation: &'static str,
        proof: Proof,
        variant: u8,
    },
    Cancel {
        job: usize,
    },
    Recover {
        limit: u32,
    },
    Stats,
    /// A request that waits goes on.
    Resume,
    /// The operator's switch for handing jobs out.
    Switch {
        open: bool,
    },
    /// The gateway's own switch.
    Gate {
        open: bool,
    },
    /// A read of the store that no request makes in this way.
    Read(Read),
    /// A job is kept elsewhere, as it is.
    Keep {
        job: usize,
    },
    /// A job is put back to how it was kept, as a store does that has lost what came later.
    Restore {
        kept: usize,
    },
}

/// A read of the store.
#[derive(Debug, Clone)]
pub(crate) enum Read {
    Key { job: u8, tenant: Option<u8>, padded: bool },
    Events { job: usize, after: u64, limit: u64 },
    Expired { limit: u32, grace: i64 },
    Admission { tenant: Option<u8>, user: Option<u8>, window: i64 },
    Workers { stale_after: i64 },
}

/// What a worker shows for a lease.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Proof {
    /// That it holds it.
    Own,
    /// That it held the last one.
    Past,
    /// The right token, with another attempt and another process.
    Other,
    /// A guess.
    Guess,
}

pub(crate) fn draws() -> impl Strategy<Value = Draw> {
    let by = || prop_oneof![8 => Just(0), 8 => 0..4_000_i64, 3 => 0..40_000_i64, 2 => -30_000..0_i64];
    let waits_after = prop_oneof![5 => Just(None), 1 => (0..3_usize).prop_map(Some)];
    (by(), by(), asks(), waits_after).prop_map(|(caller_by, store_by, ask, waits_after)| Draw {
        caller_by,
        store_by,
        ask,
        waits_after,
    })
}

fn asks() -> impl Strategy<Value = Ask> {
    let executors = select(vec![&["aider"][..], &["goosed"], &["aider", "goosed"], &["goosed", "aider"]]);
    let back = prop_oneof![6 => Just(0_u64), 1 => 1..3_u64];
    let claim = (0..WORKERS, back, executors, 1..4_u32, prop::bool::weighted(0.05));
    let operation = prop_oneof![
        5 => Just("start"), 4 => Just("heartbeat"), 1 => Just("progress"), 3 => Just("complete"),
        4 => Just("fail"), 1 => Just("acknowledge"),
    ];
    let proof = prop_oneof![
        16 => Just(Proof::Own), 3 => Just(Proof::Past), 1 => Just(Proof::Other), 1 => Just(Proof::Guess),
    ];
    prop_oneof![
        8 => (0..JOBS, any::<u8>()).prop_map(|(job, twist)| Ask::Create { job, twist }),
        8 => claim.prop_map(|(worker, number_back, executors, held_max, draining)| {
            Ask::Claim { worker, number_back, executors, held_max, draining }
        }),
        14 => (any::<u8>(), operation, proof, any::<u8>()).prop_map(|(job, operation, proof, variant)| {
            Ask::Work { job: job.into(), operation, proof, variant }
        }),
        2 => any::<u8>().prop_map(|job| Ask::Cancel { job: job.into() }),
        2 => (1..4_u32).prop_map(|limit| Ask::Recover { limit }),
        1 => Just(Ask::Stats),
        2 => Just(Ask::Resume),
        1 => prop::bool::weighted(0.7).prop_map(|open| Ask::Switch { open }),
        1 => prop::bool::weighted(0.7).prop_map(|open| Ask::Gate { open }),
        4 => reads().prop_map(Ask::Read),
        2 => any::<u8>().prop_map(|job| Ask::Keep { job: job.into() }),
        1 => any::<u8>().prop_map(|kept| Ask::Restore { kept: kept.into() }),
    ]
}

fn reads() -> impl Strategy<Value = Read> {
    let tenant = || option::of(0..3_u8);
    let span = || 0..60_000_i64;
    prop_oneof![
        (0..JOBS, tenant(), any::<bool>()).prop_map(|(job, tenant, padded)| Read::Key {
            job,
            tenant,
            padded
        }),
        (any::<u8>(), 0..12_u64, 0..6_u64)
            .prop_map(|(job, after, limit)| { Read::Events { job: job.into(), after, limit } }),
        (0..4_u32, span()).prop_map(|(limit, grace)| Read::Expired { limit, grace }),
        (tenant(), tenant(), span()).prop_map(|(tenant, user, window)| Read::Admission {
            tenant,
            user,
            window
        }),
        span().prop_map(|stale_after| Read::Workers { stale_after }),
    ]
}

/// Settings small enough that every bound is met.
pub(crate) fn settings() -> impl Strategy<Value = Settings> {
    let limit = || option::of(1..5_u64);
    let limits = (limit(), limit(), limit()).prop_map(|(global, tenant, recent)| {
        AdmissionPolicy::Limits(AdmissionLimits {
            global_active_max: global.map(|max| max + 2),
            tenant_active_max: tenant,
            tenant_recent_max: recent,
        })
    });
    let admission =
        prop_oneof![2 => Just(AdmissionPolicy::Open), 1 => Just(AdmissionPolicy::Asked), 3 => limits];
    let times = (select(vec![0, 3_000]), select(vec![0, 10_000]), select(vec![20_000, 600_000]));
    (admission, times, 1..4_u32, 1..3_u32).prop_map(
        |(admission, (grace, cancel_grace, memory), unstarted_max, take_over_max)| Settings {
            execution_enabled: true,
            registry: Arc::new(Registry::worker_queue(["aider", "goosed"])),
            admission,
            recovery_grace: Span::from_ms(grace),
            cancel_grace: Span::from_ms(cancel_grace),
            claim_memory: Span::from_ms(memory),
            back_off_max: Span::from_ms(5_000),
            unstarted_max,
            take_over_max,
            ..Settings::default()
        },
    )
}

/// The input of a create. A twist of 0 to 127 is none, so that most repeats are repeats.
pub(crate) fn create(job: u8, twist: u8) -> Value {
    let twisted = |bit: u8| twist >= 128 && twist >> bit & 1 == 1;
    let names = |kind: &str, number: u8| (number > 0).then(|| format!("{kind}{}", number - 1));
    let id = if twisted(0) { (job + 1) % JOBS } else { job };
    json!({
        // Ids that differ in case alone, and keys with white space around.
        "jobId": if twisted(1) { Value::Null } else { id_of(id).into() },
        "idempotencyKey": if twisted(2) { format!(" k{job}\u{FEFF}") } else { format!("k{job}") },
        "instruction": if twisted(3) { "another" } else { "build" },
        "executor": match job % 5 { 4 => "goosed", 3 if twisted(4) => "unknown", _ => "aider" },
        "task": { "workspaceRef": { "id": "w" } },
        "subject": {
            "tenantId": names("t", (job + u8::from(twisted(5))) % 4), "userId": names("u", job % 3),
        },
        "authorization": { "executionAllowed": true },
        "policy": { "sideEffectsAllowed": !(job == 7 && twisted(6)) },
        "controls": {
            "maxAttempts": 1 + job % 3, "timeoutMs": 8_000 + 8_000 * i64::from(job),
            "cancellationAllowed": job != 8,
        },
    })
}

fn id_of(job: u8) -> String {
    match job % 3 {
        0 => format!("j:{}", job / 3),
        1 => format!("J:{}", job / 3),
        _ => format!("j_{}", job / 3),
    }
}

/// The data of a worker's operation: few, so that some repeat the one before and some do not.
pub(crate) fn work(operation: &str, variant: u8) -> Value {
    match operation {
        "heartbeat" => json!({ "leaseDurationMs": 5_000 + 10_000 * i64::from(variant % 3) }),
        "progress" => json!({ "type": "executor_job_progress", "data": variant % 2 }),
        "complete" => json!({ "result": { "outcome": format!("o{}", variant % 2) } }),
        "fail" => json!({
            "error": { "code": format!("E{}", variant % 2), "retryable": variant % 8 != 7 },
            "retryDelayMs": match variant / 2 % 4 { 0 => 0, 1 => 500, 2 => 3_000, _ => 3_600_000 },
        }),
        _ => json!({}),
    }
}
