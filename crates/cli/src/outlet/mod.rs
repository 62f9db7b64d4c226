//! Where campaigns are told of: standard output, a JUnit report, and what GitHub Actions shows.

mod github;
mod judge;
mod junit;
mod summary;

use crate::{Console, Exit, error::CommandError};
use holdover::CampaignSummary;
use judge::Problem;
use std::path::Path;

/// A campaign and the stories of what it found, laid out for whoever reads them.
pub(crate) struct Told {
    campaign: CampaignSummary,
    stories: Vec<String>,
}

impl Told {
    pub(crate) fn new(campaign: CampaignSummary, stories: Vec<String>) -> Self {
        Self { campaign, stories }
    }
}

/// Where the campaigns of one command are told of.
pub(crate) struct Outlet<'a> {
    json: bool,
    quiet: bool,
    junit: Option<&'a Path>,
    told: Vec<(CampaignSummary, Vec<Problem>)>,
}

impl<'a> Outlet<'a> {
    pub(crate) fn new(json: bool, quiet: bool, junit: Option<&'a Path>) -> Self {
        Self { json, quiet, junit, told: Vec::new() }
    }

    /// Judges a campaign and tells of it. The text is the result, unless the result is JSON: then it is narration.
    pub(crate) fn tell(&mut self, told: Told, console: &mut Console<'_>) -> Result<Exit, CommandError> {
        let problems = judge::judge(&told.campaign);
        let exit = problems.iter().fold(Exit::Passed, |exit, problem| exit.worst(problem.exit));
        let text = summary::text(&told, &problems, console.stopped());
        match (self.json, self.quiet) {
            (false, _) => console.print(text)?,
            (true, false) => console.narrate(text),
            (true, true) => {}
        }
        github::annotate(&told.campaign, &problems, console);
        self.told.push((told.campaign, problems));
        Ok(exit)
    }

    /// Writes what tells of all campaigns at once. A report that cannot be written must not hide what was found, so
    /// that it is only told and weighed.
    pub(crate) fn close(&self, console: &mut Console<'_>) -> Result<Exit, CommandError> {
        if self.json {
            let campaigns: Vec<&CampaignSummary> = self.told.iter().map(|(campaign, _)| campaign).collect();
            let line = serde_json::to_string(&campaigns).expect("a summary names its members by text");
            console.print(line)?;
        }
        let junit = self.junit.map_or(Ok(()), |path| junit::write(path, &self.told));
        let mut exit = Exit::Passed;
        for error in [junit, github::summarise(&self.told, console)].into_iter().filter_map(Result::err) {
            console.narrate(format_args!("error: {error}"));
            exit = exit.worst(error.exit());
        }
        Ok(exit)
    }
}
