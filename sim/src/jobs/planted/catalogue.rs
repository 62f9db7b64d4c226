use super::{
    Bug, Flaw, cancel, claim, create, durability, event_log, fencing, knobs, recovery, retry, settle, stats,
    worker,
};
use holdover::Planted;
use holdover_jobs::{KNOBS, Rules};

/// The bugs that are no knobs, by their class.
fn bugs() -> impl Iterator<Item = &'static Bug> {
    let classes: [&[Bug]; 11] = [
        fencing::BUGS,
        recovery::BUGS,
        claim::BUGS,
        settle::BUGS,
        create::BUGS,
        cancel::BUGS,
        retry::BUGS,
        event_log::BUGS,
        stats::BUGS,
        durability::BUGS,
        worker::BUGS,
    ];
    classes.into_iter().flatten()
}

/// Everything that can be planted.
pub(in crate::jobs) fn catalogue() -> Vec<Planted> {
    let rest = bugs().map(|bug| Planted {
        id: bug.id,
        about: bug.about.to_owned(),
        class: bug.class,
        source: bug.source,
        invariant: bug.invariant,
        masked_by: bug.masked_by,
    });
    knobs::catalogue().chain(rest).collect()
}

/// The rules and the flaws of a list of bugs with commas between, or `None` if there is one that is not known.
pub(in crate::jobs) fn flaws(list: &str) -> Option<(Rules, Vec<Flaw>)> {
    let (mut without, mut flaws) = (Vec::new(), Vec::new());
    for id in list.split(',') {
        match bugs().find(|bug| bug.id == id) {
            Some(bug) => flaws.push(bug.flaw),
            None => without.push(knobs::knob(id)?.id),
        }
    }
    Some((Rules::with(KNOBS.iter().filter(|knob| !without.contains(&knob.id))), flaws))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::invariants::INVARIANTS;
    use std::collections::BTreeSet;

    /// Goal: the catalogue is large and broad, names are unique, and each entry names an invariant that there is
    /// and a mask that there is.
    #[test]
    fn entries_are_complete() {
        let catalogue = catalogue();
        let ids: BTreeSet<_> = catalogue.iter().map(|planted| planted.id).collect();
        let classes: BTreeSet<_> = catalogue.iter().map(|planted| planted.class).collect();
        assert_eq!(ids.len(), catalogue.len());
        assert!(ids.len() >= 60 && classes.len() >= 15, "{} bugs in {} classes", ids.len(), classes.len());
        for planted in &catalogue {
            assert!(INVARIANTS.iter().any(|info| info.id == planted.invariant), "{}", planted.id);
            assert!(planted.about.ends_with('.'), "{}", planted.id);
            for name in [planted.alone(), planted.variant()] {
                let list = name.strip_prefix(Planted::PREFIX).unwrap_or_default();
                assert!(flaws(list).is_some(), "{name}");
            }
        }
    }

    /// Goal: every invariant is the one that some bug must be found by, so that none could be taken away unnoticed.
    #[test]
    fn every_invariant_is_named() {
        let named: BTreeSet<_> = catalogue().iter().map(|planted| planted.invariant).collect();
        let unnamed: Vec<_> = INVARIANTS.iter().filter(|info| !named.contains(info.id)).collect();
        assert!(unnamed.is_empty(), "{unnamed:?}");
    }
}
