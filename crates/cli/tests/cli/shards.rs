use crate::program::Program;
use serde_json::Value;

/// Campaigns that between them end in every way: held, safety and liveness violated, panicked.
const CAMPAIGNS: [&str; 4] = [
    "lease --variant hardened",
    "lease --variant shares",
    "lease --variant forgets",
    "lease --variant panics",
];

/// Without what differs from run to run, and from the whole to its parts: time, and the file a trace went to.
fn counted(json: &str) -> Vec<Value> {
    let mut campaigns: Vec<Value> = serde_json::from_str(json).unwrap();
    for campaign in &mut campaigns {
        let members = campaign.as_object_mut().unwrap();
        members.retain(|name, _| !["wall_s", "cpu_s"].contains(&name.as_str()));
    }
    campaigns
}

/// Runs the shards of a campaign, each in a process of its own, and keeps what they print.
fn run_shards(program: &Program, line: &str, of: u32) -> String {
    let files: Vec<String> = (1..=of).map(|index| format!("shard-{index}.json")).collect();
    for (index, file) in (1..=of).zip(&files) {
        let ran = program.run(&format!("sim {line} --shard {index}/{of} --json --quiet"));
        program.write(file, &ran.out);
    }
    files.join(" ")
}

/// Goal: shards, each a process, add up to what one process reports, in every count and digest and in the text: what
/// passed, violations with their lowest seeds and stories, panics, recoveries and floors; in whatever order the
/// shards are named, and even where there are more shards than seeds.
#[test]
fn shards_add_up_to_the_whole() {
    let cases = CAMPAIGNS.iter().flat_map(|line| [(4, 203), (3, 2)].map(|(of, seeds)| (line, of, seeds)));
    for (line, of, seeds) in cases {
        let program = Program::new();
        let line = format!("{line} --seeds {seeds} --floor");
        let whole = program.run(&format!("sim {line} --json"));
        let files = run_shards(&program, &line, of);
        let backwards: Vec<&str> = files.rsplit(' ').collect();
        let merged = program.run(&format!("merge {} --json", backwards.join(" ")));
        assert_eq!(counted(&merged.out), counted(&whole.out), "{line}");
        assert_eq!(merged.code, whole.code, "{line}: {}", merged.err);
        let verdict = |told: &str| told.lines().last().map(str::to_owned);
        assert_eq!(verdict(&merged.err), verdict(&whole.err), "{line}");
    }
}

/// Goal: a fault that the whole meets and a shard does not is no failure of the shard, and one that the whole does
/// not meet is one of the whole.
#[test]
fn floors_are_judged_of_the_whole() {
    for (scenario, code) in [("lease", 0), ("barren", 6)] {
        let program = Program::new();
        let line = format!("sim {scenario} --floor --seeds 40");
        for index in 1..=40 {
            let ran = program.run(&format!("{line} --shard {index}/40 --json"));
            assert_eq!(ran.code, Some(0), "shard {index} of {scenario}: {}", ran.err);
            program.write(&format!("{index}.json"), &ran.out);
        }
        let files: Vec<String> = (1..=40).map(|index| format!("{index}.json")).collect();
        let merged = program.run(&format!("merge {}", files.join(" ")));
        assert_eq!(merged.code, Some(code), "{}", merged.out);
    }
}

/// Goal: what is not all shards of one campaign, each once, is refused in one line that says which.
#[test]
fn what_does_not_add_up() {
    let program = Program::new();
    run_shards(&program, "lease --seeds 10", 3);
    let other = program.run("sim lease --seeds 11 --shard 2/3 --json");
    program.write("other.json", &other.out);
    let fourth = program.run("sim lease --seeds 10 --shard 3/4 --json");
    program.write("fourth.json", &fourth.out);
    program.write("old.json", &program.read("shard-1.json").replace("campaign-v3", "campaign-v2"));
    program.write("cut.json", &program.read("shard-1.json")[..100]);
    program.write("empty.json", "[]");
    let cases = [
        ("shard-1.json shard-3.json", "expected shard 2/3 once, found 0"),
        ("shard-1.json shard-2.json shard-2.json shard-3.json", "expected shard 2/3 once, found 2"),
        ("shard-1.json shard-2.json other.json", "expected shard 2/3 once, found 2"),
        ("shard-1.json other.json shard-3.json", "shard 3/3 begins at seed 7, the one before ends before 8"),
        ("shard-1.json shard-2.json fourth.json", "differs from the first in its number of shards"),
        ("old.json", "has schema `holdover-campaign-v2`"),
        ("cut.json", "cut.json: not what `sim --json` prints"),
        ("empty.json", "no shard given"),
        ("missing.json", "missing.json: cannot be read"),
    ];
    for (files, part) in cases {
        let ran = program.run(&format!("merge {files}"));
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{files}: {}", ran.err);
        assert!(ran.err.contains(part), "{files}: {}", ran.err);
    }
}
