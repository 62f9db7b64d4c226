/// The bytes of an input, read one after the other. Behind their end everything is 0.
///
/// Whatever is chosen is chosen by the remainder of a byte, so that no byte is in vain and a change of one byte
/// changes one choice.
#[derive(Debug, Clone)]
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte, or nothing at the end.
    pub(super) fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    /// A number below `bound`; 0 when `bound` is 0.
    pub(super) fn below(&mut self, bound: u8) -> u8 {
        self.byte().checked_rem(bound).unwrap_or(0)
    }

    /// One of the items, of which there is at least one.
    pub(super) fn pick<T: Copy, const N: usize>(&mut self, items: [T; N]) -> T {
        items[usize::from(self.byte()) % N]
    }

    /// The number in the next two bytes.
    pub(super) fn pair(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// The number in the next eight bytes.
    pub(super) fn eight(&mut self) -> u64 {
        u64::from_le_bytes([(); 8].map(|()| self.byte()))
    }

    /// Up to `most` bytes as they stand.
    pub(super) fn run(&mut self, most: usize) -> &'a [u8] {
        let (run, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        run
    }
}
