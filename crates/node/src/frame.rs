//! A frame: a length of four bytes, most significant first, and so many bytes.

use std::io;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The most bytes of a frame, without its length.
pub const FRAME_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Why a frame could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The frame is longer than the limit; the bytes after its length were not read.
    #[error("a frame of {bytes} bytes is over the limit of {FRAME_BYTES_MAX}")]
    TooLarge {
        /// How long it is.
        bytes: usize,
    },
    /// The connection ended inside a frame.
    #[error("the connection ended inside a frame")]
    Truncated,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Connection(#[from] io::Error),
}

/// Reads a frame; `None` when the connection has ended between two frames.
///
/// # Errors
/// A frame over the limit, one that is cut off, or a connection that failed.
pub async fn read_frame(reader: &mut (impl AsyncRead + Unpin)) -> Result<Option<Vec<u8>>, FrameError> {
    let mut length = [0; 4];
    let mut read = 0;
    while read < length.len() {
        match reader.read(&mut length[read..]).await? {
            0 if read == 0 => return Ok(None),
            0 => return Err(FrameError::Truncated),
            bytes => read += bytes,
        }
    }
    let bytes = u32::from_be_bytes(length) as usize;
    if bytes > FRAME_BYTES_MAX {
        return Err(FrameError::TooLarge { bytes });
    }
    let mut frame = vec![0; bytes];
    match reader.read_exact(&mut frame).await {
        Ok(_) => Ok(Some(frame)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(FrameError::Truncated),
        Err(error) => Err(error.into()),
    }
}

/// Writes a frame and flushes it.
///
/// # Errors
/// A frame over the limit, of which nothing is written, or a connection that failed.
pub async fn write_frame(writer: &mut (impl AsyncWrite + Unpin), frame: &[u8]) -> Result<(), FrameError> {
    let bytes = frame.len();
    let length = u32::try_from(bytes).ok().filter(|_| bytes <= FRAME_BYTES_MAX);
    let length = length.ok_or(FrameError::TooLarge { bytes })?;
    let mut whole = Vec::with_capacity(bytes + 4);
    whole.extend_from_slice(&length.to_be_bytes());
    whole.extend_from_slice(frame);
    writer.write_all(&whole).await?;
    writer.flush().await?;
    Ok(())
}
