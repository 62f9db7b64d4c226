//! Measures the frontier of the jobs world and writes it into `docs/frontier.md` and `tests/traces/frontier`:
//! `cargo run --release -p holdover-tests --bin write-frontier`. To be run when the world changes on purpose.

use holdover::{Frontier, FrontierOptions, frontier};
use holdover_sim::jobs::ClockFrontier;
use holdover_tests::{frontier_doc, frontier_traces, pairs};
use std::error::Error;
use std::fs;
use std::num::NonZeroUsize;

const BEGIN: &str = "<!-- measured -->\n";
const END: &str = "<!-- end of what is measured -->\n";

fn main() -> Result<(), Box<dyn Error>> {
    let subject = ClockFrontier::campaign();
    let threads = NonZeroUsize::new(2).unwrap_or(NonZeroUsize::MIN);
    let options = FrontierOptions::new(subject.seeds()).threads(threads);
    let report = frontier(&subject, subject.variants(), &options)?.ok_or("it was stopped")?;
    let doc = fs::read_to_string(frontier_doc())?;
    let (before, rest) =
        doc.split_once(BEGIN).ok_or("docs/frontier.md has no mark where the table begins")?;
    let (_, after) = rest.split_once(END).ok_or("docs/frontier.md has no mark where the table ends")?;
    fs::write(frontier_doc(), format!("{before}{BEGIN}\n{}\n{END}{after}", report.to_markdown()))?;
    for variant in subject.variants() {
        let folder = frontier_traces().join(variant);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
    }
    for pair in pairs(&subject, &report) {
        let folder = frontier_traces().join(&pair.variant);
        fs::write(folder.join(format!("{}.passes.json", pair.name)), pair.passes.to_json())?;
        fs::write(folder.join(format!("{}.falls.json", pair.name)), pair.falls.to_json())?;
        println!("{} {}: {} actions", pair.variant, pair.name, pair.falls.steps.len());
    }
    Ok(())
}
