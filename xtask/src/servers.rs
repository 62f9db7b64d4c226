//! The servers that tests start for themselves: whether their programs are installed, and how they come to be.

use std::{env, fs, path::Path, process::Command};

/// A server, the Debian package that has it, and how its program is found.
struct Server {
    name: &'static str,
    package: &'static str,
    installed: fn() -> bool,
}

const SERVERS: [Server; 2] = [
    Server { name: "PostgreSQL", package: "postgresql", installed: postgres },
    Server { name: "Redis", package: "redis-server", installed: || on_path("redis-server") },
];

/// The packages whose tests need a server.
pub(crate) const PACKAGES: [&str; 3] =
    ["holdover-servers", "holdover-store-postgres", "holdover-store-redis"];

/// Sees that every server is installed. Where one is missing it is installed if that was asked for, or if this is a
/// machine of CI and its root; else the error says what to install.
pub(crate) fn provide(install: bool) -> Result<(), String> {
    let missing = || -> Vec<&Server> { SERVERS.iter().filter(|server| !(server.installed)()).collect() };
    let packages: Vec<&str> = missing().iter().map(|server| server.package).collect();
    if packages.is_empty() {
        return Ok(());
    }
    if install || (env::var_os("CI").is_some() && is_root()) {
        apt_get(&["update"])?;
        apt_get(&[&["install", "--yes", "--no-install-recommends"], &packages[..]].concat())?;
    }
    match missing().as_slice() {
        [] => Ok(()),
        servers => {
            let names: Vec<&str> = servers.iter().map(|server| server.name).collect();
            Err(format!(
                "{} is not installed: `apt-get install {}`, or `cargo xtask test --install` as root, or leave the tests \
                 of servers out with `cargo xtask test --embedded`",
                names.join(" and "),
                packages.join(" ")
            ))
        }
    }
}

/// Debian keeps the programs of each version in a folder of their own.
fn postgres() -> bool {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin/initdb")).any(|program| program.exists())
        || on_path("initdb")
}

fn on_path(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .chain([Path::new("/usr/sbin").to_owned()])
        .any(|folder| folder.join(program).exists())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("apt-get {} ended with {status}", arguments.join(" "))),
        Err(error) => Err(format!("apt-get cannot be run: {error}")),
    }
}
