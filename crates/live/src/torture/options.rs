use std::fmt;
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

/// What a store runs on.
pub enum Target<'a> {
    /// A server that belongs to the run.
    Own(&'a mut dyn OwnServer),
    /// A server that others started, at this address. It is left alone; only the way to it is disturbed.
    Others(SocketAddr),
}

impl Target<'_> {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        match self {
            Self::Own(server) => server.address(),
            Self::Others(address) => *address,
        }
    }
}

impl fmt::Debug for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.address()).finish()
    }
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
