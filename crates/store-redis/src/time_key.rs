use holdover_machine::StoreTime;

/// A time as the store keeps it: 16 hexadecimal digits that sort as times do.
pub(crate) fn time_key(time: StoreTime) -> String {
    format!("{:016x}", (time.ms() as u64) ^ (1 << 63))
}

/// The time of these digits.
pub(crate) fn time_of(key: &str) -> Option<StoreTime> {
    let flipped = u64::from_str_radix(key, 16).ok()?;
    Some(StoreTime::from_ms((flipped ^ (1 << 63)) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: every time is read back, and keys sort as times do.
    #[test]
    fn keys_sort_as_times() {
        let times = [i64::MIN, -1, 0, 1, 1_733_000_000_000, (1 << 53) - 1, 1 << 53, i64::MAX];
        let times = times.map(StoreTime::from_ms);
        let keys = times.map(time_key);
        assert!(keys.is_sorted());
        assert_eq!(keys.map(|key| time_of(&key)), times.map(Some));
    }
}
