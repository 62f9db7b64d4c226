use crate::{
    Console, Exit,
    arguments::MergeArguments,
    error::CommandError,
    outlet::{Outlet, Told},
};
use holdover::{CampaignSummary, MergeError};
use std::{fs, path::Path};

/// Adds up the shards of each campaign in the files, and judges and tells of it as one process would have done.
pub(crate) fn merge(arguments: &MergeArguments, console: &mut Console<'_>) -> Result<Exit, CommandError> {
    let mut campaigns: Vec<Vec<CampaignSummary>> = Vec::new();
    for path in &arguments.files {
        for shard in read(path)? {
            let same = |other: &CampaignSummary| {
                (&other.scenario, &other.variant) == (&shard.scenario, &shard.variant)
            };
            match campaigns.iter_mut().find(|shards| shards.iter().all(same)) {
                Some(shards) => shards.push(shard),
                None => campaigns.push(vec![shard]),
            }
        }
    }
    if campaigns.is_empty() {
        return Err(MergeError::Nothing.into());
    }
    let whole: Vec<CampaignSummary> =
        campaigns.into_iter().map(CampaignSummary::merge).collect::<Result<_, _>>()?;
    let mut outlet = Outlet::new(arguments.json, false, arguments.junit.as_deref());
    let mut exit = Exit::Passed;
    for campaign in whole {
        if campaign.interrupted {
            let (done, wanted) = (campaign.seeds, campaign.wanted);
            console.narrate(format_args!(
                "error: the last shard of {} was stopped early: {done} of {wanted} seeds are there",
                campaign.scenario
            ));
            exit = exit.worst(Exit::Floor);
        }
        let stories = campaign.violations.iter().map(|found| found.story.clone()).collect();
        exit = exit.worst(outlet.tell(Told::new(campaign, stories), console)?);
    }
    Ok(exit.worst(outlet.close(console)?))
}

fn read(path: &Path) -> Result<Vec<CampaignSummary>, CommandError> {
    let path = path.to_owned();
    let text = fs::read_to_string(&path)
        .map_err(|source| CommandError::Unreadable { path: path.clone(), source })?;
    let shards: Vec<CampaignSummary> = serde_json::from_str(&text)
        .map_err(|source| CommandError::NoSummaries { path: path.clone(), source })?;
    match shards
        .iter()
        .find(|shard| shard.seeds > shard.wanted || (shard.seeds < shard.wanted) != shard.interrupted)
    {
        Some(shard) => Err(CommandError::WrongCount { path, seeds: shard.seeds, wanted: shard.wanted }),
        None => Ok(shards),
    }
}
