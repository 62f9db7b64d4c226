//! Numbers as people read them.

/// With a comma between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time in its two largest units, or in milliseconds below a second.
pub(crate) fn span(ms: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")];
    let Some(first) = UNITS.iter().position(|(size, _)| ms >= *size) else {
        return format!("{ms} ms");
    };
    let (size, name) = UNITS[first];
    match UNITS.get(first + 1) {
        Some((next, next_name)) => format!("{} {name} {} {next_name}", grouped(ms / size), ms % size / next),
        None => format!("{}.{:03} s", ms / size, ms % size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: numbers and times read as written here.
    #[test]
    fn as_people_read_them() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")] {
            assert_eq!(grouped(number), text);
        }
        for (ms, text) in [(7, "7 ms"), (1_007, "1.007 s"), (90_000, "1 min 30 s"), (90_000_000, "1 d 1 h")] {
            assert_eq!(span(ms), text);
        }
    }
}
