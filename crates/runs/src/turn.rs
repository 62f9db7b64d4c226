use crate::Effect;
use holdover_machine::Timestamp;

/// One handling of an input: when it happens, and what is wanted done so far.
pub(crate) struct Turn<'a> {
    pub(crate) now: Timestamp,
    effects: &'a mut Vec<Effect>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(now: Timestamp, effects: &'a mut Vec<Effect>) -> Self {
        Self { now, effects }
    }

    pub(crate) fn want(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
