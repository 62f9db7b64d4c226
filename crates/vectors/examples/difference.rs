//! Rewrites `tests/golden/jobs-hardened.txt`, the table of what hardened answers otherwise than recorded.

use holdover_vectors::Difference;
use std::{error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let difference = Difference::search("jobs-golden-v1", &golden.join("jobs"))?;
    fs::write(golden.join("jobs-hardened.txt"), difference.to_string())?;
    Ok(())
}
