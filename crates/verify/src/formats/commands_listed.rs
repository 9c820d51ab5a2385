//! The reachable states of a program, one by one, for properties of linear time; and the replay of lassos by the interpreter.

use super::commands::Commands;
use crate::model::taken_name;
use crate::{Flaw, Halt, ListedStates, Logic, OffersProgram, OffersStates, PropertyId, Replay, Shown};
use std::convert::Infallible;
use std::sync::Arc;
use tertium_check::fair::{GraphEvidence, Propositions};
use tertium_evidence::{Evidence, Table, Trace};
use tertium_explore::{Listing, ProgramSpace, list};
use tertium_expr::Term;
use tertium_front_gcl::ResolvedLinear;
use tertium_logic::holds_on_lasso;
use tertium_program::{CommandId, Interpreter, Program, State, StepTaken};
use tertium_support::{Context, Id};
use tertium_system::{StateGraph, StateId, StepFairness, StepId, StepSet, Stop};

/// A path of a program: its states, and the steps that were taken.
type ProgramTrace = Trace<State, StepTaken>;

/// The states.
struct ListedProgram<'m> {
    own: &'m Commands,
    space: ProgramSpace<'m>,
    listing: Listing,
}

impl OffersStates for Commands {
    fn list<'m>(&'m self, context: &'m Context, most: usize) -> Result<Box<dyn ListedStates + 'm>, Halt> {
        let space = ProgramSpace::new(&self.model.program);
        let listing = list(context, &space, most).map_err(|stop| match stop {
            Stop::Limit(reason) => Halt::Stopped(reason),
            Stop::Fault(never) => match never {},
        })?;
        Ok(Box::new(ListedProgram { own: self, space, listing }))
    }
}

impl ListedStates for ListedProgram<'_> {
    fn graph(&self) -> &Listing {
        &self.listing
    }

    fn fairness(&self, _: &Context) -> Result<StepFairness, Halt> {
        Ok(StepFairness::default())
    }

    fn propositions(&self, context: &Context, property: PropertyId) -> Result<Propositions, Halt> {
        let (names, terms): (Vec<String>, Vec<Term>) = self.own.propositions(property).into_iter().unzip();
        let sets = self.space.states_where(context, &self.listing, &terms)?;
        Ok(names.into_iter().zip(sets.into_iter().map(StepSet::From)).collect())
    }

    fn show<'s>(
        &'s self,
        property: PropertyId,
        logic: &Logic,
        evidence: GraphEvidence,
        _: bool,
    ) -> Result<Option<Shown<'s>>, Halt> {
        let mut state = |state: StateId| Ok::<_, Infallible>(self.space.state(self.listing.words(state)));
        let mut way = |step: StepId| Ok(self.space.way(self.listing.step(step.index()).0));
        let Ok(decoded) = evidence.try_map(&mut state, &mut way);
        let (Some(Evidence::Trace(trace)), Logic::Linear(formula)) = (decoded, logic) else {
            return Ok(None);
        };
        let trace = self.taken(trace)?;
        let meaning =
            ResolvedLinear { formula: formula.clone(), atoms: self.own.meaning(property).atoms().clone() };
        let program = &self.own.model.program;
        let variables = program.variables().iter().map(|own| program.terms.name(own.variable)).collect();
        let values = |state: &State| state.0.iter().map(ToString::to_string).collect();
        let step = |taken: &StepTaken| taken_name(self.own, taken);
        let (table, named) = Table::of(variables, Evidence::Trace(trace.clone()), values, step);
        let replay = Box::new(LassoReplay { program, meaning, trace });
        Ok(named.map(|evidence| Shown { names: Arc::new(table), evidence, replay }))
    }
}

impl ListedProgram<'_> {
    /// A path with the inputs of its steps, which are not listed: they are looked for again.
    fn taken(&self, trace: Trace<State, (CommandId, usize)>) -> Result<ProgramTrace, Halt> {
        let interpreter = Interpreter::new(&self.own.model.program);
        let mut steps = Vec::with_capacity(trace.steps.len());
        for (from, &(command, step), to) in trace.moves() {
            let found = interpreter.successors_by(from, command, step).into_iter().flatten();
            let inputs = found.into_iter().find(|found| found.state == *to).map(|found| found.inputs);
            let inputs =
                inputs.ok_or_else(|| Halt::Bug("a step that was listed leads elsewhere".to_owned()))?;
            steps.push(StepTaken { command, step, inputs });
        }
        Ok(Trace { states: trace.states, steps, loop_start: trace.loop_start })
    }
}

/// A lasso that is said to break a property.
struct LassoReplay<'m> {
    program: &'m Program,
    meaning: ResolvedLinear,
    trace: ProgramTrace,
}

impl Replay for LassoReplay<'_> {
    fn by(&self) -> &'static str {
        "the interpreter"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        let wrong = |what: &str| Err(Flaw::Wrong(what.to_owned()));
        let (interpreter, trace) = (Interpreter::new(self.program), &self.trace);
        let Some(loop_start) = trace.loop_start.filter(|_| trace.is_well_formed()) else {
            return wrong("the path does not go on for ever");
        };
        if !interpreter.is_initial(&trace.states[0]) {
            return wrong("the path does not begin in an initial state");
        }
        if trace.moves().any(|(from, taken, to)| interpreter.follow(from, taken).as_ref() != Some(to)) {
            return wrong("a step of the path is none of the program");
        }
        let at = |place: usize, name: &str| {
            let term = self.meaning.atoms.get(name);
            term.is_some_and(|&term| interpreter.holds(&trace.states[place], term))
        };
        match holds_on_lasso(&self.meaning.formula, trace.states.len(), loop_start, at) {
            true => wrong("the property holds on the path"),
            false => Ok(()),
        }
    }
}
