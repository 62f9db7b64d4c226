use crate::error::CommandError;
use holdover::Layout;
use std::{
    fmt::Display,
    io::Write,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// What a command needs of the process that it runs in.
pub struct Console<'a> {
    /// Where results go.
    pub out: &'a mut dyn Write,
    /// Where narration and errors go.
    pub err: &'a mut dyn Write,
    /// Whether somebody watches standard error, so that a progress bar makes sense.
    pub watched: bool,
    /// Whether results may be coloured.
    pub color: bool,
    /// How wide results may be.
    pub columns: usize,
    /// Set by Ctrl-C: finish the step at hand and report what there is.
    pub stop: &'a AtomicBool,
    /// Whether this is a job of GitHub Actions, which shows annotations.
    pub github: bool,
    /// Where GitHub Actions reads the summary of a step, as markdown.
    pub step_summary: Option<PathBuf>,
    /// The program itself, to run seeds again in a fresh process.
    pub program: PathBuf,
}

impl Console<'_> {
    /// Prints a result.
    pub(crate) fn print(&mut self, text: impl Display) -> Result<(), CommandError> {
        writeln!(self.out, "{text}").and_then(|()| self.out.flush()).map_err(CommandError::Output)
    }

    /// Tells the user something beside the result. Nobody may be listening, and that is no error.
    pub(crate) fn narrate(&mut self, text: impl Display) {
        let _ = writeln!(self.err, "{text}");
    }

    /// How results are laid out.
    pub(crate) fn layout(&self) -> Layout {
        Layout { columns: self.columns, colour: self.color }
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
