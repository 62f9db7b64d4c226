use crate::cluster::Cluster;
use crate::tape::Tape;
use madsim::net::NetSim;
use serde::Serialize;
use std::time::Duration;
use tokio::time::sleep;

/// The kinds of faults, in the order of the report.
pub(crate) const NAMES: &[&str] =
    &["crash", "restart", "pause", "cut", "latency", "loss", "duplicate", "wall-offset"];

/// The place of the repeats of requests among the kinds of faults.
pub(crate) const DUPLICATE: usize = 6;
/// The place of wall clocks that are off.
pub(crate) const WALL_OFFSET: usize = 7;

/// Something that goes wrong for a while. Nodes are named by their place in the cluster.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fault {
    /// A node dies, and starts anew at the end.
    Crash { node: usize },
    /// A node stands still.
    Pause { node: usize },
    /// A link loses everything, one way or both.
    Cut { from: usize, to: usize, both: bool },
    /// All messages are slow.
    Latency { most_ms: u64 },
    /// Messages are lost on their way, in so many of a hundred cases; on a connection that is a delay.
    Loss { percent: u32 },
}

impl Fault {
    /// Lets it happen for a while.
    pub(crate) async fn happen(self, cluster: &Cluster, tape: &Tape, ms: u64) {
        let (handle, net) = (madsim::runtime::Handle::current(), NetSim::current());
        tape.fault(self.kind(), &cluster.name(self.node()), &format!("{self:?} for {ms} ms"));
        match self {
            Self::Crash { node } => handle.kill(cluster.id(node)),
            Self::Pause { node } => handle.pause(cluster.id(node)),
            Self::Cut { from, to, both } => {
                net.clog_link(cluster.id(from), cluster.id(to));
                if both {
                    net.clog_link(cluster.id(to), cluster.id(from));
                }
            }
            Self::Latency { most_ms } => net.update_config(|config| {
                config.send_latency = Duration::from_millis(1)..Duration::from_millis(most_ms);
            }),
            Self::Loss { percent } => net.update_config(|config| {
                config.packet_loss_rate = f64::from(percent) / 100.0;
            }),
        }
        sleep(Duration::from_millis(ms)).await;
        self.end(cluster, tape);
    }

    /// The world is as before.
    fn end(self, cluster: &Cluster, tape: &Tape) {
        let (handle, net) = (madsim::runtime::Handle::current(), NetSim::current());
        match self {
            Self::Crash { node } => {
                // The simulator frees the addresses of a node only when it is killed before it restarts.
                handle.kill(cluster.id(node));
                handle.restart(cluster.id(node));
                tape.fault(1, &cluster.name(node), "restarts");
            }
            Self::Pause { node } => handle.resume(cluster.id(node)),
            Self::Cut { from, to, both } => {
                net.unclog_link(cluster.id(from), cluster.id(to));
                if both {
                    net.unclog_link(cluster.id(to), cluster.id(from));
                }
            }
            Self::Latency { .. } => net.update_config(|config| config.send_latency = quick()),
            Self::Loss { .. } => net.update_config(|config| config.packet_loss_rate = 0.0),
        }
    }

    fn kind(self) -> usize {
        match self {
            Self::Crash { .. } => 0,
            Self::Pause { .. } => 2,
            Self::Cut { .. } => 3,
            Self::Latency { .. } => 4,
            Self::Loss { .. } => 5,
        }
    }

    fn node(self) -> usize {
        match self {
            Self::Crash { node } | Self::Pause { node } | Self::Cut { from: node, .. } => node,
            Self::Latency { .. } | Self::Loss { .. } => usize::MAX,
        }
    }
}

/// The latency of a network without fault.
pub(crate) fn quick() -> std::ops::Range<Duration> {
    Duration::from_millis(1)..Duration::from_millis(10)
}
