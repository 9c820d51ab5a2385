//! What is asked, how much may be done, and what comes out.

use crate::{IcfgRun, Invariants};
use std::collections::BTreeMap;
use tertium_expr::Term;
use tertium_program::{EdgeId, PointId};
use tertium_support::{Statistics, StopReason};
use tertium_truth::Kleene;

/// A question about a program with procedures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether some run comes to one of these points.
    Reach(Vec<PointId>),
    /// Whether some run never ends.
    Diverge,
}

/// How much may be done.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Rounds of abstraction and refinement.
    pub rounds: usize,
    /// Predicates to begin with, each as a whole.
    pub hints: Vec<(PointId, Term)>,
    /// Abstract states in one round.
    pub nodes: usize,
    /// Ways on by one edge that are told apart.
    pub fan: usize,
    /// Vectors of truth values that are listed one by one in one question to the solver.
    pub vectors: usize,
    /// Moves of a path that is executed.
    pub path: usize,
    /// Z3's steps for suggestions about a part of the program whose loops are being unrolled; none if zero.
    pub suggestions: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rounds: 400,
            hints: Vec::new(),
            nodes: 2_000_000,
            fan: 4096,
            vectors: 256,
            path: 50_000,
            suggestions: 600_000,
        }
    }
}

/// What shows an answer, or keeps it open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Conditions that show that no target is reached.
    Proof(Invariants),
    /// A run to a target. It is confirmed in the graph; where it takes steps that are not exact, the program has to confirm it.
    Run {
        /// The run.
        run: IcfgRun,
        /// Whether all its steps are exact.
        is_confirmed: bool,
    },
    /// Every run ends: from no abstract state there may be an infinite one.
    Ends,
    /// The beginning of a run that never ends. That it can always go on is shown by what must be possible in the abstraction; where
    /// it comes back to a state, the run shows it by itself.
    Diverges {
        /// The run, as far as it was played.
        run: IcfgRun,
        /// After how many moves it is where it is again at the end, with all values.
        cycle: Option<usize>,
    },
    /// Why there is no answer.
    Open(Obstacle),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A limit of the run was reached.
    Stopped(StopReason),
    /// So many rounds were not enough.
    Rounds(usize),
    /// There were too many abstract states.
    Nodes(usize),
    /// An abstract path leads to this point, and was neither excluded nor followed by a run.
    Path {
        /// Where it ends.
        target: PointId,
        /// How it goes, as edges; not all if it is long.
        edges: Vec<EdgeId>,
    },
    /// An abstract run that never ends was neither excluded nor followed for ever.
    Lasso {
        /// How it comes to where it goes round.
        stem: Vec<EdgeId>,
        /// How it goes round.
        cycle: Vec<EdgeId>,
    },
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether what is asked is so.
    pub value: Kleene,
    /// What shows it.
    pub evidence: Evidence,
    /// Rounds of abstraction.
    pub rounds: usize,
    /// How many predicates count at each point where some do.
    pub predicates: BTreeMap<PointId, Vec<Term>>,
    /// Counts of the work.
    pub statistics: Statistics,
}
