use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How a store is tortured.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long it is disturbed.
    pub lasts: Duration,
    /// How many worker processes there are at a time.
    pub workers: u32,
    /// What the disturbances are drawn from.
    pub seed: u64,
    /// Where tapes and history go; it is there.
    pub folder: PathBuf,
}

/// A server that may be killed: it belongs to the run alone.
pub trait OwnServer: Send {
    /// Where it listens; the same after each start.
    fn address(&self) -> SocketAddr;

    /// Kills it as a crash would.
    ///
    /// # Errors
    /// The signal cannot be sent.
    fn kill(&mut self) -> Result<(), String>;

    /// Starts it again. Returns once it takes connections.
    ///
    /// # Errors
    /// It does not start.
    fn start(&mut self) -> Result<(), String>;
}
