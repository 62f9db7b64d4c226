//! The job protocol.
