use holdover_sim::jobs::Deed;
use serde::Deserialize;
use std::path::Path;

/// A short story: what happens, one thing after the other.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct Plan(pub(crate) Vec<Event>);

/// One thing that happens. A worker that was paused acts on what it had decided before.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Event {
    Create { job: u8 },
    Read { job: u8 },
    Claim { worker: u8 },
    Act { worker: u8, deed: Deed },
    Pause { worker: u8 },
    Resume { worker: u8 },
    Sweep {},
    Wait { ms: i64 },
}

impl Plan {
    pub(crate) fn read(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plans").join(name).with_extension("json");
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}
