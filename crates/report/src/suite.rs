//! Tests of a model and what they cover, as text and as JSON. A test is a path as any other, with what it covers.

use crate::Detail;
use crate::json::{Message, ToolInfo};
use crate::json_path::PathReport;
use crate::names::{count, plain};
use crate::page::Page;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// So many tests are shown if not all are asked for.
const SCREEN: usize = 12;

/// All tests of a model.
#[derive(Clone, Debug, Serialize)]
pub struct TestsReport {
    /// [`crate::SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The model, as given.
    pub file: String,
    /// What has a test of its own: `branches`, abstract `states`, or `steps` between these.
    pub cover: &'static str,
    /// The predicates that abstract states are told apart by, besides control variables.
    pub predicates: Vec<String>,
    /// The tests.
    pub tests: Vec<TestReport>,
    /// What they cover together.
    pub coverage: CoverageReport,
    /// Each round of the search.
    pub rounds: Vec<SearchRound>,
    /// What was to be said about the file.
    pub messages: Vec<Message>,
    /// `true` if everything is covered that can be reached, else `unknown` with the cause.
    pub result: String,
    /// The exit status.
    pub exit_status: u8,
}

/// A test: a run from the beginning.
#[derive(Clone, Debug, Serialize)]
pub struct TestReport {
    /// What it covers first. Branches: those that no test before it takes. States: what its last state is matched by, the
    /// values of control variables and the predicates as they hold; no other test has the same.
    pub covers: Vec<String>,
    /// The same for people, without what follows from the rest.
    #[serde(skip)]
    pub title: String,
    /// The round of the search that found it, from 1; one more than there are if it was looked for by itself.
    pub round: usize,
    /// The run.
    #[serde(flatten)]
    pub run: PathReport,
}

/// A command that no test takes.
#[derive(Clone, Debug, Serialize)]
pub struct UntakenCommand {
    /// Its number in the file, from 1.
    pub command: usize,
    /// The line where it stands.
    pub line: usize,
    /// Its action.
    pub action: String,
}

/// A branch: a way through a command, or a side of a condition in it.
#[derive(Clone, Debug, Serialize)]
pub struct BranchReport {
    /// The number of the command in the file, from 1.
    pub command: usize,
    /// The line where it stands.
    pub line: usize,
    /// Its action.
    pub action: String,
    /// Which of the ways through the command, from 1.
    pub way: usize,
    /// How many there are.
    pub ways: usize,
    /// The condition of which this is a side; nothing for the way itself.
    pub condition: Option<String>,
    /// Whether the condition holds.
    pub holds: Option<bool>,
    /// `unreachable` if it was proved that no run takes it, `open` if neither a run nor a proof was found. Nothing if nobody looked.
    pub status: Option<&'static str>,
    /// Why it is open: a code.
    pub cause: Option<String>,
}

/// What tests cover.
#[derive(Clone, Debug, Serialize)]
pub struct CoverageReport {
    /// How many abstract states.
    pub abstract_states: usize,
    /// Whether these are all that can be reached.
    pub complete: bool,
    /// How many commands there are.
    pub commands: usize,
    /// Those that no test takes.
    pub untaken: Vec<UntakenCommand>,
    /// How many branches there are: ways through commands, and sides of conditions.
    pub branches: usize,
    /// Those that no test takes.
    pub untaken_branches: Vec<BranchReport>,
    /// Predicates that hold at no covered state.
    pub never_true: Vec<String>,
    /// Predicates that hold at all covered states where they count.
    pub never_false: Vec<String>,
}

/// One round of a search in numbers.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SearchRound {
    /// States that were generated, again or not.
    pub concrete: usize,
    /// States that were kept.
    pub abstract_states: usize,
    /// Predicates that were new at its end.
    pub new_predicates: usize,
    /// Questions that were asked.
    pub queries: usize,
    /// Questions whose answer was remembered.
    pub hits: usize,
}

impl From<&tertium_evidence::SearchRound> for SearchRound {
    fn from(round: &tertium_evidence::SearchRound) -> Self {
        let &tertium_evidence::SearchRound { concrete, abstract_states, new_predicates, queries, hits } =
            round;
        Self { concrete, abstract_states, new_predicates, queries, hits }
    }
}

impl TestsReport {
    /// The tests and what they cover, without the line of the result.
    pub fn text(&self, detail: Detail) -> String {
        let mut page = Page::default();
        let shown = if detail == Detail::Full { self.tests.len() } else { SCREEN };
        for (n, test) in self.tests.iter().take(shown).enumerate() {
            test.write(n + 1, detail, &mut page);
        }
        if self.tests.len() > shown {
            page.raw(0, &format!("… {} (--full shows all)", count(self.tests.len() - shown, "more test")));
        }
        page.into_text() + &self.coverage_text()
    }

    /// What is covered.
    pub fn coverage_text(&self) -> String {
        let own = &self.coverage;
        let all = if own.complete { "all that can be reached" } else { "there may be more" };
        let longest = self.tests.iter().map(|test| test.run.steps.len()).max().unwrap_or(0);
        let mut text =
            format!("COVERAGE  {} of up to {}\n", count(self.tests.len(), "test"), count(longest, "step"));
        if self.cover != "branches" {
            text.push_str(&format!("  abstract states  {}: {all}\n", own.abstract_states));
        }
        text.push_str(&format!(
            "  commands         {} of {} taken\n",
            own.commands - own.untaken.len(),
            own.commands
        ));
        if self.cover == "branches" {
            text.push_str(&own.branches_text());
            return text;
        }
        for command in &own.untaken {
            text.push_str(&format!("    never: [{}] in line {}\n", plain(&command.action), command.line));
        }
        let n = self.predicates.len();
        let one_sided =
            own.never_true.iter().chain(&own.never_false).collect::<std::collections::BTreeSet<_>>();
        text.push_str(&format!("  predicates       {} of {n} both true and false\n", n - one_sided.len()));
        for (what, those) in [("true", &own.never_true), ("false", &own.never_false)] {
            if !those.is_empty() {
                text.push_str(&format!("    never {what}: {}\n", those.join("; ")));
            }
        }
        text.push_str(&rounds_text(&self.rounds));
        text
    }
}

impl CoverageReport {
    /// The branches, with those that no test takes.
    fn branches_text(&self) -> String {
        let with = |status| self.untaken_branches.iter().filter(|own| own.status == Some(status)).count();
        let taken = self.branches - self.untaken_branches.len();
        let mut text = format!("  branches         {taken} of {} taken", self.branches);
        for (status, n) in [("unreachable", with("unreachable")), ("open", with("open"))] {
            if n > 0 {
                text.push_str(&format!(", {n} {status}"));
            }
        }
        text.push('\n');
        for branch in &self.untaken_branches {
            let cause = branch.cause.as_ref().map_or(String::new(), |code| {
                format!(": neither a run nor a proof that there is none; see `tertium explain {code}`")
            });
            text.push_str(&format!("    {}: {branch}{cause}\n", branch.status.unwrap_or("never")));
        }
        text
    }
}

impl Display for BranchReport {
    /// `[take] in line 9`, `[take] in line 9, way 2 of 3`, `[take] in line 9, where x > 0 is false`.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result<(), fmt::Error> {
        write!(f, "[{}] in line {}", plain(&self.action), self.line)?;
        if self.ways > 1 {
            write!(f, ", way {} of {}", self.way, self.ways)?;
        }
        match (&self.condition, self.holds) {
            (Some(condition), Some(holds)) => write!(f, ", where {} is {holds}", plain(condition)),
            _ => Ok(()),
        }
    }
}

impl TestReport {
    fn write(&self, number: usize, detail: Detail, page: &mut Page) {
        page.line(
            0,
            &format!("TEST {number}  {}: {}", count(self.run.steps.len(), "step"), plain(&self.title)),
        );
        self.run.write(detail, page);
    }
}

/// Rounds of a search, one on each line.
pub fn rounds_text(rounds: &[SearchRound]) -> String {
    let mut text = "  round  concrete  abstract  new predicates  queries  remembered\n".to_owned();
    for (n, round) in rounds.iter().enumerate() {
        text.push_str(&format!(
            "  {:>5}  {:>8}  {:>8}  {:>14}  {:>7}  {:>10}\n",
            n + 1,
            round.concrete,
            round.abstract_states,
            round.new_predicates,
            round.queries,
            round.hits
        ));
    }
    text
}
