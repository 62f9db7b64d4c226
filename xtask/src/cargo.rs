//! Running cargo, with a plain word where a part of the toolchain is missing.

use std::{
    env,
    ffi::OsString,
    path::Path,
    process::{Command, Stdio},
};

/// The variable, if one is set, that makes cargo ignore the flags of `.cargo/config.toml`.
pub(crate) fn overriding_flags() -> Option<&'static str> {
    ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"].into_iter().find(|name| env::var_os(name).is_some())
}

/// The cargo that runs this program, in the workspace.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root).args(arguments);
    command
}

/// Runs cargo and says whether it succeeded; what it prints goes through.
pub(crate) fn succeeds(mut command: Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("error: cargo cannot be run: {error}");
            false
        }
    }
}

/// Whether `cargo SUBCOMMAND` exists.
pub(crate) fn installed(root: &Path, subcommand: &str) -> bool {
    let mut probe = cargo(root, &[subcommand, "--version"]);
    probe.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Whether `cargo SUBCOMMAND` exists; says what to install where it does not.
pub(crate) fn has(root: &Path, subcommand: &str, component: &str) -> bool {
    let there = installed(root, subcommand);
    if !there {
        eprintln!("error: cargo {subcommand} is missing; install it with: rustup component add {component}");
    }
    there
}
