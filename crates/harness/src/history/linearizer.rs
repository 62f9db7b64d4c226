use super::model::Model;
use std::collections::BTreeSet;

/// Just-in-time linearisation: whether operations that overlapped can be put in one order, in which each is carried out
/// between its question and its answer, and answered as the [`Model`] answers.
///
/// It keeps every *configuration* that explains all answers so far: a state of the object, and which of the operations
/// under way were carried out already. An operation is carried out as late as possible, when an answer needs it. So
/// what an answer costs depends on how much overlaps, and not on how long the history is.
#[derive(Debug, Clone)]
pub struct Linearizer<M: Model> {
    model: M,
    pending: Vec<Option<Waiting<M::Operation>>>,
    configurations: BTreeSet<Configuration<M::State>>,
}

/// An operation under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending(usize);

/// What is known of an operation under way.
#[derive(Debug, Clone)]
struct Waiting<O> {
    operation: O,
    answered_at: u64,
    /// The same operations that are answered sooner. Of twins it makes no difference which is carried out, so that it
    /// may as well be the one that has to be first.
    sooner: u128,
}

/// One explanation of all answers so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration<S> {
    state: S,
    /// A bit for each operation under way that was carried out.
    done: u128,
}

impl<M: Model> Linearizer<M> {
    /// The most operations under way at once.
    pub const PENDING_MAX: usize = u128::BITS as usize;

    /// An object in this state, with nothing under way.
    pub fn new(model: M, state: M::State) -> Self {
        let configurations = BTreeSet::from([Configuration { state, done: 0 }]);
        Self { model, pending: Vec::new(), configurations }
    }

    /// The model, which may learn of operations that were never answered.
    pub fn model_mut(&mut self) -> &mut M {
        &mut self.model
    }

    /// The object was in this state, as is known before anything was answered.
    pub fn assume(&mut self, state: M::State) {
        self.configurations = BTreeSet::from([Configuration { state, done: 0 }]);
    }

    /// The states that the object may be in.
    pub fn states(&self) -> impl Iterator<Item = M::State> {
        let states: BTreeSet<M::State> =
            self.configurations.iter().map(|configuration| configuration.state).collect();
        states.into_iter()
    }

    /// An operation was asked for, which will be answered at this place of the history. None where more than
    /// [`Self::PENDING_MAX`] are under way.
    pub fn invoke(&mut self, operation: M::Operation, answered_at: u64) -> Option<Pending> {
        let free = self.pending.iter().position(Option::is_none).unwrap_or(self.pending.len());
        if free == Self::PENDING_MAX {
            return None;
        }
        if free == self.pending.len() {
            self.pending.push(None);
        }
        let mut sooner = 0;
        for (place, twin) in self.pending.iter_mut().enumerate() {
            let Some(twin) = twin.as_mut().filter(|twin| twin.operation == operation) else { continue };
            if twin.answered_at < answered_at {
                sooner |= 1 << place;
            } else {
                twin.sooner |= 1 << free;
            }
        }
        self.pending[free] = Some(Waiting { operation, answered_at, sooner });
        Some(Pending(free))
    }

    /// It was answered. False, and nothing has changed, where no order explains that.
    pub fn answer(&mut self, Pending(place): Pending) -> bool {
        let bit = 1 << place;
        let mut explained = BTreeSet::new();
        let mut seen: BTreeSet<_> =
            self.configurations.iter().filter_map(|configuration| self.settle(*configuration)).collect();
        let mut open: Vec<_> = seen.iter().copied().collect();
        while let Some(configuration) = open.pop() {
            if configuration.done & bit != 0 {
                explained.insert(Configuration { done: configuration.done & !bit, ..configuration });
                continue;
            }
            let next = self.successors(configuration).filter_map(|next| self.settle(next));
            open.extend(next.filter(|next| seen.insert(*next)));
        }
        if explained.is_empty() {
            return false;
        }
        self.configurations = explained;
        self.pending[place] = None;
        self.pending.iter_mut().flatten().for_each(|waiting| waiting.sooner &= !bit);
        true
    }

    /// The operations that are under way in a configuration and not carried out.
    fn waiting(&self, done: u128) -> impl Iterator<Item = (usize, &Waiting<M::Operation>)> {
        let pending = self.pending.iter().enumerate();
        pending.filter_map(move |(place, waiting)| {
            waiting.as_ref().filter(|_| done & (1 << place) == 0).map(|waiting| (place, waiting))
        })
    }

    /// What may come of a configuration by one operation more.
    fn successors(
        &self,
        Configuration { state, done }: Configuration<M::State>,
    ) -> impl Iterator<Item = Configuration<M::State>> {
        let first = self.waiting(done).filter(move |(_, waiting)| waiting.sooner & !done == 0);
        first.filter_map(move |(place, Waiting { operation, .. })| {
            let state = self.model.step(state, operation)?;
            Some(Configuration { state, done: done | 1 << place })
        })
    }

    /// The configuration with all carried out that changes nothing; none where an answer that is still to come could
    /// not be explained any more.
    fn settle(
        &self,
        Configuration { state, mut done }: Configuration<M::State>,
    ) -> Option<Configuration<M::State>> {
        for (place, Waiting { operation, .. }) in self.waiting(done) {
            if self.model.is_hopeless(state, operation) {
                return None;
            }
            if self.model.is_idle(state, operation) {
                done |= 1 << place;
            }
        }
        Some(Configuration { state, done })
    }
}
