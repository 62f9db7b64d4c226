//! Histories that no store has written: any question, any answer. Most are wrong.

use holdover::Rng;
use holdover::history::{HistoryEvent, OperationKind, Type};
use serde_json::{Value, json};

/// A history of so many operations on one job, or now and then on two, by some processes at once.
pub(crate) fn invent(rng: &mut Rng, operations: u32) -> Vec<HistoryEvent> {
    let mut open: Vec<(u64, OperationKind)> = Vec::new();
    let mut events = Vec::new();
    let mut asked = 0;
    while asked < operations || !open.is_empty() {
        let (process, kind, f) =
            if asked < operations && (open.is_empty() || open.len() < 3 && rng.chance(1, 2)) {
                asked += 1;
                let f = rng.pick(&OperationKind::ALL).copied().unwrap_or(OperationKind::Claim);
                open.push((asked.into(), f));
                (asked.into(), Type::Invoke, f)
            } else {
                let (process, f) = open.swap_remove(rng.below(open.len() as u32) as usize);
                let kind =
                    [Type::Ok, Type::Ok, Type::Ok, Type::Ok, Type::Fail, Type::Info][rng.below(6) as usize];
                (process, kind, f)
            };
        let (index, time) = (events.len() as u64, events.len() as i64 * 1_000_000);
        let value = if kind == Type::Ok { answer(rng, f) } else { Value::Null };
        events.push(HistoryEvent {
            index,
            time,
            process,
            kind,
            f: f.as_str().to_owned(),
            value,
            error: None,
        });
    }
    // What is asked for is what is answered, where there is an answer; else anything.
    for place in 0..events.len() {
        if events[place].kind == Type::Invoke && events[place].f != "claim" {
            let process = events[place].process;
            let answered =
                events[place..].iter().find(|event| event.process == process && event.kind == Type::Ok);
            let value = answered.map(|event| event.value.clone());
            let f = OperationKind::named(&events[place].f).unwrap_or(OperationKind::Claim);
            events[place].value = value.unwrap_or_else(|| answer(rng, f));
        }
    }
    events
}

fn answer(rng: &mut Rng, f: OperationKind) -> Value {
    let job = if rng.chance(1, 8) { "k" } else { "j" };
    if f == OperationKind::Claim && rng.chance(1, 8) {
        return json!({});
    }
    let mut value = json!({ "job": job });
    if f == OperationKind::Claim || f.uses_lease() || f == OperationKind::Recover && rng.chance(1, 2) {
        value["attempt"] = (1 + rng.below(2)).into();
    }
    for member in ["replayed", "created", "over"] {
        if rng.chance(1, 4) {
            value[member] = rng.chance(1, 2).into();
        }
    }
    value
}
