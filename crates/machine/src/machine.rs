use crate::Timestamp;

/// A protocol participant without IO.
///
/// What happens to it is an input, what it wants done is an effect, time is an argument. The same inputs give
/// the same effects on every run: a machine reads no clock, draws no randomness and keeps no hash order.
/// The effect type is the complete list of a machine's side effects, and the order of effects is the order in
/// which a shell must carry them out.
pub trait Machine {
    /// What can happen to the participant: a request, an answer of a port, a timer that came due.
    type Input;
    /// What the participant can want done.
    type Effect;

    /// Takes one input at `now`, the wall clock of the participant's own node, and appends what is to be done.
    fn handle(&mut self, now: Timestamp, input: Self::Input, effects: &mut Vec<Self::Effect>);
}
