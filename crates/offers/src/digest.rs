use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use std::{fmt, hint::black_box, str::FromStr};

/// A SHA-256 digest, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Compares in a time that does not depend on where the digests differ.
    pub fn same_in_constant_time(&self, other: &Self) -> bool {
        let differences = self.0.iter().zip(&other.0).fold(0, |seen, (a, b)| black_box(seen | (a ^ b)));
        differences == 0
    }
}

impl FromStr for Digest {
    type Err = &'static str;

    fn from_str(hex: &str) -> Result<Self, Self::Err> {
        let digits: Option<Vec<u8>> = hex.bytes().map(lower_hex_value).collect();
        match digits {
            Some(digits) if digits.len() == 64 => {
                Ok(Self(std::array::from_fn(|i| digits[2 * i] << 4 | digits[2 * i + 1])))
            }
            _ => Err("must be 64 lower-case hexadecimal digits"),
        }
    }
}

fn lower_hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the exact lower-case form is read, and it is written back as it was.
    #[test]
    fn hexadecimal_form() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(b"").to_string(), empty);
        assert_eq!(empty.parse(), Ok(Digest::of(b"")));
        assert!(empty.to_uppercase().parse::<Digest>().is_err());
        assert!(empty.replace('e', "g").parse::<Digest>().is_err());
        assert!(empty[1..].parse::<Digest>().is_err());
        assert!(Digest::of(b"").same_in_constant_time(&Digest::of(b"")));
        assert!(!Digest::of(b"").same_in_constant_time(&Digest::of(b"a")));
    }
}
