use std::collections::{BTreeMap, BTreeSet};

/// Who has opened a file: a connection of its own each time.
pub(crate) type Opener = u64;

/// How far somebody has locked a file, in the order of strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    None,
    Shared,
    Reserved,
    Exclusive,
}

/// Somebody else has a lock in the way.
#[derive(Debug)]
pub(crate) struct Busy;

/// The locks of a file, and of the memory beside it.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    levels: BTreeMap<Opener, Level>,
    /// Who waits for all readers to go, so that no new one comes.
    pending: Option<Opener>,
    shared: BTreeMap<u32, BTreeSet<Opener>>,
    exclusive: BTreeMap<u32, Opener>,
}

impl Locks {
    pub(crate) fn lock(&mut self, who: Opener, level: Level) -> Result<(), Busy> {
        let others = self.levels.iter().filter(|(other, _)| **other != who).map(|(_, level)| *level);
        let strongest = others.max().unwrap_or(Level::None);
        let waits = self.pending.is_some_and(|other| other != who);
        let is_free = match level {
            Level::None => true,
            Level::Shared => strongest < Level::Exclusive && !waits,
            Level::Reserved => strongest < Level::Reserved,
            Level::Exclusive => strongest == Level::None,
        };
        if level == Level::Exclusive && strongest <= Level::Shared {
            self.pending = Some(who);
        }
        if !is_free {
            return Err(Busy);
        }
        self.levels.insert(who, level);
        Ok(())
    }

    pub(crate) fn unlock(&mut self, who: Opener, level: Level) {
        if self.pending == Some(who) {
            self.pending = None;
        }
        match level {
            Level::None => self.levels.remove(&who),
            level => self.levels.insert(who, level),
        };
    }

    pub(crate) fn is_reserved(&self) -> bool {
        self.levels.values().any(|level| *level >= Level::Reserved)
    }

    /// Locks places of the memory, all or none.
    pub(crate) fn lock_memory(
        &mut self,
        who: Opener,
        places: std::ops::Range<u32>,
        exclusive: bool,
    ) -> Result<(), Busy> {
        for place in places.clone() {
            let taken = self.exclusive.get(&place).is_some_and(|other| *other != who);
            let read = self.shared.get(&place).is_some_and(|all| all.iter().any(|other| *other != who));
            if taken || exclusive && read {
                return Err(Busy);
            }
        }
        for place in places {
            if exclusive {
                self.exclusive.insert(place, who);
            } else {
                self.shared.entry(place).or_default().insert(who);
            }
        }
        Ok(())
    }

    pub(crate) fn unlock_memory(&mut self, who: Opener, places: std::ops::Range<u32>) {
        for place in places {
            self.exclusive.retain(|other, holder| *other != place || *holder != who);
            self.shared.entry(place).or_default().remove(&who);
        }
    }

    /// Somebody has gone.
    pub(crate) fn leave(&mut self, who: Opener) {
        self.unlock(who, Level::None);
        self.exclusive.retain(|_, holder| *holder != who);
        for all in self.shared.values_mut() {
            all.remove(&who);
        }
    }
}
