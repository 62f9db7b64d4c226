use std::net::{SocketAddr, ToSocketAddrs};

/// A server, and how it is reached.
#[derive(Clone)]
pub(crate) struct Elsewhere {
    /// How it is reached.
    pub(crate) url: String,
    /// The host and the port as they stand in it.
    pub(crate) host: String,
    /// What they mean.
    pub(crate) address: SocketAddr,
}

impl Elsewhere {
    /// The server of this URL, at this port if it names none.
    ///
    /// # Errors
    /// It names no host, or one that nobody knows.
    pub(crate) fn at(url: &str, port: u16) -> Result<Self, String> {
        let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        if host.is_empty() {
            return Err("the store's URL must name a host: it is reached through a proxy".to_owned());
        }
        let named = host.parse::<SocketAddr>().is_ok()
            || host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let full = if named { host.to_owned() } else { format!("{host}:{port}") };
        let addresses = full.to_socket_addrs().map_err(|error| format!("{full}: {error}"))?;
        // The proxy connects by one address, and most servers listen at the older kind.
        let address =
            addresses.min_by_key(SocketAddr::is_ipv6).ok_or_else(|| format!("{full}: no address"))?;
        Ok(Self { url: url.to_owned(), host: host.to_owned(), address })
    }
}

impl Elsewhere {
    /// The same URL by another address.
    pub(crate) fn by(&self, address: SocketAddr) -> String {
        match self.url.rfind(&self.host) {
            Some(place) => format!("{}{address}{}", &self.url[..place], &self.url[place + self.host.len()..]),
            None => self.url.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: a host is found in every form of a URL, with the usual port where there is none.
    #[test]
    fn where_it_is() {
        for (url, host, address) in [
            ("postgres://u:p@127.0.0.1:6/d?x=y", "127.0.0.1:6", "127.0.0.1:6"),
            ("postgres://127.0.0.1/d", "127.0.0.1", "127.0.0.1:5432"),
            ("postgres://u@127.0.0.1?sslmode=disable", "127.0.0.1", "127.0.0.1:5432"),
            ("postgres://[::1]:7/d", "[::1]:7", "[::1]:7"),
        ] {
            let elsewhere = Elsewhere::at(url, 5432).expect("a host that is there");
            assert_eq!((&*elsewhere.host, elsewhere.address.to_string().as_str()), (host, address), "{url}");
        }
        assert!(
            Elsewhere::at("postgres:///d?host=/tmp", 5432).is_err_and(|why| why.contains("must name a host"))
        );
    }
}
