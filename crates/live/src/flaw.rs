use holdover_jobs::{Call, Change, Command, Create, Guards, Key, Operate, Operated, Reply, Spec};
use holdover_store::{Store, StoreError};
use std::sync::Arc;

/// A bug that a store is given, to see that it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// A heartbeat is looked up by its job alone: whoever sends one keeps the lease.
    HeartbeatById,
    /// An update that changed no row is taken for one that did.
    ZeroRows,
    /// A call of which nobody knows whether it was carried out is made again as if it had not been.
    RetryUnknown,
    /// A claim looks for a job without a lock, and takes it without looking again. [`Unlocked`](crate::Unlocked) is such
    /// a store; it has to be one of records.
    UnlockedClaim,
}

impl Flaw {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::HeartbeatById, Self::ZeroRows, Self::RetryUnknown, Self::UnlockedClaim];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::HeartbeatById => "heartbeat-by-id",
            Self::ZeroRows => "zero-rows",
            Self::RetryUnknown => "retry-unknown",
            Self::UnlockedClaim => "unlocked-claim",
        }
    }

    /// The flaw of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flaw| flaw.name() == name)
    }

    /// What must be found, and nothing else counts.
    pub fn falls(self) -> &'static str {
        match self {
            Self::HeartbeatById | Self::ZeroRows => "fencing",
            Self::RetryUnknown => "idempotent-create",
            Self::UnlockedClaim => "single-owner",
        }
    }
}

/// A store with a flaw, or without one.
#[derive(Debug)]
pub struct Flawed<S> {
    store: S,
    flaw: Option<Flaw>,
}

impl<S: Store> Flawed<S> {
    /// The store with this flaw.
    pub fn new(store: S, flaw: Option<Flaw>) -> Self {
        Self { store, flaw }
    }

    /// Whoever sends a heartbeat is taken for the holder.
    async fn heartbeat_by_id(&self, call: Call, operate: &Operate) -> Result<Reply, StoreError> {
        let load = Call { stamp: call.stamp, command: Command::Load(operate.job.clone()) };
        let Reply::Found(Some(record)) = self.store.execute(load).await? else {
            return self.store.execute(call).await;
        };
        let Some(lease) = &record.lease else { return self.store.execute(call).await };
        let mut operate = operate.clone();
        operate.holder.token = lease.token.clone();
        operate.holder.attempt = Some(lease.attempt);
        operate.holder.incarnation = lease.incarnation;
        operate.guards = Guards::default();
        self.store.execute(Call { stamp: call.stamp, command: Command::Operate(Box::new(operate)) }).await
    }

    /// What was created and not acknowledged is created again, under a name of its own.
    async fn create_again(&self, call: Call, create: &Create) -> Result<Reply, StoreError> {
        let first = self.store.execute(call.clone()).await;
        let Err(StoreError::Unknown(_)) = first else { return first };
        let mut spec: Spec = (*create.spec).clone();
        let again = |text: &str| format!("{text}-again");
        spec.key = Key { scope: spec.key.scope.clone(), text: again(&spec.key.text).into() };
        let Some(id) = holdover_jobs::JobId::new(&again(spec.job_id.as_str())) else { return first };
        spec.job_id = id;
        let create = Create { spec: Arc::new(spec), ..create.clone() };
        self.store.execute(Call { stamp: call.stamp, command: Command::Create(Box::new(create)) }).await
    }
}

impl<S: Store> Store for Flawed<S> {
    async fn execute(&self, call: Call) -> Result<Reply, StoreError> {
        match (self.flaw, &call.command) {
            (Some(Flaw::HeartbeatById), Command::Operate(operate))
                if matches!(operate.change, Change::Heartbeat { .. }) =>
            {
                let operate = operate.clone();
                self.heartbeat_by_id(call, &operate).await
            }
            (Some(Flaw::ZeroRows), Command::Operate(_)) => {
                let reply = self.store.execute(call).await?;
                let Reply::Operated(Operated::Refused { record: Some(record), .. }) = &reply else {
                    return Ok(reply);
                };
                let now = record.updated_at;
                Ok(Reply::Operated(Operated::Applied { record: Arc::clone(record), replayed: false, now }))
            }
            (Some(Flaw::RetryUnknown), Command::Create(create)) => {
                let create = create.clone();
                self.create_again(call, &create).await
            }
            _ => self.store.execute(call).await,
        }
    }
}
