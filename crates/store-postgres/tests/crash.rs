//! What a caller is told when the server goes away.

use holdover_jobs::{Call, Command, JobId, Reply, Stamp, rules::Floor};
use holdover_servers::Postgres;
use holdover_store::{Store, StoreError};
use holdover_store_postgres::{OpenError, Options, PostgresStore};

fn call(command: Command) -> Call {
    Call { stamp: Stamp::Store(Floor::Held), command }
}

fn load() -> Call {
    call(Command::Load(JobId::new("j").expect("a safe identifier")))
}

/// Goal: what was acknowledged is there after a crash, and a server that is away is a definite error that says so.
#[tokio::test]
async fn a_killed_server_comes_back() {
    let mut server = Postgres::start().expect("PostgreSQL is installed");
    let store = PostgresStore::open(server.url()).await.expect("a server of ours");
    store.execute(call(Command::Switch { open: false })).await.expect("it serves");
    server.kill9().expect("a process of ours");
    for _ in 0..2 {
        let error = store.execute(load()).await.expect_err("nobody serves");
        assert!(matches!(error, StoreError::Failed(_)), "{error}");
    }
    server.restart().expect("it recovers");
    assert_eq!(store.execute(load()).await, Ok(Reply::Found(None)));
    let again = PostgresStore::open(server.url()).await.expect("the schema is there");
    assert_eq!(again.execute(load()).await, Ok(Reply::Found(None)));
}

/// Goal: a wrong address, a wrong schema and a server that is not there are one clear line each.
#[tokio::test]
async fn a_store_that_cannot_be_opened_says_why() {
    for (options, wanted) in [
        (Options::new("redis://localhost"), "the address of the store"),
        (Options::new("postgres://localhost/db?schema=1st"), "the schema `1st`"),
        (Options::new("postgres://localhost/db").schema("a b"), "the schema `a b`"),
        (Options::new("postgres://nobody@127.0.0.1:1/db"), "the server cannot be reached"),
    ] {
        let error: OpenError = PostgresStore::open(options).await.expect_err("it cannot be opened");
        let text = error.to_string();
        assert!(text.starts_with(wanted) && !text.contains('\n'), "{text}");
    }
}
