//! Base64 as browsers read it: white space is skipped, and padding may be missing but not be wrong.

/// The bytes, or none if the text is not base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let wrong_padding = padding > 2 || padding > 0 && !text.len().is_multiple_of(4);
    if wrong_padding || digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for digit in group {
            bits = bits << 6 | u32::from(value(*digit)?);
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend(bits.to_be_bytes()[1..].iter().take(group.len() - 1));
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u8> {
    Some(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every length of the last group, with and without padding, and every way to be wrong.
    #[test]
    fn reads_what_browsers_read() {
        let cases: &[(&str, Option<&str>)] = &[
            ("", Some("")),
            ("bGVhc2U=", Some("lease")),
            ("bGVhc2U", Some("lease")),
            ("bGVh c2\nVz", Some("leases")),
            ("bGVhcw==", Some("leas")),
            ("bGVhcw", Some("leas")),
            ("bGVhcw=", None),
            ("bGVhc", None),
            ("=", None),
            ("bGVhc2U==", None),
            ("bG=Vhc2U", None),
            ("bGVh-2U=", None),
        ];
        for (text, expected) in cases {
            assert_eq!(decode(text).as_deref(), expected.map(str::as_bytes), "{text:?}");
        }
    }
}
