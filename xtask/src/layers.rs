//! Which package may depend on which. Dependencies point down only: protocols know nothing of the harness, the
//! harness nothing of protocols, the simulated worlds join them and the command line sits on top.

use crate::{
    finding::Finding,
    graph::{Graph, Package},
};
use std::{collections::BTreeSet, fs, path::Path};

/// What each package of the workspace may use of the workspace; what its tests use is free.
const LAYERS: &[(&str, &[&str])] = &[
    ("holdover-machine", &[]),
    ("holdover-jobs", &["holdover-machine"]),
    ("holdover-offers", &["holdover-machine"]),
    ("holdover-recovery", &["holdover-machine"]),
    ("holdover-runs", &["holdover-machine"]),
    ("holdover-store", &["holdover-machine", "holdover-jobs"]),
    ("holdover-store-postgres", &["holdover-machine", "holdover-jobs", "holdover-store"]),
    ("holdover-servers", &[]),
    ("holdover-conform", &["holdover-machine", "holdover-jobs", "holdover-store", "holdover-vectors"]),
    ("holdover-store-sqlite", &["holdover-machine", "holdover-jobs", "holdover-store"]),
    ("holdover-store-redis", &["holdover-machine", "holdover-jobs", "holdover-store"]),
    ("holdover-node", &["holdover-machine", "holdover-jobs", "holdover-store"]),
    (
        "holdover-live",
        &[
            "holdover",
            "holdover-bench",
            "holdover-machine",
            "holdover-jobs",
            "holdover-store",
            "holdover-node",
        ],
    ),
    ("holdover-bench", &["holdover", "holdover-machine", "holdover-jobs", "holdover-store"]),
    ("holdover-sim-node", &["holdover-machine", "holdover-jobs", "holdover-store"]),
    ("holdover", &["holdover-machine"]),
    (
        "holdover-vectors",
        &["holdover-machine", "holdover-jobs", "holdover-offers", "holdover-recovery", "holdover-runs"],
    ),
    (
        "holdover-sim",
        &[
            "holdover",
            "holdover-machine",
            "holdover-jobs",
            "holdover-offers",
            "holdover-recovery",
            "holdover-runs",
        ],
    ),
    (
        "holdover-cli",
        &[
            "holdover",
            "holdover-sim",
            "holdover-vectors",
            "holdover-jobs",
            "holdover-bench",
            "holdover-conform",
            "holdover-live",
            "holdover-machine",
            "holdover-node",
            "holdover-servers",
            "holdover-store",
            "holdover-store-postgres",
            "holdover-store-redis",
            "holdover-store-sqlite",
        ],
    ),
    (
        "holdover-sim-madsim",
        &[
            "holdover",
            "holdover-machine",
            "holdover-jobs",
            "holdover-store",
            "holdover-sim",
            "holdover-sim-node",
        ],
    ),
    ("holdover-sim-cli", &["holdover", "holdover-cli", "holdover-sim", "holdover-sim-madsim"]),
    ("holdover-tests", &["holdover", "holdover-jobs", "holdover-machine", "holdover-sim"]),
    (
        "holdover-benches",
        &[
            "holdover",
            "holdover-bench",
            "holdover-machine",
            "holdover-jobs",
            "holdover-servers",
            "holdover-sim",
            "holdover-store",
            "holdover-store-postgres",
            "holdover-store-redis",
            "holdover-store-sqlite",
        ],
    ),
    ("holdover-sim-disk", &[]),
    ("xtask", &[]),
];

/// The packages that must stay without IO.
const PURE: &[&str] =
    &["holdover-machine", "holdover-jobs", "holdover-offers", "holdover-recovery", "holdover-runs"];

/// What they may use from elsewhere. `uuid` names things by their content; its features that draw ids need
/// `getrandom`, which is banned.
const PURE_MAY_USE: &[&str] = &["serde", "serde_json", "sha2", "thiserror", "rustc-hash", "uuid"];

/// What must not be anywhere below a pure package, however indirectly: runtimes, clocks, randomness.
const BANNED_BELOW_PURE: &[&str] = &[
    "async-std",
    "chrono",
    "fastrand",
    "futures",
    "getrandom",
    "jiff",
    "madsim",
    "mio",
    "rand",
    "rand_core",
    "smol",
    "time",
    "tokio",
];

/// Every dependency that points up or sideways, or brings IO into a pure package.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>, String> {
    let graph = Graph::load(root)?;
    let members: BTreeSet<&str> = graph.members().map(|package| package.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in graph.members() {
        let tree = graph.tree(package);
        findings.extend(breaches(package, &members, &tree).into_iter().map(|(culprit, what)| Finding {
            path: package.manifest_path.strip_prefix(root).unwrap_or(&package.manifest_path).to_owned(),
            line: line_of(&package.manifest_path, culprit),
            what,
        }));
    }
    Ok(findings)
}

/// What is wrong with one package: the dependency at fault and the sentence.
fn breaches<'a>(
    package: &'a Package,
    members: &BTreeSet<&str>,
    tree: &BTreeSet<&'a str>,
) -> Vec<(&'a str, String)> {
    let name = package.name.as_str();
    let Some((_, may_use)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
        return vec![(name, format!("{name} has no layer, give it one in xtask/src/layers.rs"))];
    };
    let mut breaches = Vec::new();
    for used in package.uses() {
        if members.contains(used) && !may_use.contains(&used) {
            let allowed = if may_use.is_empty() { "nothing".to_owned() } else { may_use.join(", ") };
            breaches.push((
                used,
                format!("{name} must not depend on {used}, of the workspace it may use {allowed}"),
            ));
        }
        if PURE.contains(&name) && !members.contains(used) && !PURE_MAY_USE.contains(&used) {
            let allowed = PURE_MAY_USE.join(", ");
            breaches
                .push((used, format!("{name} is pure and must not depend on {used}, it may use {allowed}")));
        }
    }
    if PURE.contains(&name) {
        let below = BANNED_BELOW_PURE.iter().filter(|banned| tree.contains(*banned));
        breaches.extend(below.map(|banned| {
            (*banned, format!("{name} is pure but {banned} is below it; find out how with cargo tree -p {name} -i {banned}"))
        }));
    }
    breaches
}

/// Where the manifest names the dependency; its first line where it does not.
fn line_of(manifest: &Path, dependency: &str) -> usize {
    let text = fs::read_to_string(manifest).unwrap_or_default();
    let named =
        |line: &str| line.strip_prefix(dependency).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    text.lines().position(named).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    type Uses = (&'static str, &'static [&'static str]);

    /// A workspace of the members given, each with the names it uses; all else is from elsewhere and uses nothing.
    fn graph(members: &[Uses]) -> Graph {
        let edge = |kind: Value, name: &str| json!({"name": name, "pkg": name, "kind": kind, "dep_kinds": [{"kind": kind}]});
        let package = |name: &str, uses: &[&str]| {
            let deps: Vec<Value> = uses.iter().map(|used| edge(Value::Null, used)).collect();
            json!({"id": name, "name": name, "manifest_path": "", "dependencies": deps, "deps": deps})
        };
        let elsewhere =
            members.iter().flat_map(|(_, uses)| uses.iter()).filter(|used| !used.starts_with("holdover"));
        let packages: Vec<Value> = members
            .iter()
            .map(|(name, uses)| package(name, uses))
            .chain(elsewhere.map(|name| package(name, &[])))
            .collect();
        let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
        let graph = json!({"packages": packages, "workspace_members": names, "resolve": {"nodes": packages}});
        serde_json::from_value(graph).unwrap()
    }

    /// Goal: in each workspace exactly the dependencies named are at fault.
    #[test]
    fn at_fault() {
        let machine: Uses = ("holdover-machine", &["serde"]);
        let cases: &[(&[Uses], &[&str])] = &[
            (&[machine, ("holdover-jobs", &["holdover-machine", "sha2"])], &[]),
            (&[machine, ("holdover-jobs", &["holdover-runs"]), ("holdover-runs", &[])], &["holdover-runs"]),
            (&[machine, ("holdover", &["holdover-jobs"]), ("holdover-jobs", &[])], &["holdover-jobs"]),
            (&[("holdover-jobs", &["tokio"])], &["tokio", "tokio"]),
            (&[("holdover-novel", &[])], &["holdover-novel"]),
        ];
        for (workspace, culprits) in cases {
            let graph = graph(workspace);
            let members: BTreeSet<&str> = graph.members().map(|package| package.name.as_str()).collect();
            let found: Vec<&str> = graph
                .members()
                .flat_map(|package| breaches(package, &members, &graph.tree(package)))
                .map(|(culprit, _)| culprit)
                .collect();
            assert_eq!(found, *culprits, "{workspace:?}");
        }
    }
}
