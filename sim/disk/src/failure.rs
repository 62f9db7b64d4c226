/// What becomes of an operation that is made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// Power is lost before it; nothing works until the disk is started again.
    Power,
    /// It fails, once. A write has written nothing; of what a flush was to flush, any part is durable.
    Error,
    /// It fails for want of room, once.
    Full,
}
