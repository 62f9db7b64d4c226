//! The throw-away Redis server.

use holdover_servers::{AppendFsync, Redis, ServerError};
use std::net::{Ipv4Addr, TcpStream};

/// Goal: a server serves on its own port, is gone when killed, serves again on the same port, and ends with its
/// value.
#[test]
fn serves_dies_and_serves_again() -> Result<(), ServerError> {
    let mut server = Redis::start(AppendFsync::Always)?;
    let port = server.port();
    let serves = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
    assert!(serves());
    let first = server.process_id();
    server.kill9()?;
    assert!(!serves());
    assert_eq!(server.process_id(), None);
    server.restart()?;
    assert!(serves());
    assert_ne!(server.process_id(), first);
    drop(server);
    assert!(!serves());
    Ok(())
}
