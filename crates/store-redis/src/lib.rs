//! The job store on Redis.
//!
//! Every command is one script that the server runs as a whole, so that no other sees a part of it: a claim looks at
//! the head of one line (two, with retries) for each executor, whatever waits behind it. What is out of the ordinary
//! (refusals, repeats, leases to be taken over) goes by the plain records of
//! [`RecordStore`](holdover_store::RecordStore): read, judge, write under conditions.
//!
//! # What is promised
//!
//! The store is as durable as the server's settings make it. They are read whenever a connection is made, and
//! [`RedisStore::describe`] says them.
//!
//! | settings | a crash of the server | a crash of the machine |
//! | --- | --- | --- |
//! | `appendonly yes`, `appendfsync always` | nothing that was answered is lost | nothing that was answered is lost |
//! | `appendfsync everysec` | what was answered last may be lost: what was not yet handed to the operating system | about the last second, never what was written before the last flush |
//! | `appendfsync no` | the same | whatever the operating system had not written |
//! | `appendonly no` | everything since the last snapshot | the same |
//!
//! What is lost is always the end of the history: commands are lost whole, and none is lost before one that is kept.
//! A lost command may have been answered, so that a worker may hold a lease that the store knows nothing of, and its
//! fencing number is given again to another.
//!
//! Replication is asynchronous, whatever `appendfsync` says: **a fail-over to a replica loses what the replica had not
//! been sent**, in the same way. Where that must not happen, use a single server with `appendfsync always`, or another
//! store.
//!
//! A call whose answer does not come has an unknown outcome ([`StoreError::Unknown`](holdover_store::StoreError)), and
//! is never sent again by itself. The first call after a connection was lost unnoticed is one of those.
//!
//! # Keys
//!
//! All begin with `{PREFIX}:`, which keeps them in one slot of a cluster.
//!
//! | key | what |
//! | --- | --- |
//! | `job:ID`, `log:ID` | a job, a hash; its events, a list |
//! | `keys`, `numbers`, `number` | ids by idempotency key and by creation number; the count of creates |
//! | `queued:EXECUTOR`, `retry:EXECUTOR` | the lines of waiting jobs, first to be handed out first |
//! | `leases`, `due` | held jobs by the end of their lease, retries by when they are due |
//! | `counts`, `held` | jobs by status, and by the process that holds them |
//! | `active:tenant`, `active:user`, `created:tenant=T`, `created:user=U` | what admission counts |
//! | `claims`, `claims:used` | the last claim of each process, and when it was |
//! | `workers`, `seen`, `shut`, `form` | the registry; the operator's switch; layout and order |
//!
//! Nothing is ever deleted: a job that was recorded stays recorded.

mod arguments;
mod changes;
mod durability;
mod found;
mod link;
mod open_error;
mod options;
mod outcome;
mod records;
mod reply;
mod row;
mod script;
mod shortcut;
mod store;
mod time_key;

pub use durability::Durability;
pub use open_error::OpenError;
pub use options::RedisOptions;
pub use records::RedisRecords;
pub use store::RedisStore;
