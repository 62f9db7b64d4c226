//! Goal: the list of weaknesses is complete, and says of each knob what the code says.

use holdover_jobs::{KNOBS, Kind};

/// The rows of the table: weakness, kind, how it is closed.
fn rows() -> Vec<(String, String, String)> {
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = include_str!("../WEAKNESSES.md")
        .lines()
        .filter(|line| line.starts_with("| W") || line.starts_with("| -"));
    rows.map(cells)
        .filter(|cells| cells.len() == 6 && cells[1] != "---")
        .map(|cells| (cells[1].clone(), cells[3].clone(), cells[4].clone()))
        .collect()
}

/// W01 to W34, each once.
#[test]
fn every_numbered_weakness_is_listed_once() {
    let numbered: Vec<String> =
        rows().into_iter().map(|(id, ..)| id).filter(|id| id.starts_with('W')).collect();
    let wanted: Vec<String> = (1..=34).map(|number| format!("W{number:02}")).collect();
    assert_eq!(numbered, wanted);
}

/// Each knob closes the weakness that it names, and is of the kind that the list says.
#[test]
fn every_knob_is_listed_with_its_kind() {
    for knob in KNOBS {
        let (_, kind, how) = rows().into_iter().find(|(id, ..)| id == knob.weakness).expect(knob.id);
        assert!(how.contains(&format!("`{}`", knob.id)), "{} is not named under {}", knob.id, knob.weakness);
        assert_eq!(kind, if knob.kind == Kind::Engine { "engine" } else { "answer" }, "{}", knob.id);
    }
}
