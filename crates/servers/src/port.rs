use crate::ServerError;
use std::net::{Ipv4Addr, TcpListener};

/// A loopback port that is free now. Somebody else may take it before the server does, which then says so.
pub(crate) fn free() -> Result<u16, ServerError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(ServerError::doing("finding a free port"))
}
