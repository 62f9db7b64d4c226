use super::Options;
use crate::draws::Draws;
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Until when workers make jobs, and work.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) creates_until_ms: i64,
    pub(super) works_until_ms: i64,
}

/// The worker processes of a run.
pub(super) struct Staff<'a> {
    options: &'a Options,
    times: Times,
    proxy: SocketAddr,
    command: &'a dyn Fn(SocketAddr) -> Command,
    workers: Vec<Worker>,
    hired: u64,
}

struct Worker {
    child: Child,
    stopped: bool,
}

impl<'a> Staff<'a> {
    pub(super) fn new(
        options: &'a Options,
        times: Times,
        proxy: SocketAddr,
        command: &'a dyn Fn(SocketAddr) -> Command,
    ) -> Self {
        Self { options, times, proxy, command, workers: Vec::new(), hired: 0 }
    }

    /// Fills every place that is free.
    pub(super) fn hire(&mut self) -> io::Result<()> {
        while self.workers.len() < self.options.workers as usize {
            self.hired += 1;
            let mut command = (self.command)(self.proxy);
            command.args(["--number", &self.hired.to_string()]);
            command.args(["--seed", &(self.options.seed ^ self.hired).to_string()]);
            command.args(["--creates-until", &self.times.creates_until_ms.to_string()]);
            command.args(["--works-until", &self.times.works_until_ms.to_string()]);
            command.arg("--tape").arg(self.tape(self.hired));
            let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
            self.workers.push(Worker { child, stopped: false });
        }
        Ok(())
    }

    fn tape(&self, number: u64) -> PathBuf {
        self.options.folder.join(format!("worker-{number}.jsonl"))
    }

    /// The tapes that were begun.
    pub(super) fn tapes(&self) -> Vec<PathBuf> {
        (1..=self.hired).map(|number| self.tape(number)).filter(|tape| tape.exists()).collect()
    }

    /// Kills one of them; another takes its place.
    pub(super) fn kill_one(&mut self, draws: &mut Draws) -> io::Result<()> {
        let mut worker = self.workers.swap_remove(draws.below(self.workers.len() as u64) as usize);
        worker.child.kill()?;
        worker.child.wait()?;
        self.hire()
    }

    /// Stops one of them.
    pub(super) fn stop_one(&mut self, draws: &mut Draws) -> io::Result<bool> {
        let place = draws.below(self.workers.len() as u64) as usize;
        let worker = &mut self.workers[place];
        let stops = !std::mem::replace(&mut worker.stopped, true);
        worker.signal(Signal::STOP)?;
        Ok(stops)
    }

    /// Lets all that were stopped go on.
    pub(super) fn go_on(&mut self) -> io::Result<()> {
        for worker in self.workers.iter_mut().filter(|worker| worker.stopped) {
            worker.stopped = false;
            worker.signal(Signal::CONT)?;
        }
        Ok(())
    }

    /// Waits for all of them; they know when their time is over.
    pub(super) fn dismiss(&mut self) -> io::Result<()> {
        self.go_on()?;
        for mut worker in self.workers.drain(..) {
            let status = worker.child.wait()?;
            if !status.success() {
                return Err(io::Error::other(format!("a worker ended with {status}")));
            }
        }
        Ok(())
    }
}

impl Worker {
    fn signal(&self, signal: Signal) -> io::Result<()> {
        match i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            Some(id) => Ok(kill_process(id, signal)?),
            None => Ok(()),
        }
    }
}

impl Drop for Staff<'_> {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            // There is nobody to tell.
            let _ = (worker.child.kill(), worker.child.wait());
        }
    }
}
