use crate::{Machine, Timestamp};

/// The outside of a machine: carries effects out and knows which outcomes are ready.
///
/// A shell spawns what takes time and reports it through [`next`](Ports::next) once it is there; a scripted
/// port answers at once or when its script says so.
pub trait Ports<M: Machine> {
    /// The node's wall clock.
    fn now(&mut self) -> Timestamp;
    /// Begins one effect. Called in the order in which the machine asked for them.
    fn perform(&mut self, effect: M::Effect);
    /// The next input that is ready, or none as long as everything outstanding is still open.
    fn next(&mut self) -> Option<M::Input>;
}

/// Feeds `machine` until no input is ready, carrying out its effects after each one.
pub fn drive<M: Machine>(machine: &mut M, ports: &mut impl Ports<M>) {
    let mut effects = Vec::new();
    while let Some(input) = ports.next() {
        machine.handle(ports.now(), input, &mut effects);
        for effect in effects.drain(..) {
            ports.perform(effect);
        }
    }
}
