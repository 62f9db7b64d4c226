//! Vectors of the run coordinator (`runs/1`): a real coordinator against scripted storage and a scripted runtime.

mod clients;
mod contract;
mod runtime;
mod runtime_script;
mod scenario;
mod storage;
mod world;

use crate::{Format, FormatError, Mismatch, compare};
use scenario::Scenario;
use serde_json::{Value, json};
use world::World;

/// The format `runs/1`.
pub(crate) struct Runs;

impl Format for Runs {
    fn id(&self) -> &'static str {
        "runs/1"
    }

    fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError> {
        FormatError::unless_original(variant)?;
        let Scenario { start, steps, expect, secrets, tags } = Scenario::read(scenario)?;
        let mut world = World::new(start);
        for step in steps {
            world.step(step);
        }
        let leaks = world.leaks(&secrets);
        let mut got = world.outcome();
        hide_error_ids(&mut got);
        let mut mismatches = Vec::new();
        compare(&expect, &got, "$.expect", &mut mismatches);
        if !tags.iter().any(|tag| tag == "known_gap") {
            mismatches.extend(leaks.into_iter().map(leaked));
        }
        for mismatch in &mut mismatches {
            mismatch.step = "end".into();
        }
        Ok(mismatches)
    }
}

fn leaked(at: usize) -> Mismatch {
    let (expected, got) = (json!("nowhere"), json!("in a record, an answer or a frame"));
    Mismatch { step: String::new(), path: format!("$.secrets[{at}]"), expected, got }
}

/// Error ids are fresh in every run, so the files hold a placeholder.
fn hide_error_ids(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if name == "errorId" && value.is_string() {
                    *value = json!("<id>");
                } else {
                    hide_error_ids(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_error_ids),
        _ => {}
    }
}
