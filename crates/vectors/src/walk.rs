use std::{collections::BTreeSet, io, path::PathBuf};
use thiserror::Error;
use walkdir::WalkDir;

/// Why the files could not be listed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WalkError {
    /// A path does not exist.
    #[error("{}: no such file or folder; name a folder of vectors or a vector file", .0.display())]
    Missing(PathBuf),
    /// A folder holds no vector.
    #[error("{}: no *.json file in this folder or below it", .0.display())]
    Empty(PathBuf),
    /// A folder cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// The path that was asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The files named, and every `*.json` file in the folders named and below them; sorted, each once.
pub fn walk(paths: &[PathBuf]) -> Result<Vec<PathBuf>, WalkError> {
    let mut files = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            let found = below(path)?;
            if found.is_empty() {
                return Err(WalkError::Empty(path.clone()));
            }
            files.extend(found);
        } else if path.exists() {
            files.insert(path.clone());
        } else {
            return Err(WalkError::Missing(path.clone()));
        }
    }
    Ok(files.into_iter().collect())
}

fn below(folder: &PathBuf) -> Result<Vec<PathBuf>, WalkError> {
    let unreadable =
        |error: walkdir::Error| WalkError::Unreadable { path: folder.clone(), source: error.into() };
    let mut found = Vec::new();
    for entry in WalkDir::new(folder).follow_links(true) {
        let entry = entry.map_err(unreadable)?;
        if entry.file_type().is_file() && entry.path().extension().is_some_and(|ending| ending == "json") {
            found.push(entry.into_path());
        }
    }
    Ok(found)
}
