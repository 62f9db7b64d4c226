use anstyle::{AnsiColor, Style};

/// How a report is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Where lines are wrapped; commands never are.
    pub columns: usize,
    /// Whether to colour with ANSI codes.
    pub colour: bool,
}

impl Layout {
    pub(crate) const PLAIN: Style = Style::new();
    pub(crate) const HEADING: Style = Style::new().bold();
    pub(crate) const FAINT: Style = Style::new().dimmed();
    pub(crate) const FAULT: Style = AnsiColor::Yellow.on_default();
    pub(crate) const REFUSED: Style = AnsiColor::Red.on_default();

    /// Appends a paragraph, its first line indented by `first` and the others by as many blanks.
    pub(crate) fn paragraph(self, out: &mut String, style: Style, first: &str, text: &str) {
        let blanks = " ".repeat(first.len());
        let options = textwrap::Options::new(self.columns).initial_indent(first).subsequent_indent(&blanks);
        for line in textwrap::wrap(text, options) {
            self.line(out, style, &line);
        }
    }

    /// Appends one line as it is.
    pub(crate) fn line(self, out: &mut String, style: Style, line: &str) {
        let style = if self.colour { style } else { Self::PLAIN };
        out.push_str(&format!("{style}{}{style:#}\n", line.trim_end()));
    }
}
