use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// A cut that is to come at a certain piece.
#[derive(Debug, Clone, Copy)]
struct Strike {
    /// So many pieces of clients are passed on before.
    after: u64,
    /// Whether that piece is passed on too, and only its answer lost.
    delivers: bool,
}

/// A TCP proxy that delays, cuts and swallows. Connections go to one address; their other end listens at
/// [`Proxy::address`].
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    weather: watch::Sender<Weather>,
    cuts: Arc<AtomicU64>,
    strike: Arc<Mutex<Option<Strike>>>,
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
        let (cuts, strike) = (Arc::new(AtomicU64::new(0)), Arc::default());
        let road = Road { upstream, weather: seen, cuts: Arc::clone(&cuts), strike: Arc::clone(&strike) };
        tokio::spawn(accept(listener, road));
        Ok(Self { address, weather, cuts, strike })
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

    /// Cuts the connection on which the piece of a client comes that this many others come before: as it comes, or
    /// once it was passed on and its answer is there, which is lost.
    pub fn strike(&self, after: u64, delivers: bool) {
        *lock(&self.strike) = Some(Strike { after, delivers });
    }

    /// There is to be no such cut any more; whether there was none yet.
    pub fn spare(&self) -> bool {
        lock(&self.strike).take().is_some()
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> u64 {
        self.cuts.load(Ordering::Relaxed)
    }
}

/// What a connection needs of its proxy.
#[derive(Clone)]
struct Road {
    upstream: SocketAddr,
    weather: watch::Receiver<Weather>,
    cuts: Arc<AtomicU64>,
    strike: Arc<Mutex<Option<Strike>>>,
}

fn lock(strike: &Mutex<Option<Strike>>) -> MutexGuard<'_, Option<Strike>> {
    strike.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, road: Road) {
    // The proxy is gone once nobody can change the weather any more.
    let mut gone = road.weather.clone();
    loop {
        let accepted = tokio::select! {
            biased;
            ended = closed(&mut gone) => return ended,
            accepted = listener.accept() => accepted,
        };
        let Ok((client, _)) = accepted else { continue };
        tokio::spawn(connection(client, road.clone()));
    }
}

async fn closed(weather: &mut watch::Receiver<Weather>) {
    while weather.changed().await.is_ok() {}
}

async fn connection(client: TcpStream, road: Road) {
    // A server that is down takes no connections; who asks is cut off too.
    let connected = timeout(Duration::from_secs(1), TcpStream::connect(road.upstream)).await;
    let Ok(Ok(server)) = connected else { return };
    // A reset is what a cable that is pulled, or a firewall that forgets, looks like in the end.
    #[expect(deprecated, reason = "a linger of nothing waits for nothing")]
    let _ = (client.set_linger(Some(Duration::ZERO)), server.set_linger(Some(Duration::ZERO)));
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let mut until = road.weather.clone();
    let born = until.borrow().generation;
    let answer_is_lost = AtomicBool::new(false);
    tokio::select! {
        biased;
        () = cut(&mut until, born) => {
            road.cuts.fetch_add(1, Ordering::Relaxed);
        }
        () = ask(from_client, to_server, &road, &answer_is_lost) => {}
        () = answer(from_server, to_client, &road, &answer_is_lost) => {}
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

/// Passes on what a client asks, until the connection is struck.
async fn ask(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, road: &Road, answer_is_lost: &AtomicBool) {
    let mut piece = vec![0; PIECE_BYTES];
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        slowly(road).await;
        let struck = next_piece(&road.strike);
        if struck == Some(false) {
            return;
        }
        answer_is_lost.store(struck == Some(true), Ordering::Relaxed);
        if to.write_all(&piece[..count]).await.is_err() {
            return;
        }
    }
}

/// Counts a piece, and says whether it is struck and, if so, delivered.
fn next_piece(strike: &Mutex<Option<Strike>>) -> Option<bool> {
    let mut strike = lock(strike);
    match strike.as_mut()? {
        Strike { after: 0, .. } => strike.take().map(|strike| strike.delivers),
        Strike { after, .. } => {
            *after -= 1;
            None
        }
    }
}

/// Passes on what is answered, as the weather allows.
async fn answer(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, road: &Road, answer_is_lost: &AtomicBool) {
    let mut piece = vec![0; PIECE_BYTES];
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        slowly(road).await;
        if answer_is_lost.load(Ordering::Relaxed) {
            return;
        }
        // What was swallowed cannot be told from a connection that hangs; only a cut ends it.
        if !road.weather.borrow().swallows && to.write_all(&piece[..count]).await.is_err() {
            return;
        }
    }
}

async fn slowly(road: &Road) {
    let delay = road.weather.borrow().delay;
    if delay > Duration::ZERO {
        sleep(delay).await;
    }
}
