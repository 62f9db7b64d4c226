//! What is printed of a failure.

mod failure;
mod layout;
mod needs;
mod story;

pub use failure::{Failure, Sizes};
pub use layout::Layout;
pub use needs::Needs;
pub(crate) use story::tell;
