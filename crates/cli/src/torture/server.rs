use crate::store::{Elsewhere, StoreUrl};
use clap::ValueEnum;
use holdover_live::{OwnServer, Target};
use holdover_servers::{AppendFsync, Postgres, Redis, ServerError};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The kinds of servers that a run can have of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServerKind {
    /// A process of this program that keeps an SQLite file
    Sqlite,
    /// PostgreSQL, every commit flushed
    Postgres,
    /// Redis with an append-only file, flushed before each answer
    Redis,
}

/// What a run is made against.
pub(crate) enum Server {
    Sqlite(Writer),
    Postgres(Postgres),
    Redis(Redis),
    /// One that others started.
    Others(Elsewhere),
}

impl Server {
    pub(crate) fn start(kind: ServerKind, program: &Path, folder: &Path) -> Result<Self, String> {
        match kind {
            ServerKind::Sqlite => Writer::start(program, &folder.join("jobs.db")).map(Self::Sqlite),
            ServerKind::Postgres => Postgres::start().map(Self::Postgres).map_err(said),
            ServerKind::Redis => Redis::start(AppendFsync::Always).map(Self::Redis).map_err(said),
        }
    }

    /// What keeps the store of this URL. An SQLite file gets a process that writes it, which is killed like any server.
    pub(crate) fn of(url: &StoreUrl, program: &Path) -> Result<Self, String> {
        match url {
            StoreUrl::Memory => Err("`memory:` is in no other process, which could be tortured".to_owned()),
            StoreUrl::Sqlite(file) => Writer::start(program, file).map(Self::Sqlite),
            StoreUrl::Postgres(url) => Elsewhere::at(url, 5432).map(Self::Others),
            StoreUrl::Redis(url) => Elsewhere::at(url, 6379).map(Self::Others),
            StoreUrl::Node(address) => Elsewhere::at(&format!("node://{address}"), 0).map(Self::Others),
        }
    }

    /// How workers reach it through an address.
    pub(crate) fn url_of(&self) -> impl Fn(SocketAddr) -> String + use<> {
        let way = match self {
            Self::Others(elsewhere) => elsewhere.clone(),
            own => Elsewhere { url: own.direct(), host: own.address().to_string(), address: own.address() },
        };
        move |proxy| way.by(proxy)
    }

    /// As the run sees it.
    pub(crate) fn target(&mut self) -> Target<'_> {
        match self {
            Self::Others(elsewhere) => Target::Others(elsewhere.address),
            own => Target::Own(own),
        }
    }

    /// How it is reached without anything in between.
    pub(crate) fn url(&self) -> Result<StoreUrl, String> {
        self.direct().parse()
    }

    fn direct(&self) -> String {
        match self {
            Self::Sqlite(writer) => format!("node://{}", writer.address),
            Self::Postgres(postgres) => postgres.url(),
            Self::Redis(redis) => redis.url(),
            Self::Others(elsewhere) => elsewhere.url.clone(),
        }
    }
}

fn said(error: ServerError) -> String {
    error.to_string()
}

impl OwnServer for Server {
    fn address(&self) -> SocketAddr {
        match self {
            Self::Sqlite(writer) => writer.address,
            Self::Postgres(postgres) => (Ipv4Addr::LOCALHOST, postgres.port()).into(),
            Self::Redis(redis) => (Ipv4Addr::LOCALHOST, redis.port()).into(),
            Self::Others(elsewhere) => elsewhere.address,
        }
    }

    fn kill(&mut self) -> Result<(), String> {
        match self {
            Self::Sqlite(writer) => writer.kill(),
            Self::Postgres(postgres) => postgres.kill9().map_err(said),
            Self::Redis(redis) => redis.kill9().map_err(said),
            Self::Others(_) => Err("it is somebody else's".to_owned()),
        }
    }

    fn start(&mut self) -> Result<(), String> {
        match self {
            Self::Sqlite(writer) => writer.spawn(),
            Self::Postgres(postgres) => postgres.restart().map_err(said),
            Self::Redis(redis) => redis.restart().map_err(said),
            Self::Others(_) => Err("it is somebody else's".to_owned()),
        }
    }
}

/// The one process that writes an SQLite file.
pub(crate) struct Writer {
    program: PathBuf,
    file: PathBuf,
    address: SocketAddr,
    child: Option<Child>,
}

impl Writer {
    fn start(program: &Path, file: &Path) -> Result<Self, String> {
        // The port is free now; it is kept for the whole run, because workers know it.
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        let address = free.map_err(|error| format!("there is no free port: {error}"))?;
        let (program, file) = (program.to_owned(), file.to_owned());
        let mut writer = Self { program, file, address, child: None };
        writer.spawn()?;
        Ok(writer)
    }

    #[expect(clippy::disallowed_methods, reason = "it waits for a process, not for a world")]
    fn spawn(&mut self) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        command.arg("store-node").arg("--store").arg(format!("sqlite:{}", self.file.display()));
        command.args(["--listen", &self.address.to_string()]).stdin(Stdio::null()).stdout(Stdio::null());
        self.child = Some(command.spawn().map_err(|error| format!("it does not start: {error}"))?);
        for _ in 0..500 {
            if TcpStream::connect(self.address).is_ok() {
                return Ok(());
            }
            sleep(Duration::from_millis(20));
        }
        Err("it does not listen".to_owned())
    }

    fn kill(&mut self) -> Result<(), String> {
        let Some(mut child) = self.child.take() else { return Ok(()) };
        let killed = child.kill().and_then(|()| child.wait());
        killed.map(drop).map_err(|error| format!("it cannot be killed: {error}"))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // There is nobody to tell.
        let _ = self.kill();
    }
}
