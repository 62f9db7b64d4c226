use crate::ServerError;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often, and how many times, is looked whether a server serves: half a minute.
const LOOK_EVERY: Duration = Duration::from_millis(20);
const LOOKS_MAX: u32 = 1_500;
/// The most of a log that an error repeats.
const SAID_LINES: usize = 5;

/// A running server.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
}

/// Whether a program serves yet.
pub(crate) enum Start {
    /// It does.
    Serving(Process),
    /// It has ended, and this is the last that it wrote.
    Ended(String),
}

impl Process {
    /// Starts a program that writes to this log, and waits until it takes connections on this port, and `serves` is
    /// content.
    pub(crate) fn start(
        command: &mut Command,
        log: &Path,
        port: u16,
        serves: impl Fn() -> bool,
    ) -> Result<Start, ServerError> {
        let output = File::create(log).map_err(ServerError::at(log))?;
        let errors = output.try_clone().map_err(ServerError::at(log))?;
        let child = command
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .map_err(ServerError::at(PathBuf::from(command.get_program())))?;
        let mut process = Self { child };
        for _ in 0..LOOKS_MAX {
            if process.child.try_wait().map_err(ServerError::doing("looking after a server"))?.is_some() {
                break;
            }
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() && serves() {
                return Ok(Start::Serving(process));
            }
            pause();
        }
        Ok(Start::Ended(last_words(log)))
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it by this signal, and waits until it has ended.
    pub(crate) fn end(&mut self, signal: Signal) -> Result<(), ServerError> {
        let doing = || ServerError::doing("ending a server");
        if self.child.try_wait().map_err(doing())?.is_some() {
            return Ok(());
        }
        if let Some(id) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            kill_process(id, signal).map_err(|error| doing()(error.into()))?;
        }
        self.child.wait().map(drop).map_err(doing())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // There is nobody to tell.
        let _ = self.end(Signal::KILL);
    }
}

/// Waits a little, for another process.
#[expect(clippy::disallowed_methods, reason = "a real server is waited for in real time")]
pub(crate) fn pause() {
    std::thread::sleep(LOOK_EVERY);
}

fn last_words(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let last = lines[lines.len().saturating_sub(SAID_LINES)..].join("; ");
    if last.is_empty() { "it said nothing".into() } else { last }
}
