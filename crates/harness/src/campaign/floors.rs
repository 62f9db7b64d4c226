use super::report::CampaignReport;
use super::summary::CampaignSummary;

/// What a campaign never met though it should have: without it, "no violation" says little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floors {
    /// Fault kinds that no node noticed.
    pub faults: Vec<String>,
    /// Rare branches that were not reached.
    pub probes: Vec<String>,
    /// Invariants that were never in a position to fail.
    pub invariants: Vec<String>,
    /// Transitions that were not made.
    pub transitions: Vec<String>,
}

impl Floors {
    /// Whether everything was met.
    pub fn are_met(&self) -> bool {
        [&self.faults, &self.probes, &self.invariants, &self.transitions]
            .iter()
            .all(|missed| missed.is_empty())
    }
}

impl CampaignReport {
    /// What was never met.
    pub fn missed(&self) -> Floors {
        Floors {
            faults: self.faults.zeros(),
            probes: self.probes.zeros(),
            invariants: self.antecedents.zeros(),
            transitions: self.transitions.zeros(),
        }
    }
}

impl CampaignSummary {
    /// What was never met.
    pub fn missed(&self) -> Floors {
        Floors {
            faults: self.faults.zeros(),
            probes: self.probes.zeros(),
            invariants: self.invariants.zeros(),
            transitions: self.transitions.zeros(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One thing that was not met is enough to miss the floors.
    #[test]
    fn floors_are_met_by_everything() {
        let met = Floors { faults: vec![], probes: vec![], invariants: vec![], transitions: vec![] };
        assert!(met.are_met());
        let one = vec!["one".to_owned()];
        assert!(!Floors { faults: one.clone(), ..met.clone() }.are_met());
        assert!(!Floors { probes: one.clone(), ..met.clone() }.are_met());
        assert!(!Floors { invariants: one.clone(), ..met.clone() }.are_met());
        assert!(!Floors { transitions: one, ..met }.are_met());
    }
}
