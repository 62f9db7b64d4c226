//! Throw-away database servers, for tests and torture: started from installed binaries in a folder of their own, on
//! a loopback port that nobody else uses, with every write durable. They can be killed and started again, and end
//! with the value that stands for them, by their process id. A server that was there before is never touched.
//!
//! ```no_run
//! let mut server = holdover_servers::Postgres::start()?;
//! println!("{}", server.url());
//! server.kill9()?;
//! server.restart()?;
//! # Ok::<(), holdover_servers::ServerError>(())
//! ```

mod account;
mod error;
mod port;
mod postgres;
mod process;
mod redis;
mod secret;

pub use error::ServerError;
pub use postgres::Postgres;
pub use redis::{AppendFsync, Redis};
