/// Which state leads to which, in the order of the states, and where everything is at rest.
#[derive(Default)]
pub(super) struct Graph {
    targets: Vec<u32>,
    ends: Vec<usize>,
    rests: Vec<bool>,
}

impl Graph {
    /// Takes in where the next state leads to.
    pub(super) fn push(&mut self, rests: bool, targets: impl Iterator<Item = u32>) {
        self.targets.extend(targets);
        self.ends.push(self.targets.len());
        self.rests.push(rests);
    }

    /// The first state from which no state of rest can be reached any more.
    pub(super) fn first_wedged(&self) -> Option<u32> {
        let mut reach = self.rests.clone();
        // Most ways lead to later states, so that going backwards settles nearly all in one round.
        loop {
            let mut changed = false;
            for state in (0..reach.len()).rev() {
                if !reach[state] && self.targets_of(state).iter().any(|&target| reach[target as usize]) {
                    reach[state] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        reach.iter().position(|&reaches| !reaches).map(|state| state as u32)
    }

    fn targets_of(&self, state: usize) -> &[u32] {
        let from = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[from..self.ends[state]]
    }
}
