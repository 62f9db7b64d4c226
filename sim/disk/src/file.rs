use std::collections::BTreeMap;

/// What a disk writes at a time.
const SECTOR: usize = 512;

type Sector = [u8; SECTOR];

/// The content of a file. A sector of it that was written since the last flush has several versions, of which the disk
/// holds any.
#[derive(Debug, Default)]
pub(crate) struct File {
    seen: Vec<u8>,
    durable: Vec<u8>,
    /// Versions since the last flush, by sector, and lengths.
    versions: BTreeMap<usize, Vec<Sector>>,
    lengths: Vec<usize>,
    /// What a flush that failed has left open.
    doubtful: BTreeMap<usize, Vec<Sector>>,
}

impl File {
    pub(crate) fn len(&self) -> usize {
        self.seen.len()
    }

    /// Reads from this place on, and says how many bytes there were; the rest is zero.
    pub(crate) fn read(&self, from: usize, into: &mut [u8]) -> usize {
        let there = self.seen.get(from..).unwrap_or_default();
        let read = there.len().min(into.len());
        into[..read].copy_from_slice(&there[..read]);
        into[read..].fill(0);
        read
    }

    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        let end = at + bytes.len();
        if end > self.seen.len() {
            self.seen.resize(end, 0);
            self.lengths.push(end);
        }
        self.seen[at..end].copy_from_slice(bytes);
        for place in at / SECTOR..end.div_ceil(SECTOR) {
            let version = sector(&self.seen, place);
            self.versions.entry(place).or_default().push(version);
        }
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.seen.resize(len, 0);
        self.lengths.push(len);
    }

    /// What is seen is durable.
    pub(crate) fn flush(&mut self) {
        for (place, _) in std::mem::take(&mut self.versions) {
            let now = sector(&self.seen, place);
            put(&mut self.durable, place, &now);
            self.doubtful.remove(&place);
        }
        self.durable.resize(self.seen.len(), 0);
        self.lengths.clear();
    }

    /// A flush fails: what it was about may be durable or not, and no later one looks at it again.
    pub(crate) fn doubt(&mut self) {
        for (place, versions) in std::mem::take(&mut self.versions) {
            self.doubtful.entry(place).or_default().extend(versions);
        }
    }

    /// Power is lost. `choose` draws a number below the one it is given.
    pub(crate) fn lose(&mut self, choose: &mut dyn FnMut(usize) -> usize) {
        let mut open = std::mem::take(&mut self.doubtful);
        for (place, versions) in std::mem::take(&mut self.versions) {
            open.entry(place).or_default().extend(versions);
        }
        let lengths = std::mem::take(&mut self.lengths);
        if let Some(len) = choose(lengths.len() + 1).checked_sub(1) {
            self.durable.resize(lengths[len], 0);
        }
        for (place, versions) in open {
            if let Some(version) = choose(versions.len() + 1).checked_sub(1) {
                put(&mut self.durable, place, &versions[version]);
            }
        }
        self.seen.clone_from(&self.durable);
    }
}

fn sector(content: &[u8], place: usize) -> Sector {
    let mut sector = [0; SECTOR];
    let there = content.get(place * SECTOR..).unwrap_or_default();
    let len = there.len().min(SECTOR);
    sector[..len].copy_from_slice(&there[..len]);
    sector
}

fn put(content: &mut Vec<u8>, place: usize, sector: &Sector) {
    let end = (place + 1) * SECTOR;
    if content.len() < end {
        content.resize(end, 0);
    }
    content[place * SECTOR..end].copy_from_slice(sector);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: what was flushed is never lost, and what was not is any version, sector by sector.
    #[test]
    fn what_power_takes() {
        let mut first = 0;
        for (choices, left) in [([0, 0, 0], "aa"), ([0, 1, 0], "ba"), ([0, 2, 1], "cd")] {
            let mut file = File::default();
            let fill = |byte: u8| [byte; SECTOR];
            file.write(0, &[fill(b'a'), fill(b'a')].concat());
            file.flush();
            file.write(0, &fill(b'b'));
            file.write(0, &fill(b'c'));
            file.write(SECTOR, &fill(b'd'));
            let mut choices = choices.into_iter();
            file.lose(&mut |_| choices.next().expect("a length and two sectors"));
            let mut content = [0; 2 * SECTOR];
            assert_eq!(file.read(0, &mut content), 2 * SECTOR);
            assert_eq!([content[0], content[SECTOR]], left.as_bytes());
            first += 1;
        }
        assert_eq!(first, 3);
    }

    /// Goal: a flush after one that failed does not make durable what that one was about.
    #[test]
    fn a_failed_flush_is_not_made_up_for() {
        let mut file = File::default();
        file.write(0, &[1; SECTOR]);
        file.doubt();
        file.write(SECTOR, &[2; SECTOR]);
        file.flush();
        file.lose(&mut |_| 0);
        let mut content = [9; 2 * SECTOR];
        file.read(0, &mut content);
        assert_eq!([content[0], content[SECTOR]], [0, 2]);
    }
}
