use super::layout::Layout;
use super::needs::Needs;
use super::story::{seconds, tell};
use crate::{Class, Line, Observer, Scenario, Trial, Violation, hex};

/// A failure, with everything that is printed of it.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The scenario.
    pub scenario: &'static str,
    /// The engine, where it is not the world of actions whose traces can be replayed.
    pub engine: Option<&'static str>,
    /// The variant.
    pub variant: String,
    /// The seed, if it came from one.
    pub seed: Option<u64>,
    /// The violation, as the trace shows it.
    pub violation: Violation,
    /// What is promised to the user.
    pub promise: &'static str,
    /// The story of the trace.
    pub lines: Vec<Line>,
    /// Which faults it needs, and which not.
    pub needs: Needs,
    /// How small it became.
    pub sizes: Sizes,
    /// The digest of the trace's replay.
    pub digest: u64,
    /// Where the trace is kept, for the commands to name.
    pub path: Option<String>,
}

/// How many actions a trace had, and has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// As recorded.
    pub recorded: usize,
    /// Now.
    pub actions: usize,
    /// How many replays lie between the two; 0 if nothing was shrunk.
    pub replays: u32,
}

impl Failure {
    /// The failure of a trace: `shown` has watched its replay, `recorded` the run from which it came.
    pub(crate) fn new<S: Scenario>(
        trial: &Trial<'_, S>,
        seed: Option<u64>,
        violation: Violation,
        shown: &Observer,
        recorded: &Observer,
        sizes: Sizes,
    ) -> Self {
        let catalogue = trial.scenario.catalogue();
        let info = catalogue.invariants.iter().find(|info| info.id == violation.invariant);
        Self {
            scenario: trial.scenario.id(),
            engine: None,
            variant: trial.name.clone(),
            seed,
            violation,
            promise: info.map_or("", |info| info.promise),
            lines: shown.lines().to_vec(),
            needs: Needs::new(catalogue, recorded, shown),
            sizes,
            digest: shown.digest(),
            path: None,
        }
    }

    /// The report of this failure.
    pub fn render(&self, layout: Layout) -> String {
        let mut out = String::new();
        layout.paragraph(&mut out, Layout::HEADING, "", &self.headline());
        layout.paragraph(
            &mut out,
            Layout::PLAIN,
            "",
            &format!("Promised: {}.", self.promise.trim_end_matches('.')),
        );
        out.push('\n');
        tell(&mut out, layout, self.lines_to_violation(), &self.violation.evidence);
        out.push('\n');
        layout.paragraph(&mut out, Layout::PLAIN, "", &self.needs.sentences());
        layout.paragraph(&mut out, Layout::FAINT, "", &self.provenance());
        out.push('\n');
        for (what, command) in self.commands() {
            layout.line(&mut out, Layout::PLAIN, &format!("{what:<16} {command}"));
        }
        out
    }

    /// What came after the violation explains nothing.
    fn lines_to_violation(&self) -> &[Line] {
        let end = self.lines.partition_point(|line| line.step <= self.violation.step);
        &self.lines[..end]
    }

    fn headline(&self) -> String {
        let Violation { invariant, at_ms, step, sentence, .. } = &self.violation;
        let action = if self.engine.is_some() { String::new() } else { format!(", in action {step}") };
        let class = match self.violation.class {
            Class::Safety => "safety",
            Class::Liveness => "liveness",
        };
        format!("{invariant} ({class}) violated at {} s{action}: {sentence}", seconds(*at_ms))
    }

    fn provenance(&self) -> String {
        let Sizes { recorded, actions, replays } = self.sizes;
        let mut text = match replays {
            _ if self.engine.is_some() => format!("{actions} events of a history"),
            0 => format!("{actions} actions, as recorded"),
            _ => format!("{recorded} actions recorded, {actions} left after {replays} replays"),
        };
        if let Some(seed) = self.seed {
            text.push_str(&format!("; seed {seed}"));
        }
        text.push_str(&format!("; digest {}; holdover {}.", hex(self.digest), env!("CARGO_PKG_VERSION")));
        text
    }

    fn commands(&self) -> Vec<(&'static str, String)> {
        let Self { scenario, variant, .. } = self;
        let mut commands = Vec::new();
        if let (Some(engine), Some(seed)) = (self.engine, self.seed) {
            let sim = format!("cargo sim {scenario} --engine {engine} --variant {variant} --seed {seed}");
            commands.push(("Run its seed:", sim));
            commands.extend(self.path.as_ref().map(|path| ("Read its history:", path.clone())));
            return commands;
        }
        if let Some(path) = &self.path {
            commands.push(("Replay it:", format!("cargo holdover replay {path}")));
        }
        if let Some(seed) = self.seed {
            let sim = format!("cargo holdover sim {scenario} --variant {variant} --seed {seed}");
            commands.push(("Run its seed:", sim));
        }
        if let Some(path) = &self.path {
            commands.push(("Make it a test:", format!("cp {path} tests/traces/{scenario}/")));
        }
        commands
    }
}
