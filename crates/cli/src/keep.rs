use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
};

/// Writes beside the file and renames, so that nobody ever reads half a trace.
pub(crate) fn keep(path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let draft = PathBuf::from(format!("{}.{}.tmp", path.display(), process::id()));
    fs::write(&draft, text)?;
    fs::rename(&draft, path).inspect_err(|_| drop(fs::remove_file(&draft)))
}
