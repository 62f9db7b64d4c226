/// An operation on leases, as `f` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperationKind {
    /// A job comes in.
    Create,
    /// A lease is granted, or nothing is found.
    Claim,
    /// The holder begins.
    Start,
    /// The holder renews its lease.
    Heartbeat,
    /// The holder says how far it is.
    Progress,
    /// The holder is done: the job is over.
    Complete,
    /// The holder gives up.
    Fail,
    /// A client wants no more of it.
    Cancel,
    /// The holder obeys a cancel: the job is over.
    Acknowledge,
    /// A lease that has run out is taken away.
    Recover,
}

impl OperationKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Create,
        Self::Claim,
        Self::Start,
        Self::Heartbeat,
        Self::Progress,
        Self::Complete,
        Self::Fail,
        Self::Cancel,
        Self::Acknowledge,
        Self::Recover,
    ];

    /// Its name in a history.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Claim => "claim",
            Self::Start => "start",
            Self::Heartbeat => "heartbeat",
            Self::Progress => "progress",
            Self::Complete => "complete",
            Self::Fail => "fail",
            Self::Cancel => "cancel",
            Self::Acknowledge => "acknowledge",
            Self::Recover => "recover",
        }
    }

    /// The operation of this name; none for one that the checks do not know.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether it is the holder's: it names the lease and needs it.
    pub fn uses_lease(self) -> bool {
        !matches!(self, Self::Create | Self::Claim | Self::Cancel | Self::Recover)
    }

    /// Whether it ends the lease of its holder.
    pub fn ends_lease(self) -> bool {
        matches!(self, Self::Complete | Self::Fail | Self::Acknowledge)
    }
}
