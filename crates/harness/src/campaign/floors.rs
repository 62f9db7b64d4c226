use super::counts::Counts;
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
}

impl Floors {
    fn of(faults: &Counts, probes: &Counts, antecedents: &Counts) -> Self {
        Self { faults: faults.zeros(), probes: probes.zeros(), invariants: antecedents.zeros() }
    }

    /// Whether everything was met.
    pub fn are_met(&self) -> bool {
        self.faults.is_empty() && self.probes.is_empty() && self.invariants.is_empty()
    }
}

impl CampaignReport {
    /// What was never met.
    pub fn missed(&self) -> Floors {
        Floors::of(&self.faults, &self.probes, &self.antecedents)
    }
}

impl CampaignSummary {
    /// What was never met.
    pub fn missed(&self) -> Floors {
        Floors::of(&self.faults, &self.probes, &self.invariants)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One thing that was not met is enough to miss the floors.
    #[test]
    fn floors_are_met_by_everything() {
        let met = Floors { faults: vec![], probes: vec![], invariants: vec![] };
        assert!(met.are_met());
        let one = vec!["one".to_owned()];
        assert!(!Floors { faults: one.clone(), ..met.clone() }.are_met());
        assert!(!Floors { probes: one.clone(), ..met.clone() }.are_met());
        assert!(!Floors { invariants: one, ..met }.are_met());
    }
}
