use crate::ServerError;
use std::fmt::Write;

/// A password that nobody guesses: others on this machine can reach the port.
pub(crate) fn draw() -> Result<String, ServerError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| ServerError::doing("drawing a password")(std::io::Error::other(error)))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
