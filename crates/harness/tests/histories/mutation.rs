//! Histories that may be wrong: one small thing in them is told otherwise than it was.

use holdover::Rng;
use holdover::history::{HistoryEvent, Type};
use serde_json::Value;

/// Changes one thing in a history that has answers.
pub(crate) fn mutate(rng: &mut Rng, events: &mut Vec<HistoryEvent>) {
    let answers: Vec<usize> = (0..events.len()).filter(|&place| events[place].kind != Type::Invoke).collect();
    let Some(&place) = rng.pick(&answers) else { return };
    let asked = (0..place).rfind(|&asked| events[asked].process == events[place].process).unwrap_or(place);
    let question = events[asked].value.clone();
    let answer = &mut events[place];
    match rng.below(7) {
        0 | 1 if answer.kind != Type::Ok => {
            answer.kind = Type::Ok;
            answer.value = question;
        }
        2 if answer.kind == Type::Ok => answer.kind = Type::Fail,
        3 => {
            answer.kind = Type::Info;
            answer.value = Value::Null;
        }
        4 => {
            if let Some(attempt) = answer.value["attempt"].as_u64() {
                answer.value["attempt"] =
                    (attempt + [1, 2, 0][rng.below(3) as usize]).saturating_sub(1).into();
            }
        }
        5 => {
            let member = ["created", "over", "replayed"][rng.below(3) as usize];
            if answer.value.is_object() {
                answer.value[member] = rng.chance(1, 2).into();
            }
        }
        _ => move_event(rng, events, asked, place),
    }
    renumber(events);
}

/// Lets an answer come sooner, or a question later.
fn move_event(rng: &mut Rng, events: &mut Vec<HistoryEvent>, asked: usize, answered: usize) {
    let between = rng.between(asked as i64 + 1, answered as i64) as usize;
    if rng.chance(1, 2) {
        let event = events.remove(answered);
        events.insert(between, event);
    } else {
        let event = events.remove(asked);
        events.insert(between - 1, event);
    }
}

/// Indices and times in the order of the events; a process that goes on after its `info` becomes another.
fn renumber(events: &mut [HistoryEvent]) {
    let mut fresh = 1 + events.iter().map(|event| event.process).max().unwrap_or(0);
    for place in 0..events.len() {
        events[place].index = place as u64;
        events[place].time = place as i64 * 1_000_000;
        let (process, retired) = (events[place].process, events[place].kind == Type::Info);
        if retired {
            events[place + 1..]
                .iter_mut()
                .filter(|event| event.process == process)
                .for_each(|event| event.process = fresh);
            fresh += 1;
        }
    }
}
