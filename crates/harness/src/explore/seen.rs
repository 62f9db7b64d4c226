use crate::digest::fold;
use hashbrown::HashTable;

/// The states that are known, each under its number, in the order in which they were found.
pub(super) struct Seen {
    numbers: HashTable<u32>,
    keys: Keys,
}

/// What a state is known again by.
enum Keys {
    Fingerprints(Vec<u64>),
    /// Descriptions one after the other, and where each ends.
    Descriptions {
        bytes: Vec<u8>,
        ends: Vec<usize>,
    },
}

impl Seen {
    pub(super) fn new(exact: bool) -> Self {
        let keys = match exact {
            false => Keys::Fingerprints(Vec::new()),
            true => Keys::Descriptions { bytes: Vec::new(), ends: Vec::new() },
        };
        Self { numbers: HashTable::new(), keys }
    }

    pub(super) fn len(&self) -> usize {
        match &self.keys {
            Keys::Fingerprints(list) => list.len(),
            Keys::Descriptions { ends, .. } => ends.len(),
        }
    }

    pub(super) fn keeps_descriptions(&self) -> bool {
        matches!(self.keys, Keys::Descriptions { .. })
    }

    /// The number of the state with this description, if it is known.
    pub(super) fn find(&self, hash: u64, description: &[u8]) -> Option<u32> {
        self.numbers.find(hash, |&number| self.keys.is(number, hash, description)).copied()
    }

    /// Takes in a state that is not known; answers its number.
    pub(super) fn insert(&mut self, hash: u64, description: &[u8]) -> u32 {
        let number = u32::try_from(self.len()).expect("fewer states than numbers");
        match &mut self.keys {
            Keys::Fingerprints(list) => list.push(hash),
            Keys::Descriptions { bytes, ends } => {
                bytes.extend_from_slice(description);
                ends.push(bytes.len());
            }
        }
        let keys = &self.keys;
        self.numbers.insert_unique(hash, number, |&number| keys.hash(number));
        number
    }
}

impl Keys {
    fn is(&self, number: u32, hash: u64, description: &[u8]) -> bool {
        match self {
            Self::Fingerprints(list) => list[number as usize] == hash,
            Self::Descriptions { .. } => self.description(number) == description,
        }
    }

    fn hash(&self, number: u32) -> u64 {
        match self {
            Self::Fingerprints(list) => list[number as usize],
            Self::Descriptions { .. } => fingerprint(self.description(number)),
        }
    }

    fn description(&self, number: u32) -> &[u8] {
        let Self::Descriptions { bytes, ends } = self else { return &[] };
        let from = (number as usize).checked_sub(1).map_or(0, |before| ends[before]);
        &bytes[from..ends[number as usize]]
    }
}

/// Sixty-four bits of a description.
pub(super) fn fingerprint(description: &[u8]) -> u64 {
    let (words, rest) = description.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let start = fold(description.len() as u64, u64::from_le_bytes(last));
    words.iter().fold(start, |hash, word| fold(hash, u64::from_le_bytes(*word)))
}
