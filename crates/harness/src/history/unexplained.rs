use super::{lease_object::LeaseState, operation::Operation, told::Told};
use std::fmt;

/// A job whose history is not linearizable: the answer that no order explains, and what there was before it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Unexplained {
    /// The job.
    pub job: String,
    /// The operation whose answer fits nowhere. All answers before it can be explained.
    pub operation: Operation<Told>,
    /// What the job may have been like just before that answer.
    pub states: Vec<LeaseState>,
    /// The last operations that changed the job, or may have.
    pub recent: Vec<Operation<Told>>,
    /// The operations on the job that were under way when the answer came.
    pub pending: Vec<Operation<Told>>,
}

impl Unexplained {
    /// The last place in the history up to which there is an order.
    pub fn explained_up_to(&self) -> u64 {
        self.operation.returned.unwrap_or(self.operation.invoked).saturating_sub(1)
    }
}

/// A story: the sentence, and a table of the operations around it.
impl fmt::Display for Unexplained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { job, operation, states, recent, pending } = self;
        let returned = operation.returned.unwrap_or(operation.invoked);
        writeln!(
            f,
            "{job} is linearizable up to line {}. The answer in line {returned} fits nowhere:",
            self.explained_up_to()
        )?;
        writeln!(f, "\n     asked  answered      time  process  operation")?;
        row(f, ' ', recent)?;
        row(f, '?', pending)?;
        row(f, '>', std::slice::from_ref(operation))?;
        let states: Vec<String> = states.iter().map(ToString::to_string).collect();
        write!(f, "\nBefore that answer {job} was {}", states.join(", or "))?;
        match pending.len() {
            0 => write!(f, "; nothing else was under way."),
            _ => write!(f, "; `?` was under way, and carrying it out does not help."),
        }
    }
}

fn row(f: &mut fmt::Formatter<'_>, mark: char, operations: &[Operation<Told>]) -> fmt::Result {
    for operation in operations {
        let Operation { invoked, invoked_ms, process, outcome, error, .. } = operation;
        let returned = operation.returned.map_or_else(|| "-".to_owned(), |place| place.to_string());
        let seconds = format!("{}.{:03}", invoked_ms.div_euclid(1000), invoked_ms.rem_euclid(1000));
        write!(f, "{mark} {invoked:>8}  {returned:>8}  {seconds:>8}  {process:>7}  {operation}: ")?;
        if operation.value.replayed {
            f.write_str("replayed, ")?;
        }
        writeln!(
            f,
            "{}{}",
            outcome.as_str(),
            error.as_ref().map(|error| format!(", {error}")).unwrap_or_default()
        )?;
    }
    Ok(())
}
