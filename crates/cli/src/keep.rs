use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
};

/// Writes beside the file and renames, so that nobody ever reads half of it. What is no plain file, a link or a
/// device, stays what it is and is written to.
pub(crate) fn keep(path: &Path, text: &str) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, text);
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let draft = PathBuf::from(format!("{}.{}.tmp", path.display(), process::id()));
    fs::write(&draft, text)?;
    fs::rename(&draft, path).inspect_err(|_| drop(fs::remove_file(&draft)))
}
