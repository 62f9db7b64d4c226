use crate::program::Program;
use serde::Deserialize;
use std::{collections::BTreeMap, fs, path::Path};

/// As much of a workflow as is run here.
#[derive(Deserialize)]
struct Workflow {
    jobs: BTreeMap<String, Job>,
}

#[derive(Deserialize)]
struct Job {
    strategy: Option<Strategy>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Strategy {
    matrix: BTreeMap<String, Vec<u32>>,
}

#[derive(Deserialize)]
struct Step {
    run: Option<String>,
}

impl Workflow {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/holdover.yml");
        serde_saphyr::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    }

    fn commands(&self, job: &str) -> Vec<&str> {
        self.jobs[job].steps.iter().filter_map(|step| step.run.as_deref()).collect()
    }
}

/// Runs the commands of every shard and then of the merge, all in one folder, as if the artifacts had been carried.
/// The program stands in for the workspace's own.
fn play(program: &Program, variant: &str) -> Option<i32> {
    let cargo = format!("#!/bin/sh\nshift\nexec {} \"$@\" $VARIANT\n", Program::path().display());
    program.write_program("cargo", &cargo);
    let workflow = Workflow::read();
    let shards = &workflow.jobs["shard"].strategy.as_ref().unwrap().matrix["shard"];
    assert_eq!(*shards, [1, 2, 3, 4]);
    for shard in shards {
        for command in workflow.commands("shard") {
            let command = command.replace("${{ matrix.shard }}", &shard.to_string());
            assert!(!command.contains("${{"), "{command}");
            program.shell(&command, &[("SEEDS", "80"), ("VARIANT", variant)]);
        }
    }
    let [merge] = workflow.commands("merge")[..] else { panic!("one command merges") };
    program.shell(merge, &[("VARIANT", "")])
}

/// Goal: the commands of the workflow do what its steps say: the shards leave reports that merge to the verdict of the
/// whole, and the traces and the JUnit report lie where they are taken from.
#[test]
#[cfg(unix)]
fn the_workflow_runs() {
    let program = Program::new();
    assert_eq!(play(&program, "--variant=shares"), Some(1));
    let files = program.files("out");
    let traces = ["barren-shares-one-holder.json", "junit.xml", "lease-shares-one-holder.json"];
    assert!(traces.iter().all(|name| files.iter().any(|file| file == name)), "{files:?}");
    // In one of the two scenarios there is a fault that never happens.
    assert_eq!(play(&Program::new(), ""), Some(6));
}
