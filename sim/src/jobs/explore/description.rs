use crate::jobs::node::Node;
use crate::jobs::participants::WALL_EPOCH_MS;
use holdover_jobs::LeaseToken;
use holdover_machine::{ClockKind, Instant};
use std::hash::Hasher;

/// A description as it is written: times relative to now, tokens by the order in which they come up, workers under
/// other names. Whatever is hashed into it is written out.
pub(super) struct Description<'a> {
    bytes: &'a mut Vec<u8>,
    now_ms: i64,
    /// Times that are further in the past than this are one.
    horizon_ms: i64,
    /// The name of each worker, by its index.
    names: &'a [u8],
    tokens: Vec<LeaseToken>,
}

/// The mark of a token that did not come up before.
const UNKNOWN_TOKEN: u8 = u8::MAX;

impl<'a> Description<'a> {
    pub(super) fn new(bytes: &'a mut Vec<u8>, now_ms: i64, horizon_ms: i64, names: &'a [u8]) -> Self {
        Self { bytes, now_ms, horizon_ms, names, tokens: Vec::new() }
    }

    /// A number, in as few bytes as it needs.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub(super) fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    pub(super) fn flag(&mut self, flag: bool) {
        self.bytes.push(u8::from(flag));
    }

    /// How far an instant is from now.
    pub(super) fn instant(&mut self, ms: i64, now_ms: i64) {
        self.signed(ms.saturating_sub(now_ms).max(-self.horizon_ms - 1));
    }

    /// How far an instant is from now, where one that is over by more than `slack` is like any other.
    pub(super) fn ahead(&mut self, ms: i64, now_ms: i64, slack: i64) {
        self.signed(ms.saturating_sub(now_ms).max(-slack));
    }

    /// A token that matters by itself: from now on it has a name.
    pub(super) fn token(&mut self, token: &LeaseToken) {
        if !self.tokens.contains(token) {
            self.tokens.push(token.clone());
        }
        self.known_token(token);
    }

    /// A token that matters if it is one of those that have a name.
    pub(super) fn known_token(&mut self, token: &LeaseToken) {
        let place = self.tokens.iter().position(|known| known == token);
        self.bytes.push(place.map_or(UNKNOWN_TOKEN, |place| place as u8));
    }

    /// Where a part begins that is cut out later.
    pub(super) fn mark(&self) -> usize {
        self.bytes.len()
    }

    /// Cuts out what was written since the mark.
    pub(super) fn cut(&mut self, mark: usize) -> Vec<u8> {
        self.bytes.split_off(mark)
    }

    /// Parts whose order says nothing.
    pub(super) fn unordered(&mut self, mut parts: Vec<Vec<u8>>) {
        parts.sort_unstable();
        self.number(parts.len() as u64);
        for part in parts {
            self.number(part.len() as u64);
            self.bytes.extend(part);
        }
    }
}

impl Hasher for Description<'_> {
    /// Texts come this way. Those that name a worker or a token are written as what they name.
    fn write(&mut self, text: &[u8]) {
        if text.starts_with(b"lease-") {
            let place = self.tokens.iter().position(|token| token.reveal().as_bytes() == text);
            self.bytes.push(place.map_or(UNKNOWN_TOKEN, |place| place as u8));
        } else if let Some(index) = text.strip_prefix(b"by w").and_then(|rest| rest.first()) {
            let name = self.names.get(usize::from(index.wrapping_sub(b'0')));
            self.bytes.push(name.copied().unwrap_or(*index));
        } else {
            self.bytes.extend_from_slice(text);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.bytes.push(number);
    }

    fn write_u32(&mut self, number: u32) {
        self.number(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.number(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.number(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.signed(number as i64);
    }

    fn write_i64(&mut self, number: i64) {
        self.signed(number);
    }

    fn write_i128(&mut self, bits: i128) {
        let Instant { clock, ms } = Instant::from_bits(bits);
        let now = match clock {
            ClockKind::OwnTime | ClockKind::WorldTime => self.now_ms,
            ClockKind::StoreTime | ClockKind::Timestamp => self.now_ms + WALL_EPOCH_MS,
        };
        self.instant(ms, now);
    }

    fn write_u128(&mut self, bits: u128) {
        let name = Node::worker_of(bits).and_then(|index| self.names.get(usize::from(index)));
        self.number(match name {
            Some(&name) => bits as u64 & !0xff | u64::from(name),
            None => bits as u64,
        });
    }

    /// Nobody asks: what is written is the result.
    fn finish(&self) -> u64 {
        self.bytes.len() as u64
    }
}
