use crate::{Console, Engines, Exit, run_with};
use console::Term;
use holdover::AnyScenario;
use std::{
    env, io,
    path::PathBuf,
    process::{self, ExitCode},
    sync::atomic::{AtomicBool, Ordering},
};

/// As wide as results are where nobody says how wide the screen is.
const COLUMNS: usize = 100;

static STOP: AtomicBool = AtomicBool::new(false);

/// Runs this process's command line and says how it ended. Call it once, from the program's `main`.
pub fn main(scenarios: &[&dyn AnyScenario]) -> ExitCode {
    main_with(&Engines::worlds(scenarios))
}

/// Does what [`main`] does, where there are more engines than that of worlds.
pub fn main_with(engines: &Engines<'_>) -> ExitCode {
    if let Err(error) = ctrlc::set_handler(stop) {
        eprintln!("error: Ctrl-C cannot be handled: {error}");
        return Exit::Environment.into();
    }
    let program = match env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            eprintln!("error: this program's own path is unknown: {error}");
            return Exit::Environment.into();
        }
    };
    let screen = Term::stdout();
    let mut console = Console {
        out: &mut io::stdout(),
        err: &mut io::stderr(),
        watched: Term::stderr().is_term(),
        color: console::colors_enabled(),
        columns: screen.size_checked().map_or(COLUMNS, |(_, columns)| usize::from(columns)),
        stop: &STOP,
        github: env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
        step_summary: env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from),
        program,
    };
    run_with(env::args_os(), engines, &mut console).into()
}

/// The first Ctrl-C asks for partial totals, the second does not wait for them.
fn stop() {
    if STOP.swap(true, Ordering::Relaxed) {
        process::exit(i32::from(Exit::Interrupted.code()));
    }
}
