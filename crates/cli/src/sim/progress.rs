use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const LAYOUT: &str = "{prefix} {bar:40} {human_pos}/{human_len} seeds, {eta} left";

/// A bar on standard error, or one that draws nothing where nobody watches.
pub(crate) fn bar(scenario: &'static str, seeds: u64, watched: bool) -> ProgressBar {
    let target = if watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(LAYOUT).expect("the layout is a valid template");
    ProgressBar::with_draw_target(Some(seeds), target).with_style(style).with_prefix(scenario)
}

/// A line on standard error that moves while a failure is shrunk, or one that draws nothing where nobody watches.
pub(crate) fn spinner(watched: bool) -> ProgressBar {
    let target = if watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    ProgressBar::with_draw_target(None, target)
}
