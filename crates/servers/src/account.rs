use crate::ServerError;
use std::fs;
use std::os::unix::{fs::chown, process::CommandExt};
use std::path::Path;
use std::process::Command;

/// The account that a server runs as, where it must not run as root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Account {
    uid: u32,
    gid: u32,
}

impl Account {
    /// Another account if this process runs as root; none is needed if it does not.
    pub(crate) fn other_than_root(program: &'static str) -> Result<Option<Self>, ServerError> {
        if !rustix::process::geteuid().is_root() {
            return Ok(None);
        }
        let accounts = fs::read_to_string("/etc/passwd").map_err(ServerError::at("/etc/passwd"))?;
        let known = ["postgres", "nobody"].iter().find_map(|name| Self::named(&accounts, name));
        known.map(Some).ok_or(ServerError::Root(program))
    }

    fn named(accounts: &str, name: &str) -> Option<Self> {
        let mut fields = accounts
            .lines()
            .map(|line| line.split(':'))
            .find_map(|mut fields| (fields.next() == Some(name)).then(|| fields.skip(1)))?;
        Some(Self { uid: fields.next()?.parse().ok()?, gid: fields.next()?.parse().ok()? })
    }

    /// Gives it a file or folder.
    pub(crate) fn own(self, path: &Path) -> Result<(), ServerError> {
        chown(path, Some(self.uid), Some(self.gid)).map_err(ServerError::at(path))
    }

    /// Lets a command run as it.
    pub(crate) fn run(self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
    }
}
