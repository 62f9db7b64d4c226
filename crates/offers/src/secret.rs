//! Values that must not be shown: neither by `Debug` nor by `Serialize`.
//!
//! The only ways out are the `disclose` methods and [`disclosed`]; a search for `disclose` finds every place
//! that writes a secret.

use crate::{Digest, Text};
use serde::{Deserialize, Serialize, Serializer};
use std::{collections::BTreeMap, fmt};

const REDACTED: &str = "[redacted]";

macro_rules! secret {
    ($(#[$doc:meta])* $name:ident($inner:ty) as $shown:ty) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Deserialize)]
        #[serde(transparent)]
        pub struct $name($inner);

        impl $name {
            /// Wraps the secret.
            pub fn new(secret: impl Into<$inner>) -> Self {
                Self(secret.into())
            }

            /// The secret itself. What calls this may write it, and has to say where to.
            pub fn disclose(&self) -> &$shown {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(REDACTED)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(REDACTED)
            }
        }
    };
}

secret!(
    /// Proves to the control plane that a command comes from the holder of the lease. It may be written to the
    /// journal, a private file, and into commands.
    LeaseToken(Text) as str
);
secret!(
    /// Lets the local process report its completion. It lives in the prepared context and in the receipt; the
    /// journal holds its digest only.
    CompletionToken(Text) as str
);
secret!(
    /// The environment of the local process. Only the executor may see it.
    Environment(BTreeMap<Text, Text>) as BTreeMap<Text, Text>
);
secret!(
    /// What a failing port says about its failure, which may quote anything. It reaches the caller and nothing
    /// else.
    Detail(Text) as str
);

impl CompletionToken {
    /// What the journal keeps of the token.
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }
}

/// The JSON text of `value`, in which the one member `leaseToken` is written out: for the journal and for
/// commands.
///
/// The marker can stand nowhere else: inside a JSON string its quotes would be escaped.
pub(crate) fn disclosed(value: &impl Serialize, token: &LeaseToken) -> String {
    let text = serde_json::to_string(value).expect("wire types have text keys and finite numbers");
    let written = format!(r#""leaseToken":"{}""#, token.disclose());
    text.replacen(&format!(r#""leaseToken":"{REDACTED}""#), &written, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neither way of printing shows a secret, also inside other values.
    #[test]
    fn no_way_to_print() {
        let token = LeaseToken::new("s3cret");
        assert_eq!(format!("{:?}", Some(&token)), "Some([redacted])");
        assert_eq!(serde_json::to_string(&[&token]).unwrap(), r#"["[redacted]"]"#);
        let environment = Environment::new([(Text::from("KEY"), Text::from("s3cret"))]);
        assert_eq!(format!("{environment:?}"), "[redacted]");
    }

    /// Only the member is written out, not a text that looks like it.
    #[test]
    fn disclosing_writes_the_member_only() {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Wire {
            note: &'static str,
            lease_token: LeaseToken,
        }
        let wire = Wire { note: r#""leaseToken":"[redacted]""#, lease_token: LeaseToken::new("s3cret") };
        let text = disclosed(&wire, &wire.lease_token);
        assert_eq!(text, r#"{"note":"\"leaseToken\":\"[redacted]\"","leaseToken":"s3cret"}"#);
    }
}
