use holdover::history::{HistoryEvent, Operation, operations};
use serde_json::Value;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Makes one history of all tapes, in the order of time, and answers its operations. The last line of a process that was
/// killed may be half written; it is left out, as if it had not come so far.
pub(super) fn merge(tapes: &[PathBuf], history: &Path) -> io::Result<Vec<Operation>> {
    let mut events = Vec::new();
    for tape in tapes {
        let text = fs::read_to_string(tape)?;
        for line in text.lines() {
            let event = serde_json::from_str::<HistoryEvent<Value>>(line);
            events.extend(event.ok());
        }
    }
    events.sort_by_key(|event| event.time);
    let mut output = BufWriter::new(fs::File::create(history)?);
    for (index, event) in (0..).zip(&mut events) {
        event.index = index;
        serde_json::to_writer(&mut output, &event)?;
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(operations(&events))
}
