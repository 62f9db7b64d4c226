/// The kinds of faults that the world injects. Each counts how often some node noticed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A message was lost although its receiver was there.
    Loss,
    /// A message arrived later than it was sent.
    Delay,
    /// A second copy of a message arrived.
    Duplicate,
    /// A message arrived before an older one to the same node.
    Reorder,
    /// A message outlived the promised delay and was lost.
    Overdue,
    /// A message was lost on a link that was cut.
    Cut,
    /// A message waited because its receiver stood still.
    Pause,
    /// A worker acted on a look at its clock that was over.
    Stall,
    /// A worker died with a job or a claim in hand.
    WorkerCrash,
    /// A service died with requests under way, or was asked while dead.
    ServiceCrash,
    /// A sweeper was dead for a while.
    SweeperCrash,
    /// The store restarted with calls under way.
    StoreCrash,
    /// A process came back after a while.
    Restart,
    /// A store call was certainly not carried out.
    Abort,
    /// A store call was not carried out, and nobody knew.
    Vanished,
    /// A store call was carried out, and nobody knew.
    Unconfirmed,
    /// A read was answered from before the last change.
    StaleRead,
    /// A node read a wall clock that was off from the start.
    WallOffset,
    /// A node read its wall clock after it had stepped back.
    WallStepBack,
    /// A node read its wall clock after it had stepped forward.
    WallStepForward,
    /// A node read a wall clock that stood still.
    WallFreeze,
    /// A worker read a clock that runs fast or slow.
    Drift,
    /// The store judged by a clock that had stepped back.
    StoreStepBack,
    /// The store judged by a clock that had stepped forward.
    StoreStepForward,
    /// A sweep came later than its period.
    LateTimer,
}

impl Fault {
    /// The names, by the kinds' order.
    pub(super) const NAMES: &'static [&'static str] = &[
        "loss",
        "delay",
        "duplicate",
        "reorder",
        "overdue-message",
        "one-way-cut",
        "pause",
        "stalled-act",
        "worker-crash",
        "service-crash",
        "sweeper-crash",
        "store-crash",
        "restart",
        "store-abort",
        "unknown-not-applied",
        "unknown-applied",
        "stale-read",
        "clock-offset",
        "clock-step-back",
        "clock-step-forward",
        "clock-freeze",
        "clock-drift",
        "store-clock-step-back",
        "store-clock-step-forward",
        "late-timer",
    ];
}
