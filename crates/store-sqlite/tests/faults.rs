//! What goes wrong with a file, each time the real thing: the error is definite, nothing is lost, and the store goes
//! on where it can.

mod calls;

use calls::{claim, create, switch};
use holdover_jobs::{Call, Claimed, Created, Reply};
use holdover_store::{Store, StoreError};
use holdover_store_sqlite::{OpenError, Options, SqliteStore};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::future::Future;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Names the file to a test that is run as a process of its own.
const FILE: &str = "HOLDOVER_TEST_FILE";

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("jobs.db");
    (folder, path)
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(Options::new(path)).expect("a file that can be used")
}

fn ask(store: &SqliteStore, call: Call) -> Result<Reply, StoreError> {
    wait(store.execute(call))
}

/// Why the call certainly was not carried out.
fn failure(result: Result<Reply, StoreError>) -> String {
    match result {
        Err(StoreError::Failed(why)) => why,
        other => panic!("a definite error is wanted, not {other:?}"),
    }
}

fn is_new(reply: &Reply) -> bool {
    matches!(reply, Reply::Created(Created::New(_)))
}

fn count(store: &SqliteStore) -> usize {
    wait(store.all_records()).expect("the file can be read").len()
}

/// A test of this file as a process of its own, on this file.
fn itself(test: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command
        .args(["--exact", test, "--nocapture"])
        .env(FILE, path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// The file, where this test is run as a process of its own.
fn given() -> Option<PathBuf> {
    std::env::var_os(FILE).map(PathBuf::from)
}

fn wait_for_line(child: &mut Child, word: &str) -> String {
    let lines = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
    let line = lines.map_while(Result::ok).find(|line| line.contains(word));
    line.unwrap_or_else(|| panic!("the other process says nothing of {word}"))
}

/// Goal: files that are no store of ours are refused by name, and stay as they are to the last byte.
#[test]
fn other_files_are_refused_unchanged() {
    let (_folder, path) = folder();
    let other = |sql: &str| {
        let _ = fs::remove_file(&path);
        Connection::open(&path).and_then(|connection| connection.execute_batch(sql)).expect("a database");
    };
    let refused = |wanted: fn(&OpenError) -> bool| {
        let before = fs::read(&path).expect("a file");
        let error = SqliteStore::open(Options::new(&path)).expect_err("no store of ours");
        assert!(wanted(&error), "{error}");
        assert!(error.to_string().contains("jobs.db"), "{error}");
        assert_eq!(fs::read(&path).expect("a file"), before);
    };
    fs::write(&path, "to be or not to be, that is the question".repeat(100)).expect("a file");
    refused(|error| matches!(error, OpenError::NotADatabase { .. }));
    other("CREATE TABLE notes (text)");
    refused(|error| matches!(error, OpenError::NotAStore { .. }));
    other("CREATE TABLE jobs (number); PRAGMA application_id = 0x484f4c44; PRAGMA user_version = 99");
    refused(|error| matches!(error, OpenError::Newer { found: 99, known: 1, .. }));
}

/// Goal: what names no file that could be a store is said to be so.
#[test]
fn places_that_cannot_be_are_refused() {
    for url in ["sqlite:", "postgres://localhost", "jobs.db"] {
        assert!(matches!(SqliteStore::of_url(url), Err(OpenError::Url { .. })), "{url}");
    }
    let (_folder, path) = folder();
    let missing = path.join("deeper").join("jobs.db");
    assert!(matches!(SqliteStore::open(Options::new(missing)), Err(OpenError::Unreachable { .. })));
}

/// The other process of the test below: holds the lock for writing until it is told to end.
#[test]
fn another_process() {
    let Some(path) = given() else { return };
    let connection = Connection::open(path).expect("the file is there");
    connection.execute_batch("BEGIN IMMEDIATE").expect("nobody else has the lock");
    println!("\nlocked");
    let _ = std::io::stdin().read(&mut [0]);
}

/// Goal: while another process has the lock, writing fails after the time-out and says why; what writes nothing, a
/// claim without a number that finds nothing among it, goes on; and afterwards everything does.
#[test]
fn locked_by_another_process() {
    let (_folder, path) = folder();
    let mut options = Options::new(&path);
    options.busy_timeout = Duration::from_millis(50);
    let store = SqliteStore::open(options).expect("a new file");
    let mut other = itself("another_process", &path).spawn().expect("another process");
    wait_for_line(&mut other, "locked");
    let why = failure(ask(&store, create(1)));
    assert!(why.contains("locked by another process"), "{why}");
    assert_eq!(ask(&store, claim("w", None)), Ok(Reply::Claimed(Claimed::Nothing)));
    assert_eq!(count(&store), 0);
    drop(other.stdin.take());
    assert!(other.wait().expect("it ends").success());
    assert!(is_new(&ask(&store, create(1)).expect("nobody has the lock any more")));
}

/// Goal: a file that may not grow any more refuses what it has no room for, keeps all that it acknowledged, and goes on
/// once it has room.
#[test]
fn no_more_pages() {
    let (_folder, path) = folder();
    let mut options = Options::new(&path);
    options.pages_max = Some(60);
    let store = SqliteStore::open(options).expect("a new file");
    let full = (0..).map(|number| (number, ask(&store, create(number)))).find(|(_, reply)| reply.is_err());
    let (acknowledged, refused) = full.expect("60 pages are soon full");
    let why = failure(refused);
    assert!(why.contains("the disk is full"), "{why}");
    assert_eq!(count(&store), acknowledged as usize);
    drop(store);
    let store = open(&path);
    assert!(is_new(&ask(&store, create(acknowledged)).expect("there is room")));
    assert_eq!(count(&store), acknowledged as usize + 1);
}

/// The other process of the test below: creates until it is refused.
#[test]
fn creates_until_refused() {
    let Some(path) = given() else { return };
    let store = open(&path);
    let refused = (0..).map(|number| (number, ask(&store, create(number)))).find(|(_, reply)| reply.is_err());
    let (acknowledged, refused) = refused.expect("the limit is soon reached");
    let why = failure(refused);
    assert!(why.contains("the disk"), "{why}");
    assert_eq!(count(&store), acknowledged as usize);
    println!("\nacknowledged {acknowledged}");
}

/// Goal: a commit that the system does not let write to the disk (a process has a limit on the size of its files) is
/// a definite error: afterwards there is exactly what was acknowledged.
#[test]
fn a_commit_that_cannot_be_written() {
    let (_folder, path) = folder();
    drop(open(&path));
    let program = itself("creates_until_refused", &path);
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"]).arg(program.get_program());
    limited.args(program.get_args()).env(FILE, &path).stdout(Stdio::piped());
    let mut limited = limited.spawn().expect("a shell");
    let line = wait_for_line(&mut limited, "acknowledged");
    assert!(limited.wait().expect("it ends").success());
    let acknowledged: usize =
        line.split(' ').next_back().and_then(|number| number.parse().ok()).expect("a number");
    assert!(acknowledged > 0);
    assert_eq!(count(&open(&path)), acknowledged);
}

/// The other process of the test below: a user who may read only.
#[test]
fn a_user_who_may_only_read() {
    let Some(path) = given() else { return };
    let error = SqliteStore::open(Options::new(&path)).expect_err("a file that cannot be written");
    println!("\nrefused {error}");
}

/// Goal: a file, or a folder, that its user may not write is refused when it is opened.
#[test]
fn read_only() {
    let (folder, path) = folder();
    drop(open(&path));
    let only_read = |folder_mode, file_mode| {
        fs::set_permissions(&path, Permissions::from_mode(file_mode)).expect("our own file");
        fs::set_permissions(folder.path(), Permissions::from_mode(folder_mode)).expect("our own folder");
        let mut reader = itself("a_user_who_may_only_read", &path);
        // Nothing is read-only to the superuser.
        if fs::metadata(folder.path()).expect("our own folder").uid() == 0 {
            reader.uid(65_534);
        }
        let mut reader = reader.spawn().expect("another process");
        let line = wait_for_line(&mut reader, "refused");
        assert!(reader.wait().expect("it ends").success());
        assert!(line.contains("write") && line.contains("jobs.db"), "{line}");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("our own folder");
    };
    only_read(0o555, 0o444);
    only_read(0o777, 0o444);
    only_read(0o555, 0o666);
}

/// Goal: a damaged file is told of, call by call; what is still whole is still given.
#[test]
fn damaged() {
    let (_folder, path) = folder();
    let store = open(&path);
    (0..200).for_each(|number| assert!(is_new(&ask(&store, create(number)).expect("a sound file"))));
    drop(store);
    let root: i64 = Connection::open(&path)
        .and_then(|connection| {
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'specs'";
            connection.query_row(sql, [], |row| row.get(0))
        })
        .expect("a sound file");
    let mut file = fs::OpenOptions::new().write(true).open(&path).expect("our own file");
    file.seek(SeekFrom::Start((root.cast_unsigned() - 1) * 4096)).expect("a page");
    file.write_all(&[0xA5; 4096]).expect("our own file");
    drop(file);
    let store = open(&path);
    for call in [claim("w", Some(1)), create(200)] {
        let why = failure(ask(&store, call));
        assert!(why.contains("the file is damaged"), "{why}");
    }
    assert_eq!(ask(&store, switch(false)), Ok(Reply::Done));
}
