use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
};

fn holdover() -> Command {
    Command::new(env!("CARGO_BIN_EXE_holdover"))
}

/// Goal: it says where it listens, answers a request there, and ends with 0 on Ctrl-C.
#[test]
#[cfg(unix)]
fn serves_until_ctrl_c() {
    let mut command = holdover();
    command.args(["serve", "--store", "memory:", "--listen", "127.0.0.1:0", "--variant", "original"]);
    let mut server = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening at ").and_then(|rest| rest.strip_suffix(" (original)"));
    let mut stream = TcpStream::connect(address.unwrap()).unwrap();
    let request = br#"{"operation":"stats","arguments":{}}"#;
    stream.write_all(&(request.len() as u32).to_be_bytes()).unwrap();
    stream.write_all(request).unwrap();
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut answer = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut answer).unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["ok"]["total"], 0);
    assert!(Command::new("kill").args(["-INT", &server.id().to_string()]).status().unwrap().success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

/// Goal: what cannot be served is one line, and exit 2.
#[test]
fn what_cannot_be_served() {
    for (arguments, part) in [
        ("--store memory: --listen nowhere", "expected an address with a port"),
        ("--store redis: --listen 127.0.0.1:0", "expected `memory:`"),
        ("--store memory: --listen 127.0.0.1:0 --variant soft", "no variant `soft`"),
        ("--store memory: --listen 192.0.2.1:1", "cannot listen at 192.0.2.1:1"),
        ("--store memory:", "--listen"),
    ] {
        let output = holdover().arg("serve").args(arguments.split(' ')).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {told}");
        assert!(told.contains(part) && told.trim().lines().count() == 1, "{arguments}: {told}");
    }
}

/// Goal: the published program is built without the simulated runtime, and knows one engine.
#[test]
fn the_published_program_knows_no_simulated_runtime() {
    let arguments =
        ["tree", "--package", "holdover-cli", "--edges", "normal,build", "--prefix", "none", "--offline"];
    let tree = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    assert!(tree.contains("tokio v") && !tree.contains("madsim"), "{tree}");
    let output = holdover().args(["sim", "jobs", "--engine", "madsim"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("--engine"), "{told}");
}
