use crate::process::{Process, Start};
use crate::{ServerError, port, secret};
use rustix::process::Signal;
use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const PROGRAM: &str = "redis-server";
const PACKAGE: &str = "redis-server";
/// A server that says nothing for so long is not ready.
const ANSWER_MAX: Duration = Duration::from_secs(1);

/// When a Redis server flushes what it has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendFsync {
    /// Before it answers.
    Always,
    /// About once a second.
    EverySecond,
}

/// A throw-away Redis server with an append-only file. It is gone with this value.
#[derive(Debug)]
pub struct Redis {
    /// The server ends before its folder goes.
    process: Option<Process>,
    port: u16,
    password: String,
    home: TempDir,
}

impl Redis {
    /// Starts the installed program.
    ///
    /// # Errors
    /// Redis is not installed, or does not start.
    pub fn start(fsync: AppendFsync) -> Result<Self, ServerError> {
        let mut server = Self {
            process: None,
            port: port::free()?,
            password: secret::draw()?,
            home: TempDir::with_prefix("holdover-redis-").map_err(ServerError::doing("making a folder"))?,
        };
        server.configure(fsync)?;
        server.restart()?;
        Ok(server)
    }

    /// The server's address, with its password.
    pub fn url(&self) -> String {
        format!("redis://:{}@127.0.0.1:{}/", self.password, self.port)
    }

    /// Its port on the loopback interface.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its password, for a replica of it.
    pub fn password(&self) -> &str {
        &self.password
    }

    /// Its process id, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Kills it as a crash would. What the operating system was given survives that.
    ///
    /// # Errors
    /// The signal cannot be sent.
    pub fn kill9(&mut self) -> Result<(), ServerError> {
        self.process.take().map_or(Ok(()), |mut process| process.end(Signal::KILL))
    }

    /// Starts it, killing it first if it still runs. Returns once it has read its file and takes connections.
    ///
    /// # Errors
    /// It does not start.
    pub fn restart(&mut self) -> Result<(), ServerError> {
        self.kill9()?;
        let mut command = Command::new(PROGRAM);
        command.arg(self.settings()).current_dir(self.home.path());
        let log = self.home.path().join("log");
        match Process::start(&mut command, &log, self.port, || self.is_ready().unwrap_or(false)) {
            Ok(Start::Serving(process)) => {
                self.process = Some(process);
                Ok(())
            }
            Ok(Start::Ended(said)) => Err(ServerError::Refused { program: PROGRAM, said }),
            Err(ServerError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Err(ServerError::Missing { program: PROGRAM, package: PACKAGE })
            }
            Err(error) => Err(error),
        }
    }

    /// The password stands in a file that only its owner reads: others see the arguments of a process.
    fn configure(&self, fsync: AppendFsync) -> Result<(), ServerError> {
        let fsync = match fsync {
            AppendFsync::Always => "always",
            AppendFsync::EverySecond => "everysec",
        };
        let settings = format!(
            "bind 127.0.0.1\nport {}\nrequirepass {password}\ndir {}\nsave \"\"\n\
             appendonly yes\nappendfsync {fsync}\nrepl-diskless-sync-delay 0\n",
            self.port,
            self.home.path().display(),
            password = self.password,
        );
        let path = self.settings();
        fs::write(&path, settings).map_err(ServerError::at(&path))?;
        fs::set_permissions(&path, Permissions::from_mode(0o600)).map_err(ServerError::at(&path))
    }

    fn settings(&self) -> PathBuf {
        self.home.path().join("redis.conf")
    }

    /// Whether it has read its file: before that it answers that it is loading.
    fn is_ready(&self) -> io::Result<bool> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(ANSWER_MAX))?;
        write!(stream, "AUTH {}\r\nPING\r\n", self.password)?;
        let mut answers = BufReader::new(stream).lines();
        let authorised = answers.next().transpose()?;
        let answer = answers.next().transpose()?;
        Ok(authorised.as_deref() == Some("+OK") && answer.as_deref() == Some("+PONG"))
    }
}
