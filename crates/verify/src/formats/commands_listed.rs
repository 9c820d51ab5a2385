//! The reachable states of a program, one by one, for properties of linear time; and the replay of lassos by the interpreter.

use super::commands::Commands;
use crate::{Flaw, Halt, ListedStates, Logic, OffersProgram, OffersStates, PropertyId, Replay, Shown};
use std::convert::Infallible;
use std::sync::Arc;
use tertium_check::fair::{GraphEvidence, Propositions};
use tertium_evidence::{Evidence, Table, Trace};
use tertium_explore::{Listing, ProgramSpace, list};
use tertium_expr::Term;
use tertium_front_gcl::ResolvedLinear;
use tertium_logic::holds_on_lasso;
use tertium_program::{CommandId, Interpreter, Program, State};
use tertium_support::{Context, Id};
use tertium_system::{StateGraph, StateId, StepFairness, StepId, StepSet, Stop};

/// A path of a program: its states, and the commands that were taken.
type ProgramTrace = Trace<State, CommandId>;

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
        let mut command = |step: StepId| Ok(self.space.way(self.listing.step(step.index()).0).0);
        let Ok(decoded) = evidence.try_map(&mut state, &mut command);
        let (Some(Evidence::Trace(trace)), Logic::Linear(formula)) = (decoded, logic) else {
            return Ok(None);
        };
        let meaning =
            ResolvedLinear { formula: formula.clone(), atoms: self.own.meaning(property).atoms().clone() };
        let program = &self.own.model.program;
        let variables = program.variables().iter().map(|own| program.terms.name(own.variable)).collect();
        let values = |state: &State| state.0.iter().map(ToString::to_string).collect();
        let step = |command: &CommandId| self.own.step_name(*command);
        let (table, named) = Table::of(variables, Evidence::Trace(trace.clone()), values, step);
        let replay = Box::new(LassoReplay { program, meaning, trace });
        Ok(named.map(|evidence| Shown { names: Arc::new(table), evidence, replay }))
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
        for (at, &command) in trace.steps.iter().enumerate() {
            let target = &trace.states[trace.target(at)];
            let leads = match interpreter.successors_of(&trace.states[at], command) {
                Ok(found) => found.iter().any(|successor| successor.state == *target),
                Err(_) => return wrong("a step has inputs without bounds"),
            };
            if !leads {
                return wrong("a step of the path is none of the program");
            }
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
