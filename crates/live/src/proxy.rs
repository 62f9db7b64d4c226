use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// What the network is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Weather {
    /// Every connection that was opened in an earlier generation is cut.
    generation: u64,
    /// How long each piece waits.
    delay: Duration,
    /// Answers are read and go nowhere.
    swallows: bool,
}

/// A TCP proxy that delays, cuts and swallows. Connections go to one address; their other end listens at
/// [`Proxy::address`].
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    weather: watch::Sender<Weather>,
    cuts: Arc<AtomicU64>,
}

/// The most of a piece that is passed on at once.
const PIECE_BYTES: usize = 16 * 1024;

impl Proxy {
    /// Listens on a free loopback port, and passes on to this address.
    ///
    /// # Errors
    /// There is no free port.
    pub async fn start(upstream: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let fair = Weather { generation: 0, delay: Duration::ZERO, swallows: false };
        let (weather, seen) = watch::channel(fair);
        let cuts = Arc::new(AtomicU64::new(0));
        tokio::spawn(accept(listener, upstream, seen, Arc::clone(&cuts)));
        Ok(Self { address, weather, cuts })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts every connection, without a word to either side.
    pub fn cut(&self) {
        self.weather.send_modify(|weather| weather.generation += 1);
    }

    /// From now on each piece waits for so long.
    pub fn delay(&self, by: Duration) {
        self.weather.send_modify(|weather| weather.delay = by);
    }

    /// From now on answers are read and go nowhere, or are passed on again.
    pub fn swallow(&self, swallows: bool) {
        self.weather.send_modify(|weather| weather.swallows = swallows);
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> u64 {
        self.cuts.load(Ordering::Relaxed)
    }
}

async fn accept(
    listener: TcpListener,
    upstream: SocketAddr,
    weather: watch::Receiver<Weather>,
    cuts: Arc<AtomicU64>,
) {
    // The proxy is gone once nobody can change the weather any more.
    let mut gone = weather.clone();
    loop {
        let accepted = tokio::select! {
            biased;
            ended = closed(&mut gone) => return ended,
            accepted = listener.accept() => accepted,
        };
        let Ok((client, _)) = accepted else { continue };
        tokio::spawn(connection(client, upstream, weather.clone(), Arc::clone(&cuts)));
    }
}

async fn closed(weather: &mut watch::Receiver<Weather>) {
    while weather.changed().await.is_ok() {}
}

async fn connection(
    client: TcpStream,
    upstream: SocketAddr,
    weather: watch::Receiver<Weather>,
    cuts: Arc<AtomicU64>,
) {
    // A server that is down takes no connections; who asks is cut off too.
    let Ok(Ok(server)) = timeout(Duration::from_secs(1), TcpStream::connect(upstream)).await else { return };
    // A reset is what a cable that is pulled, or a firewall that forgets, looks like in the end.
    #[expect(deprecated, reason = "a linger of nothing waits for nothing")]
    let _ = (client.set_linger(Some(Duration::ZERO)), server.set_linger(Some(Duration::ZERO)));
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let mut until = weather.clone();
    let born = until.borrow().generation;
    tokio::select! {
        biased;
        () = cut(&mut until, born) => {
            cuts.fetch_add(1, Ordering::Relaxed);
        }
        () = pass(from_client, to_server, weather.clone(), false) => {}
        () = pass(from_server, to_client, weather, true) => {}
    }
}

/// Waits until connections of this generation are cut.
async fn cut(weather: &mut watch::Receiver<Weather>, born: u64) {
    while weather.borrow_and_update().generation == born {
        if weather.changed().await.is_err() {
            return;
        }
    }
}

/// Passes on what comes, as the weather allows.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    weather: watch::Receiver<Weather>,
    answers: bool,
) {
    let mut piece = vec![0; PIECE_BYTES];
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        let Weather { delay, swallows, .. } = *weather.borrow();
        if delay > Duration::ZERO {
            sleep(delay).await;
        }
        if (answers && swallows) || to.write_all(&piece[..count]).await.is_err() {
            // What was swallowed cannot be told from a connection that hangs; only a cut ends it.
            if !swallows {
                return;
            }
        }
    }
}
