use holdover::ErrorKind;

/// The kinds of clock errors and stalls that a frontier tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Offset,
    Drift,
    StepBack,
    StepForward,
    Freeze,
    Pause,
    StoreStep,
}

impl Kind {
    pub(super) const ALL: [Self; 7] = [
        Self::Offset,
        Self::Drift,
        Self::StepBack,
        Self::StepForward,
        Self::Freeze,
        Self::Pause,
        Self::StoreStep,
    ];
}

/// Up to four leases.
const SIZES: &[i64] = &[
    0, 1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000,
    15_000, 20_000,
];

/// A clock that loses a whole lease in a lease stands still.
const RATES: &[i64] =
    &[0, 1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500, 700, 1_000, 1_500, 2_000, 3_000, 4_000];

/// What is told of each kind, in their order.
pub(super) const KINDS: &[ErrorKind] = &[
    ErrorKind {
        name: "offset",
        about: "each clock, the store's as well, is off from the start by this many ms, either way",
        ladder: SIZES,
    },
    ErrorKind {
        name: "drift",
        about: "each clock, monotonic ones as well, gains or loses this many ms over one lease",
        ladder: RATES,
    },
    ErrorKind {
        name: "step-back",
        about: "wall clocks of services, sweepers and workers step back by this many ms",
        ladder: SIZES,
    },
    ErrorKind {
        name: "step-forward",
        about: "wall clocks of services, sweepers and workers step forward by this many ms",
        ladder: SIZES,
    },
    ErrorKind {
        name: "freeze",
        about: "a wall clock stands still for this many ms and stays behind by them",
        ladder: SIZES,
    },
    ErrorKind {
        name: "pause",
        about: "a worker stands still for this many ms between looking at its clock and acting",
        ladder: SIZES,
    },
    ErrorKind {
        name: "store-step",
        about: "the store's clock steps within this many ms either side of true time",
        ladder: SIZES,
    },
];
