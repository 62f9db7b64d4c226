use std::ffi::c_void;
use std::sync::atomic::AtomicU64;

/// The memory beside a file that its openers share. SQLite reads and writes it by address, so that what was handed out
/// once stays where it is for as long as the disk is there.
#[derive(Debug, Default)]
pub(crate) struct SharedMemory {
    regions: Vec<Box<[AtomicU64]>>,
    /// What openers of before may still have the address of.
    gone: Vec<Box<[AtomicU64]>>,
}

impl SharedMemory {
    /// The address of a region of so many bytes; none if it is not there and not to be made.
    pub(crate) fn region(&mut self, place: usize, bytes: usize, make: bool) -> Option<*mut c_void> {
        while make && self.regions.len() <= place {
            self.regions.push((0..bytes.div_ceil(8)).map(|_| AtomicU64::new(0)).collect());
        }
        self.regions.get(place).map(|region| region.as_ptr().cast_mut().cast())
    }

    /// Begins anew.
    pub(crate) fn forget(&mut self) {
        self.gone.append(&mut self.regions);
    }
}
