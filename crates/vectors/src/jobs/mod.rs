//! The format `jobs-golden-v1`: scenarios of the job protocol, played on the real service and table.
//!
//! Each step is an operation at a time of the injected clock. Answers are compared member by member; generated
//! texts stand as symbols that take the first text they meet. Where a step has a member `typed`, that is the
//! answer asked of a typed implementation, and `expect` is left aside.

mod compare;
mod player;
mod symbols;

use crate::{Format, FormatError, Mismatch};
use holdover_jobs::{Call, KNOBS, Reply, Rules, Table};
use holdover_machine::{Outcome, StoreTime};
use player::Player;
use serde_json::{Value, json};

/// The job protocol.
pub(crate) struct Jobs;

impl Format for Jobs {
    fn id(&self) -> &'static str {
        "jobs-golden-v1"
    }

    fn knobs(&self) -> Vec<&'static str> {
        KNOBS.iter().map(|knob| knob.id).collect()
    }

    fn run(&self, scenario: &Value, variant: &str) -> Result<Vec<Mismatch>, FormatError> {
        let mut table = Table::new(rules(variant)?.order());
        run_on(scenario, variant, &mut |clock, call| Outcome::Ok(table.execute(clock, call)))
    }
}

/// Plays a scenario of the format `jobs-golden-v1` on a store, and lists every answer that differs. The store carries
/// each call out at the time of its own clock that it is given with it, and hands jobs out in the order that the rules
/// of the variant ask for.
///
/// # Errors
/// The scenario is not as its format describes, or there is no such variant.
pub fn run_on<'a>(
    scenario: &Value,
    variant: &str,
    store: &'a mut (dyn FnMut(StoreTime, &Call) -> Outcome<Reply> + 'a),
) -> Result<Vec<Mismatch>, FormatError> {
    let rules = rules(variant)?;
    let config = scenario.get("config").unwrap_or(&Value::Null);
    // The original is played as its own clients would; the others by clients that say who they are.
    let mut player = Player::new(rules, variant != "original", config, store)?;
    let steps = scenario.get("steps").and_then(Value::as_array);
    let steps = steps.ok_or_else(|| FormatError::malformed("$.steps", "must be a list"))?;
    if !symbols::runs_are_bearable(scenario) {
        return Err(FormatError::malformed("$.steps", "has a text of runs beyond 16,000,000 bytes"));
    }
    let mut mismatches = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        play(&mut player, index, step, &mut mismatches)?;
    }
    Ok(mismatches)
}

fn rules(variant: &str) -> Result<Rules, FormatError> {
    Rules::named(variant).ok_or_else(|| FormatError::Variant {
        variant: variant.to_owned(),
        known: "original, hardened, hardened-without-KNOB[,KNOB...]".to_owned(),
    })
}

fn play(
    player: &mut Player<'_>,
    index: usize,
    step: &Value,
    out: &mut Vec<Mismatch>,
) -> Result<(), FormatError> {
    let at = |member: &str| format!("$.steps[{index}].{member}");
    let op = step.get("op").and_then(Value::as_str);
    let op = op.ok_or_else(|| FormatError::malformed(at("op"), "must name an operation"))?;
    let now = step.get("at").and_then(Value::as_i64);
    let now = now.ok_or_else(|| FormatError::malformed(at("at"), "must be a time in milliseconds"))?;
    let args = player.symbols.resolve(step.get("args").unwrap_or(&Value::Null));
    let got = match player.play(op, now, &args)? {
        Ok(answer) => json!({ "ok": answer }),
        Err(error) => json!({ "error": error.to_json() }),
    };
    let expected = step.get("typed").or_else(|| step.get("expect")).unwrap_or(&Value::Null);
    if expected.get("skip") == Some(&Value::Bool(true)) {
        return Ok(());
    }
    for mut mismatch in compare::answers(expected, &got, &mut player.symbols) {
        mismatch.step = format!("{index} {op}");
        out.push(mismatch);
    }
    Ok(())
}
