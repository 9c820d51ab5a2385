//! What a model is to the middle: properties with names and places, and what it offers to engines.
//!
//! A front end reads, resolves, lowers and names; it never checks. What it offers decides which engines can take its models: a new
//! language needs no line in any engine, a new engine none in any language.

use crate::engines::explicit::MOST_STATES;
use crate::query::OffersQueries;
use crate::{Halt, OffersExecution, OffersProcedures, OffersRuns, OffersWitnesses, SymbolicOptions};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use tertium_check::fair::{GraphEvidence, Propositions};
use tertium_check::symbolic::SymbolicEvidence;
use tertium_dd::Var;
use tertium_evidence::{Assumption, Evidence, Names, Origin, PropertyName, StepName};
use tertium_explore::{Exploration, Listing, Run};
use tertium_expr::{Term, Terms};
use tertium_logic::{Formula, Ltl};
use tertium_program::{CommandId, Input, LocId, Predicate, Program, Step, StepTaken, TermSystem};
use tertium_report::Comments;
use tertium_support::{Context, Diagnostics, Source, define_id};
use tertium_system::format::Family;
use tertium_system::{PartialSystem, StepFairness, SymbolicModel};
use tertium_truth::Cause;

define_id!(
    /// A property of a model: those of its file first, then those that were read later.
    PropertyId
);

/// What a property says, in propositions that the model gives a meaning.
#[derive(Clone, Debug)]
pub enum Logic {
    /// A formula of the mu-calculus or of CTL, at every initial state.
    Branching(Formula),
    /// A formula without temporal operators, in every reachable state.
    Invariant(Formula),
    /// A formula of linear time, on every fair path.
    Linear(Ltl),
    /// The length of a shortest path between two sets of states.
    Shortest(Formula, Formula),
    /// The length of a longest path between two sets of states.
    Longest(Formula, Formula),
}

impl Logic {
    /// Whether it is true or false.
    pub fn has_truth_value(&self) -> bool {
        !matches!(self, Self::Shortest(..) | Self::Longest(..))
    }
}

impl Display for Logic {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result<(), fmt::Error> {
        match self {
            Self::Branching(formula) | Self::Invariant(formula) => write!(f, "{formula}"),
            Self::Linear(formula) => write!(f, "{formula}"),
            Self::Shortest(from, to) => write!(f, "MIN [{from}, {to}]"),
            Self::Longest(from, to) => write!(f, "MAX [{from}, {to}]"),
        }
    }
}

/// A property of a model.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it is called, and where it stands.
    pub name: PropertyName,
    /// The text in which its parts have their places.
    pub source: Source,
    /// What it says.
    pub logic: Logic,
}

/// A model of whatever language.
pub trait Model {
    /// The text it was read from.
    fn source(&self) -> &Source;

    /// Its properties, by id.
    fn properties(&self) -> &[Property];

    /// Reads a further property, which is called this; with what is suspicious about it.
    fn read_property(
        &mut self,
        name: PropertyName,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics>;

    /// How comments in its properties are written.
    fn comments(&self) -> Comments;

    /// A formula in the propositions of its properties, in the notation of the language.
    fn text(&self, logic: &Logic) -> String {
        logic.to_string()
    }

    /// The model as text that reads back, if its language has a printer of its own.
    fn print(&self) -> Option<String> {
        None
    }

    /// A system with may and must.
    fn system(&self) -> Option<&dyn OffersSystem> {
        None
    }

    /// A program over terms.
    fn program(&self) -> Option<&dyn OffersProgram> {
        None
    }

    /// A system as decision diagrams.
    fn symbolic(&self) -> Option<&dyn OffersSymbolic> {
        None
    }

    /// Queries about values of its own; a model with a system has queries about propositions in any case.
    fn queries(&self) -> Option<&dyn OffersQueries> {
        None
    }

    /// A transition system of terms, for claims about all reachable states.
    fn terms(&self) -> Option<&dyn OffersTerms> {
        None
    }

    /// States that can be listed, with fairness.
    fn states(&self) -> Option<&dyn OffersStates> {
        None
    }

    /// A program with procedures.
    fn procedures(&self) -> Option<&dyn OffersProcedures> {
        None
    }

    /// Runs of the program itself, on concrete values.
    fn execution(&self) -> Option<&dyn OffersExecution> {
        None
    }

    /// A program that others write witnesses about.
    fn witnesses(&self) -> Option<&dyn OffersWitnesses> {
        None
    }

    /// Runs that were written down and can be replayed.
    fn runs(&self) -> Option<&dyn OffersRuns> {
        None
    }
}

/// Whether decision diagrams are what a model is made for. A program that has them too, since it is bounded, is taken by other engines
/// as well.
pub(crate) fn is_made_for_diagrams(model: &dyn Model) -> bool {
    model.symbolic().is_some() && model.program().is_none()
}

/// Whether a model has finitely many states as it is written, and not so many values of a variable that this is no help.
pub(crate) fn is_bounded(model: &dyn Model) -> bool {
    model.system().is_none_or(|offer| offer.is_bounded() && !offer.is_wide())
}

/// A system with may and must, as far as it was looked at.
#[derive(Clone)]
pub struct FoundSystem {
    /// The system. What was not looked at is open in it.
    pub system: Arc<PartialSystem>,
    /// What its states and steps are called.
    pub names: Arc<dyn Names>,
    /// What its states are.
    pub origin: Origin,
    /// What was left out, in a sentence each; nothing if all is there.
    pub left_out: Vec<String>,
}

impl FoundSystem {
    /// A system whose states have names of their own.
    pub fn named_by_itself(system: Arc<PartialSystem>, origin: Origin, left_out: Vec<String>) -> Self {
        Self { names: Arc::clone(&system) as _, system, origin, left_out }
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.left_out.is_empty()
    }

    /// What an answer about the model relies on, of which this is only a part.
    pub fn beyond(&self) -> Vec<Assumption> {
        let bounded = |note: &String| {
            Assumption::Bounded(format!("{note}; what lies beyond is open: allow more with --states"))
        };
        self.left_out.iter().map(bounded).collect()
    }

    /// Why something is open in it: the model leaves it open, or the bound does.
    pub fn open_cause(&self) -> Cause {
        if self.is_complete() { Cause::Imprecise } else { Cause::Bound }
    }
}

/// The system of a model with labels for these properties, of at most so many states or as many as is usual. A model that is no system
/// and has no initial state is refused.
pub fn found_system(
    context: &Context,
    model: &dyn Model,
    properties: &[PropertyId],
    most: Option<usize>,
) -> Result<FoundSystem, Halt> {
    let file = model.source().name();
    let offer = model.system().ok_or_else(|| Halt::Refused(format!("{file} makes no system of states")))?;
    let found = offer.system(context, properties, most.unwrap_or(MOST_STATES))?;
    if !offer.is_given() && found.is_complete() && found.system.initial().is_empty() {
        return Err(Halt::Refused(format!("{file} has no initial state")));
    }
    Ok(found)
}

/// Models that are, or make, systems with may and must.
pub trait OffersSystem {
    /// The system, with labels for the propositions of these properties, of at most so many states.
    fn system(&self, context: &Context, properties: &[PropertyId], most: usize) -> Result<FoundSystem, Halt>;

    /// Whether the system is given as it is, so that a bound does not matter.
    fn is_given(&self) -> bool;

    /// Whether the model has finitely many states as it is written.
    fn is_bounded(&self) -> bool;

    /// Whether that is so and there is a variable with more values than 64 bits can count: no search lists them all.
    fn is_wide(&self) -> bool {
        false
    }

    /// The name that the file gives the system, and the family it promises to belong to.
    fn title(&self) -> (Option<&str>, Option<Family>) {
        (None, None)
    }
}

/// Models that are programs.
pub trait OffersProgram {
    /// The program.
    fn program(&self) -> &Program;

    /// What the propositions of a property mean.
    fn propositions(&self, property: PropertyId) -> Vec<(String, Term)>;

    /// Reads predicates, each with the locations where it counts and followed by `;`.
    fn read_predicates(&self, source: &Source) -> Result<Vec<(Term, Vec<LocId>)>, Diagnostics>;

    /// What the states of a system that a search made of the program are called, and its steps.
    fn names(&self, system: Arc<PartialSystem>, found: Exploration) -> Arc<dyn Names>;

    /// What a step of the program is called.
    fn step_name(&self, command: CommandId) -> StepName;

    /// What the states of an abstraction of the program are called, and its steps.
    fn abstract_names(&self, system: Arc<PartialSystem>) -> Arc<dyn Names> {
        system
    }

    /// A run of the program in other words than its variables have; nothing if these say it all.
    fn show_run(&self, run: &Run) -> Option<(Arc<dyn Names>, Evidence)> {
        let _ = run;
        None
    }
}

/// What every answer about a model relies on.
pub(crate) fn relied_on(model: &dyn Model) -> Vec<Assumption> {
    model.procedures().map(OffersProcedures::assumptions).unwrap_or_default()
}

/// What a step of a program is called, with its inputs: each by the variable that takes its value.
pub(crate) fn taken_name(offer: &dyn OffersProgram, taken: &StepTaken) -> StepName {
    let program = offer.program();
    let names = taken.way(program).map_or_else(Vec::new, |way| input_names(program, way));
    let inputs = names.into_iter().zip(taken.inputs.iter().map(ToString::to_string)).collect();
    StepName { inputs, ..offer.step_name(taken.command) }
}

/// What the inputs of a step are called: each like the variable that takes its value, or by a name of its own.
pub(crate) fn input_names(program: &Program, way: &Step) -> Vec<String> {
    let terms = &program.terms;
    let name = |input: &Input| {
        let own = terms.variable(input.variable);
        let taker = way.updates.iter().find(|(_, value)| **value == own).map(|(variable, _)| *variable);
        terms.name(taker.unwrap_or(input.variable))
    };
    way.inputs.iter().map(name).collect()
}

/// Evidence in the user's names, with what replays it on the model.
pub struct Shown<'m> {
    /// The names.
    pub names: Arc<dyn Names>,
    /// The evidence.
    pub evidence: Evidence,
    /// Replays it.
    pub replay: Box<dyn Replay + 'm>,
}

/// A validator with what it is to validate. It shares no code with what made the evidence.
pub trait Replay {
    /// Who validates.
    fn by(&self) -> &'static str;
    /// Validates.
    fn replay(&self, context: &Context) -> Result<(), Flaw>;
    /// Whether the verdict counts only if this confirms it. Else it also counts where this gives up or is stopped, and says so.
    fn is_required(&self) -> bool {
        true
    }
}

/// Why evidence was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is wrong: a bug.
    Wrong(String),
    /// There is nothing to check it with.
    NoMeans,
    /// The solver gave up this time.
    GaveUp,
    /// A limit was reached before the end.
    Stopped(tertium_support::StopReason),
}

/// Models that become decision diagrams.
pub trait OffersSymbolic {
    /// The encodings for these properties: one for each part of the model that some of them depend on.
    fn encode<'m>(
        &'m self,
        context: &'m Context,
        properties: &[PropertyId],
        options: &SymbolicOptions,
    ) -> Result<Box<dyn Encodings + 'm>, Halt>;
}

/// The parts of a model as decision diagrams, each made when it is first asked for. The last part is the whole model.
pub trait Encodings {
    /// How many parts there are.
    fn n_parts(&self) -> usize;

    /// The part on which a property is checked.
    fn part_of(&self, property: PropertyId) -> usize;

    /// Refuses a part that has no meaning in some state.
    fn check_model(&self, part: usize) -> Result<(), Halt>;

    /// A part, with the propositions of the property.
    fn model(&self, part: usize, property: PropertyId) -> Result<&SymbolicModel, Halt>;

    /// How many variables a part has, and the whole model.
    fn n_variables(&self, part: usize) -> (usize, usize);

    /// Evidence from a part, completed to the whole model; nothing if that would get too long. `logic` is what it is evidence
    /// of, which may differ from the property in constants.
    fn show<'s>(
        &'s self,
        part: usize,
        property: PropertyId,
        logic: &Logic,
        evidence: SymbolicEvidence,
        holds: bool,
    ) -> Result<Option<Shown<'s>>, Halt>;

    /// Hands a part as terms to `work`, with what `logic` claims of every reachable state, in the propositions of a property. Nothing
    /// happens if it is of another form, or the part has no lowering.
    fn with_terms(
        &self,
        part: usize,
        property: PropertyId,
        logic: &Logic,
        work: &mut dyn FnMut(PartTerms<'_>),
    ) {
        let _ = (part, property, logic, work);
    }

    /// The order of the variables, as text that can be given again.
    fn order(&self) -> Result<String, Halt>;
}

/// A part of a model as terms, beside its diagrams.
#[derive(Clone, Copy, Debug)]
pub struct PartTerms<'t> {
    /// The part as a transition system, with a claim about all its reachable states.
    pub claim: TermClaim<'t>,
    /// What each bit of the current states of the diagrams is among terms: a truth value over the current variables.
    pub bits: &'t [(Var, Term)],
}

/// A claim about all reachable states of a transition system of terms.
#[derive(Clone, Copy, Debug)]
pub struct TermClaim<'t> {
    /// Where all terms live.
    pub terms: &'t Terms,
    /// The system.
    pub system: &'t TermSystem,
    /// The claim.
    pub claim: &'t Predicate,
}

/// Models that are transition systems of terms.
pub trait OffersTerms {
    /// Hands the claim about all reachable states that `logic` makes, in the propositions of a property, to `work`; nothing happens
    /// if it is of another form, or has no lowering.
    fn with_claim(&self, property: PropertyId, logic: &Logic, work: &mut dyn FnMut(TermClaim<'_>));
}

/// Models whose states can be listed one by one, with fairness.
pub trait OffersStates {
    /// Lists reachable states, at most so many. If a limit is reached, those that were found.
    fn list<'m>(&'m self, context: &'m Context, most: usize) -> Result<Box<dyn ListedStates + 'm>, Halt>;
}

/// The reachable states of a model, as far as they were listed, and what holds at them.
pub trait ListedStates {
    /// The states and steps.
    fn graph(&self) -> &Listing;

    /// Whether steps carry inputs. A path that stays where it is could have any of them.
    fn has_inputs(&self) -> bool {
        false
    }

    /// Which paths count.
    fn fairness(&self, context: &Context) -> Result<StepFairness, Halt>;

    /// Where the propositions of a property hold.
    fn propositions(&self, context: &Context, property: PropertyId) -> Result<Propositions, Halt>;

    /// Evidence for an answer to what `logic` says in the propositions of a property.
    fn show<'s>(
        &'s self,
        property: PropertyId,
        logic: &Logic,
        evidence: GraphEvidence,
        holds: bool,
    ) -> Result<Option<Shown<'s>>, Halt>;
}
