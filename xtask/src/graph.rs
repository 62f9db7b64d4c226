//! The part of `cargo metadata` that the layers are checked against.

use crate::cargo::cargo;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The packages of the workspace and all they depend on.
#[derive(Debug, Deserialize)]
pub(crate) struct Graph {
    pub(crate) packages: Vec<Package>,
    workspace_members: BTreeSet<String>,
    resolve: Resolve,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    id: String,
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Debug, Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Debug, Deserialize)]
struct EdgeKind {
    kind: Option<String>,
}

impl Graph {
    /// Asks cargo, without letting it change the lock file.
    pub(crate) fn load(root: &Path) -> Result<Self, String> {
        let mut command = cargo(root, &["metadata", "--format-version", "1", "--locked"]);
        let output = command.output().map_err(|error| format!("cargo metadata cannot be run: {error}"))?;
        if !output.status.success() {
            return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
    }

    /// The packages of the workspace.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// Everything that is built into a package, by name; tests and build scripts aside.
    pub(crate) fn tree(&self, package: &Package) -> BTreeSet<&str> {
        let edges: BTreeMap<&str, &[Edge]> =
            self.resolve.nodes.iter().map(|node| (node.id.as_str(), node.deps.as_slice())).collect();
        let mut seen = BTreeSet::new();
        let mut left = vec![package.id.as_str()];
        while let Some(id) = left.pop() {
            let normal = |edge: &&Edge| edge.dep_kinds.iter().any(|edge| edge.kind.is_none());
            let next = edges.get(id).copied().unwrap_or_default().iter().filter(normal);
            left.extend(next.map(|edge| edge.pkg.as_str()).filter(|id| seen.insert(*id)));
        }
        self.packages
            .iter()
            .filter(|package| seen.contains(package.id.as_str()))
            .map(|p| p.name.as_str())
            .collect()
    }
}

impl Package {
    /// The names of its direct dependencies, those of its tests aside.
    pub(crate) fn uses(&self) -> impl Iterator<Item = &str> {
        let built = self.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
        built.map(|dependency| dependency.name.as_str())
    }
}
