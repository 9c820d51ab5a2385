//! What a program with procedures offers: its graph, what a property asks of it, and runs of the program itself.
//!
//! The graph is what proofs and searches are made on. A run of the program itself uses nothing of the graph: it is how the
//! language says that programs run. So each is the judge of the other.

use crate::{Halt, Logic, PropertyId, Replay};
use std::rc::Rc;
use std::sync::Arc;
use tertium_evidence::{Advice, Assumption, Document, DocumentKind, Evidence, Names, Summaries};
use tertium_program::{Icfg, PointId};
use tertium_recursion::{IcfgRun, Invariants};
use tertium_support::{Context, Span};
use tertium_truth::Cause;

/// What a question asks of a program with procedures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Whether a run leads to one of these points. Each is reached in the states that the property speaks of, and in no others.
    Reach {
        /// The points.
        targets: Vec<PointId>,
        /// Whether the property holds if a run leads there.
        holds: bool,
    },
    /// Whether a run goes on for ever.
    Diverge {
        /// Whether the property holds if one does.
        holds: bool,
    },
}

impl Goal {
    /// Whether the property holds if there is such a run.
    pub fn holds(&self) -> bool {
        match self {
            Self::Reach { holds, .. } | Self::Diverge { holds } => *holds,
        }
    }
}

/// A question as a goal in a graph.
#[derive(Clone, Debug)]
pub struct Posed {
    /// The graph.
    pub icfg: Rc<Icfg>,
    /// What is asked of it.
    pub goal: Goal,
    /// Points where something begins that the graph has nothing for. Only if none of them is reached, it says all.
    pub unsupported: Vec<PointId>,
}

/// Models that are programs with procedures.
pub trait OffersProcedures {
    /// The question as a goal; nothing if it asks for something else.
    fn pose(&self, context: &Context, property: PropertyId, logic: &Logic) -> Result<Option<Posed>, Halt>;

    /// Whether a question asks for a goal.
    fn has_goal(&self, property: PropertyId, logic: &Logic) -> bool;

    /// Why a question that asks for no goal has no answer from anybody, in sentences, if that is so.
    fn beyond_goals(&self, property: PropertyId, logic: &Logic) -> Option<Vec<String>>;

    /// Whether a question asks if runs end, of a program in which signed results without room end a run: a proof by ranks would rest on
    /// that.
    fn ends_for_lack_of_room(&self, property: PropertyId, logic: &Logic) -> bool;

    /// What every answer relies on.
    fn assumptions(&self) -> Vec<Assumption>;

    /// What is not supported at one of these points, with its place.
    fn unsupported(&self, points: &[PointId]) -> Vec<String>;

    /// A run of the graph in the user's words; it goes round from this state on, if one is given.
    fn show_run(
        &self,
        icfg: &Icfg,
        run: &IcfgRun,
        cycle: Option<usize>,
    ) -> Option<(Arc<dyn Names>, Evidence)>;

    /// Files that say the same as a proof, of these kinds.
    fn documents(&self, wanted: &[DocumentKind], posed: &Posed, invariants: &Invariants) -> Vec<Document>;

    /// How else the program can be read where a question is too hard: not quite as it is meant.
    fn easier_reading(&self) -> Option<Advice>;

    /// Where something stands: `line 12`.
    fn place(&self, span: Span) -> String;

    /// Invariants in the user's words.
    fn summaries(&self, icfg: &Icfg, invariants: &Invariants) -> Summaries;
}

/// A run of a program that shows something, in the user's names.
pub struct ShownRun<'m> {
    /// The names.
    pub names: Arc<dyn Names>,
    /// The run.
    pub evidence: Evidence,
    /// Files that say the same, of the kinds that were asked for.
    pub documents: Vec<Document>,
    /// Runs it again.
    pub replay: Box<dyn Replay + 'm>,
}

/// How runs of the program itself ended.
pub enum Executed<'m> {
    /// One decides the question.
    Shows(Box<ShownRun<'m>>, bool),
    /// The program asks for nothing from outside, so its one run decides the question.
    Whole {
        /// How many instructions the run has.
        instructions: u64,
        /// Whether the property holds.
        holds: bool,
        /// What that relies on.
        assumptions: Vec<Assumption>,
    },
    /// These runs show nothing. Whether further ones could.
    Open(bool),
}

/// Why a run of the graph is none of the program, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubts {
    /// Why the question is open.
    pub cause: Cause,
    /// What it depends on, in sentences. There is one at least.
    pub sentences: Vec<String>,
    /// What to do about it.
    pub advice: Vec<Advice>,
}

/// What the program does with the inputs of a run of the graph.
pub enum Followed<'m> {
    /// The same.
    Shows(Box<ShownRun<'m>>),
    /// Something else.
    Differs(Doubts),
}

/// Models that are programs and can be run.
pub trait OffersExecution {
    /// Runs the program with inputs that differ from attempt to attempt. Files of the wanted kinds go with what is shown.
    fn attempt(
        &self,
        context: &Context,
        property: PropertyId,
        logic: &Logic,
        number: u64,
        wanted: &[DocumentKind],
    ) -> Result<Executed<'_>, Halt>;

    /// Whether runs show all that a question asks for. Else only the graph can tell where values are what is asked for.
    fn sees(&self, property: PropertyId, logic: &Logic) -> bool;

    /// Runs the program with the inputs of a run of the graph.
    fn follow(
        &self,
        context: &Context,
        property: PropertyId,
        logic: &Logic,
        posed: &Posed,
        run: &IcfgRun,
        wanted: &[DocumentKind],
    ) -> Result<Followed<'_>, Halt>;
}
