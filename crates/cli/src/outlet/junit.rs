//! A JUnit report: a suite for each campaign, a case for each invariant, and one for everything else that can be
//! wrong.

use super::judge::Problem;
use crate::{Exit, error::CommandError, keep::keep};
use holdover::{CampaignSummary, ViolationSummary};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::{io, path::Path};

/// Writes the report of these campaigns.
pub(crate) fn write(path: &Path, told: &[(CampaignSummary, Vec<Problem>)]) -> Result<(), CommandError> {
    let mut report = Report::new("holdover");
    report.add_test_suites(told.iter().map(|(campaign, problems)| suite(campaign, problems)));
    let unwritable = |source| CommandError::Unwritable { path: path.to_owned(), source };
    let text = report.to_string().map_err(|error| unwritable(io::Error::other(error)))?;
    keep(path, &text).map_err(unwritable)
}

fn suite(campaign: &CampaignSummary, problems: &[Problem]) -> TestSuite {
    let mut suite = TestSuite::new(format!("{} ({})", campaign.scenario, campaign.variant));
    for (invariant, _) in campaign.invariants.iter() {
        let found = campaign.violations.iter().find(|found| found.invariant == invariant);
        suite.add_test_case(case(&suite_class(campaign), invariant, found.map(fallen)));
    }
    let told = |wanted: fn(Exit) -> bool| {
        let texts: Vec<&str> =
            problems.iter().filter(|problem| wanted(problem.exit)).map(|problem| &*problem.text).collect();
        (!texts.is_empty()).then(|| failure(&texts.join("; "), &texts.join("\n")))
    };
    let class = suite_class(campaign);
    suite.add_test_case(case(&class, "floors", told(|exit| exit == Exit::Floor)));
    suite.add_test_case(case(&class, "determinism", told(|exit| exit == Exit::Nondeterminism)));
    suite.add_test_case(case(&class, "no panic", told(|exit| exit == Exit::Panic)));
    suite
}

fn suite_class(campaign: &CampaignSummary) -> String {
    format!("{}.{}", campaign.scenario, campaign.variant)
}

fn case(class: &str, name: &str, failure: Option<TestCaseStatus>) -> TestCase {
    let mut case = TestCase::new(name, failure.unwrap_or_else(TestCaseStatus::success));
    case.set_classname(class);
    case
}

fn fallen(found: &ViolationSummary) -> TestCaseStatus {
    failure(&found.sentence, &found.story)
}

fn failure(message: &str, story: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message).set_description(story);
    status
}
