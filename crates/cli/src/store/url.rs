use std::path::PathBuf;
use std::str::FromStr;

/// Where jobs are kept, as it is named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreUrl {
    /// `memory:`, for as long as the process lives.
    Memory,
    /// `sqlite:PATH`, a file.
    Sqlite(PathBuf),
    /// `postgres://...`.
    Postgres(String),
    /// `redis://...`.
    Redis(String),
    /// `node://HOST:PORT`, a store that another process of this program serves.
    Node(String),
}

impl StoreUrl {
    /// Whether what is in it outlives the process.
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self, Self::Sqlite(_) | Self::Postgres(_) | Self::Redis(_))
    }

    /// As it may be shown: without who is let in, and how.
    pub(crate) fn shown(&self) -> String {
        let bare = |url: &str| match url.split_once("//") {
            Some((scheme, rest)) => {
                let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
                let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
                format!("{scheme}//{host}{}", path.split('?').next().unwrap_or_default())
            }
            None => url.to_owned(),
        };
        match self {
            Self::Memory => "memory:".to_owned(),
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::Postgres(url) | Self::Redis(url) => bare(url),
            Self::Node(address) => format!("node://{address}"),
        }
    }
}

impl FromStr for StoreUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':').unwrap_or_default() {
            ("memory", "") => Ok(Self::Memory),
            ("sqlite", path) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            ("postgres" | "postgresql", rest) if rest.starts_with("//") => {
                Ok(Self::Postgres(text.to_owned()))
            }
            ("redis", rest) if rest.starts_with("//") => Ok(Self::Redis(text.to_owned())),
            ("node", rest) if rest.len() > 2 && rest.starts_with("//") => {
                Ok(Self::Node(rest[2..].to_owned()))
            }
            _ => Err("expected `memory:`, `sqlite:PATH`, `postgres://...` or `redis://...`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: each kind of store has one way to be named, and what is none of them is told what there is.
    #[test]
    fn urls() {
        for (text, url) in [
            ("memory:", StoreUrl::Memory),
            ("sqlite:a b.db", StoreUrl::Sqlite("a b.db".into())),
            ("postgresql://u@h/d", StoreUrl::Postgres("postgresql://u@h/d".into())),
            ("redis://h:1/2", StoreUrl::Redis("redis://h:1/2".into())),
            ("node://127.0.0.1:7", StoreUrl::Node("127.0.0.1:7".into())),
        ] {
            assert_eq!(text.parse(), Ok(url), "{text}");
        }
        for text in ["", "memory", "memory:x", "sqlite:", "postgres:h", "redis:", "node://", "mysql://h"] {
            assert!(text.parse::<StoreUrl>().is_err_and(|why| why.contains("sqlite:PATH")), "{text}");
        }
    }

    /// Goal: no line of a result shows a password.
    #[test]
    fn a_shown_url_keeps_secrets() {
        for (text, shown) in [
            ("postgres://u:p@ss@h:5/d?password=q", "postgres://h:5/d"),
            ("redis://:p@127.0.0.1:7/2", "redis://127.0.0.1:7/2"),
            ("postgresql://?host=/tmp&password=q", "postgresql://"),
            ("sqlite:a@b.db", "sqlite:a@b.db"),
            ("memory:", "memory:"),
        ] {
            assert_eq!(text.parse::<StoreUrl>().expect("a store").shown(), shown);
        }
    }
}
