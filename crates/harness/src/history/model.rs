/// A sequential object: what it does when operations come one at a time.
pub trait Model {
    /// An operation, with its answer.
    type Operation: PartialEq;
    /// What the object remembers.
    type State: Copy + Ord;

    /// What the object is like once the operation is carried out in this state and answered as it was; none where it
    /// could not have been answered so.
    fn step(&self, state: Self::State, operation: &Self::Operation) -> Option<Self::State>;

    /// An operation of which no answer will ever come may be carried out at any moment from now on, or never. The
    /// model remembers what that makes possible.
    fn unanswered(&mut self, operation: &Self::Operation);

    /// Whether the operation changes nothing in this state and would change nothing in any later one, so that it may
    /// as well be carried out here. False is always right, true saves work.
    fn is_idle(&self, _state: Self::State, _operation: &Self::Operation) -> bool {
        false
    }

    /// Whether the operation is not possible in this state nor in any later one. False is always right, true saves
    /// work.
    fn is_hopeless(&self, _state: Self::State, _operation: &Self::Operation) -> bool {
        false
    }
}
