use super::{Counts, Options, OwnServer, Target, TortureError, staff::Staff};
use crate::draws::Draws;
use crate::proxy::Proxy;
use crate::tape::nanoseconds;
use std::time::Duration;
use tokio::time::sleep;

/// The server is killed about so often.
const SERVER_EVERY: Duration = Duration::from_secs(8);

/// What draws the disturbances of a run.
pub(super) struct Disturber<'a> {
    draws: Draws,
    proxy: &'a Proxy,
    counts: Counts,
}

impl<'a> Disturber<'a> {
    pub(super) fn new(options: &Options, proxy: &'a Proxy) -> Self {
        Self { draws: Draws::new(options.seed), proxy, counts: Counts::default() }
    }

    /// Disturbs until the end, and leaves everything well.
    pub(super) async fn run(
        mut self,
        target: &mut Target<'_>,
        staff: &mut Staff<'_>,
        end_ms: i64,
    ) -> Result<Counts, TortureError> {
        let every = super::as_ms(SERVER_EVERY);
        let mut next_kill = now_ms() + every / 2;
        while now_ms() < end_ms {
            self.pause(80, 250).await;
            match target {
                Target::Own(server) if now_ms() >= next_kill => {
                    self.kill_server(*server).await?;
                    next_kill = now_ms() + every;
                }
                _ => self.small(staff).await.map_err(TortureError::doing("disturbing a worker"))?,
            }
        }
        self.proxy.delay(Duration::ZERO);
        self.proxy.swallow(false);
        self.proxy.cut();
        staff.go_on().map_err(TortureError::doing("letting a worker go on"))?;
        Ok(self.counts)
    }

    async fn small(&mut self, staff: &mut Staff<'_>) -> std::io::Result<()> {
        match self.draws.below(10) {
            0..=3 => self.proxy.cut(),
            4 | 5 => {
                self.counts.swallows += 1;
                self.proxy.swallow(true);
                self.pause(30, 200).await;
                // What was swallowed never comes; the connections that wait for it are of no use any more.
                self.proxy.cut();
                self.proxy.swallow(false);
            }
            6 => {
                self.counts.delays += 1;
                self.proxy.delay(Duration::from_millis(5 + self.draws.below(80)));
                self.pause(100, 400).await;
                self.proxy.delay(Duration::ZERO);
            }
            7 if self.draws.percent(50) => staff.go_on()?,
            7 => {
                self.counts.worker_stops += u32::from(staff.stop_one(&mut self.draws)?);
            }
            _ => {
                self.counts.worker_kills += 1;
                staff.kill_one(&mut self.draws)?;
            }
        }
        Ok(())
    }

    async fn kill_server(&mut self, server: &mut dyn OwnServer) -> Result<(), TortureError> {
        self.counts.server_kills += 1;
        server.kill().map_err(TortureError::Server)?;
        self.pause(50, 500).await;
        server.start().map_err(TortureError::Server)
    }

    async fn pause(&mut self, least: u64, most: u64) {
        sleep(Duration::from_millis(least + self.draws.below(most - least))).await;
    }
}

fn now_ms() -> i64 {
    nanoseconds() / 1_000_000
}
