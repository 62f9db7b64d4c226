//! A throw-away PostgreSQL server.

use holdover_servers::Postgres;
use std::net::TcpStream;

/// Goal: a server that was killed comes back at the same address, and none is left once its value is gone.
#[test]
fn it_is_killed_and_comes_back() {
    let mut server = Postgres::start().expect("PostgreSQL is installed");
    let (url, first) = (server.url(), server.process_id());
    server.kill9().expect("a process of ours");
    assert_eq!(server.process_id(), None);
    server.restart().expect("it recovers");
    assert_eq!(server.url(), url);
    assert_ne!(server.process_id(), first);
    let address = ("127.0.0.1", server.port());
    TcpStream::connect(address).expect("it listens");
    drop(server);
    TcpStream::connect(address).expect_err("it has ended");
}
