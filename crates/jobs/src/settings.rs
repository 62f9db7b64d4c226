use crate::{AdmissionLimits, Registry, admission::WINDOW_DEFAULT};
use holdover_machine::Span;
use std::sync::Arc;

/// Who judges whether one more job may come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdmissionPolicy {
    /// Nobody: every job may.
    Open,
    /// A policy outside, asked with each request that the gates let through.
    Asked,
    /// These limits, on the store's counts.
    Limits(AdmissionLimits),
}

/// How a service is set up. Every length of time has its default in [`Settings::default`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Whether jobs are handed out at all.
    pub execution_enabled: bool,
    /// The executors that it knows.
    pub registry: Arc<Registry>,
    /// Who judges admission.
    pub admission: AdmissionPolicy,
    /// What counts as recent for admission limits.
    pub admission_window: Span,
    /// The lease of a worker that names no duration; 5 s to 5 min.
    pub lease: Span,
    /// After how long without a sign a worker is stale.
    pub stale_after: Span,
    /// The back-off after the first lost attempt; it doubles with each.
    pub back_off: Span,
    /// The longest back-off.
    pub back_off_max: Span,
    /// The most leases of a job that may end without a start.
    pub unstarted_max: u32,
    /// The most that renewals reach beyond a cancel request.
    pub cancel_grace: Span,
    /// How long after its end others leave a lease alone.
    pub recovery_grace: Span,
    /// The most due leases that a claim recovers first.
    pub take_over_max: u32,
    /// How long the result of a numbered claim is remembered; at least the lifetime of a message.
    pub claim_memory: Span,
    /// The name of the store behind it.
    pub store_kind: &'static str,
    /// Whether that store keeps what it has acknowledged.
    pub store_durable: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            execution_enabled: false,
            registry: Arc::new(Registry::contract_only()),
            admission: AdmissionPolicy::Open,
            admission_window: WINDOW_DEFAULT,
            lease: Span::from_ms(30_000),
            stale_after: Span::from_ms(60_000),
            back_off: Span::from_ms(1_000),
            back_off_max: Span::from_ms(60_000),
            unstarted_max: 5,
            cancel_grace: Span::from_ms(30_000),
            recovery_grace: Span::ZERO,
            take_over_max: 2,
            claim_memory: Span::from_ms(600_000),
            store_kind: "memory",
            store_durable: false,
        }
    }
}
