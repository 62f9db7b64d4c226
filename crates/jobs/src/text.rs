//! Text rules of the wire: lengths in UTF-16 units, a trim of its own, and lower-casing.

use std::sync::Arc;

/// Text that records, events and replies share.
pub type Text = Arc<str>;

/// Whether the protocol trims this character: ECMAScript's white space. It differs from Rust's: U+0085 stays,
/// U+FEFF goes.
fn is_trimmed(c: char) -> bool {
    matches!(c,
        '\u{9}'..='\u{D}' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}'
        | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}')
}

/// The text without the protocol's white space at both ends.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_trimmed)
}

/// The longest prefix of at most `units_max` UTF-16 units that ends between characters.
pub(crate) fn cut(text: &str, units_max: usize) -> &str {
    // A UTF-8 text never has fewer bytes than UTF-16 units, so the common case needs no scan.
    if text.len() <= units_max {
        return text;
    }
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > units_max {
            return &text[..at];
        }
    }
    text
}

/// Trimmed, then cut. The result may end in white space again: the cut comes last.
pub(crate) fn trim_cut(text: &str, units_max: usize) -> &str {
    cut(trim(text), units_max)
}

/// The number of UTF-16 units of a text.
pub(crate) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trim removes exactly the protocol's white space, at both ends.
    #[test]
    fn trims_ecmascript_white_space_only() {
        for (text, want) in [
            ("\u{FEFF} a \u{3000}", "a"),
            ("\u{85}a", "\u{85}a"),
            ("\u{180E}a\u{200B}", "\u{180E}a\u{200B}"),
            ("\u{B}\u{C}\t", ""),
        ] {
            assert_eq!(trim(text), want);
        }
    }

    /// A cut counts UTF-16 units and never splits a character.
    #[test]
    fn cuts_at_whole_characters() {
        for (text, units_max, want) in
            [("abc", 2, "ab"), ("a😀b", 2, "a"), ("a😀b", 3, "a😀"), ("éé", 1, "é")]
        {
            assert_eq!(cut(text, units_max), want);
        }
    }
}
