use holdover_jobs::{Policy, Registry, Rules, Settings};
use holdover_machine::Span;
use std::sync::Arc;

/// The hardened rules with the shortest lease that they allow, so that leases run out, and are recovered, many times
/// in a minute.
pub fn policy() -> Arc<Policy> {
    let settings = Settings {
        execution_enabled: true,
        registry: Arc::new(Registry::worker_queue(["aider"])),
        lease: Span::from_ms(5_000),
        back_off: Span::from_ms(100),
        back_off_max: Span::from_ms(1_000),
        cancel_grace: Span::from_ms(1_000),
        store_durable: true,
        ..Settings::default()
    };
    Arc::new(Policy { rules: Rules::hardened(), settings })
}
