use crate::account::Account;
use crate::process::{Process, Start, pause};
use crate::{ServerError, port, secret};
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = "postgres";
const PACKAGE: &str = "postgresql";
/// Where Debian puts the programs of each version.
const VERSIONS: &str = "/usr/lib/postgresql";
/// A killed server's children may keep its memory for a moment; so often is a start tried again.
const TRIES_MAX: u32 = 250;

/// A throw-away PostgreSQL server: every commit is flushed, and it is gone with this value.
#[derive(Debug)]
pub struct Postgres {
    /// The server ends before its folder goes.
    process: Option<Process>,
    programs: PathBuf,
    account: Option<Account>,
    port: u16,
    password: String,
    home: TempDir,
}

impl Postgres {
    /// Makes a cluster of the newest version that is installed, and starts it.
    ///
    /// # Errors
    /// PostgreSQL is not installed, or does not start.
    pub fn start() -> Result<Self, ServerError> {
        let mut server = Self {
            process: None,
            programs: newest_programs()?,
            account: Account::other_than_root(PROGRAM)?,
            port: port::free()?,
            password: secret::draw()?,
            home: TempDir::with_prefix("holdover-postgres-")
                .map_err(ServerError::doing("making a folder"))?,
        };
        server.make_cluster()?;
        server.restart()?;
        Ok(server)
    }

    /// The server's address, with the name and password of its superuser.
    pub fn url(&self) -> String {
        format!("postgres://holdover:{}@127.0.0.1:{}/postgres", self.password, self.port)
    }

    /// Its port on the loopback interface.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The id of its first process, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Kills it as a crash would. What was not durable is lost.
    ///
    /// # Errors
    /// The signal cannot be sent.
    pub fn kill9(&mut self) -> Result<(), ServerError> {
        self.process.take().map_or(Ok(()), |mut process| process.end(Signal::KILL))
    }

    /// Starts it, killing it first if it still runs. Returns once it takes connections.
    ///
    /// # Errors
    /// It does not start.
    pub fn restart(&mut self) -> Result<(), ServerError> {
        self.kill9()?;
        for _ in 0..TRIES_MAX {
            match Process::start(&mut self.server(), &self.log(), self.port, || self.is_ready())? {
                Start::Serving(process) => {
                    self.process = Some(process);
                    return Ok(());
                }
                Start::Ended(said) if said.contains("shared memory block") => pause(),
                Start::Ended(said) => return Err(ServerError::Refused { program: PROGRAM, said }),
            }
        }
        let said = "the processes of the killed server do not end".into();
        Err(ServerError::Refused { program: PROGRAM, said })
    }

    fn make_cluster(&self) -> Result<(), ServerError> {
        let secret = self.home.path().join("password");
        fs::write(&secret, &self.password).map_err(ServerError::at(&secret))?;
        if let Some(account) = self.account {
            account.own(self.home.path())?;
            account.own(&secret)?;
        }
        let mut command = self.command("initdb");
        // The cluster need not survive a loss of power before it is in use; the server itself flushes.
        command.args(["--no-sync", "--no-instructions", "--encoding=UTF8", "--locale=C"]);
        command.args(["--auth=scram-sha-256", "--username=holdover"]);
        command.arg("--pgdata").arg(self.data()).arg("--pwfile").arg(&secret);
        let output = command.output().map_err(ServerError::doing("initdb"))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ");
        Err(ServerError::Refused { program: "initdb", said })
    }

    fn server(&self) -> Command {
        let mut command = self.command(PROGRAM);
        command.arg("-D").arg(self.data()).arg("-p").arg(self.port.to_string());
        command.args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
        command.args(["-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "max_connections=200"]);
        command
    }

    /// Whether it has recovered and takes connections.
    fn is_ready(&self) -> bool {
        let mut command = self.command("pg_isready");
        command.args(["-q", "-h", "127.0.0.1", "-p"]).arg(self.port.to_string());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        // The folder of the caller may be one that the other account must not enter.
        command.current_dir(self.home.path());
        if let Some(account) = self.account {
            account.run(&mut command);
        }
        command
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("log")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // At once, but together with its children. There is nobody to tell if it fails.
            let _ = process.end(Signal::QUIT);
        }
    }
}

/// The folder with the programs of the newest version.
fn newest_programs() -> Result<PathBuf, ServerError> {
    let versions = fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    versions
        .filter_map(|version| {
            let number: u32 = version.file_name().to_str()?.parse().ok()?;
            let programs = version.path().join("bin");
            has_all(&programs).then_some((number, programs))
        })
        .max()
        .map(|(_, programs)| programs)
        .ok_or(ServerError::Missing { program: PROGRAM, package: PACKAGE })
}

fn has_all(programs: &Path) -> bool {
    [PROGRAM, "initdb", "pg_isready"].iter().all(|program| programs.join(program).is_file())
}
