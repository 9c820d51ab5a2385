//! Bounded programs of guarded commands as decision diagrams on their states.
//!
//! There is one part: the whole program. Evidence is a path of states at first; which command each step is, and with
//! which inputs, is looked up afterwards. The interpreter of programs replays it and knows nothing of diagrams.

use super::commands::{Commands, in_language};
use crate::model::taken_name;
use crate::{
    Encodings, Flaw, Halt, Logic, OffersProgram, OffersSymbolic, PartTerms, PropertyId, Replay, Shown,
    SymbolicOptions, TermClaim,
};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;
use tertium_check::symbolic::{SymbolicClaim, SymbolicEvidence, SymbolicTrace};
use tertium_encode::diagrams::{
    EncodeError, EncodedProgram, ProgramOptions, encode_program, place_names, read_names, write_names,
};
use tertium_evidence::{
    Claim, Concrete, Evidence, Support, Table, Trace, check_claim, check_path, check_violation,
};
use tertium_expr::{Term, Value};
use tertium_logic::{Ltl, holds_on_lasso};
use tertium_program::{Interpreter, Program, ProgramSystem, State, StepTaken};
use tertium_support::Context;
use tertium_system::SymbolicModel;

/// The order is first improved at this many nodes.
const REORDER_FROM: usize = 200_000;

impl OffersSymbolic for Commands {
    fn encode<'m>(
        &'m self,
        context: &'m Context,
        properties: &[PropertyId],
        options: &SymbolicOptions,
    ) -> Result<Box<dyn Encodings + 'm>, Halt> {
        let names = names(&self.model.program);
        let order = match &options.order {
            None => None,
            Some(source) => {
                let places = place_names(&self.model.program).unwrap_or_default();
                let places: Vec<&str> = places.iter().map(String::as_str).collect();
                Some(read_names(&places, source).map_err(|found| Halt::faulty(source, found))?)
            }
        };
        let options = ProgramOptions {
            order,
            node_limit: options.nodes,
            reorder_from: (!options.keep_order).then_some(REORDER_FROM),
        };
        let asked = properties.to_vec();
        Ok(Box::new(Diagrams {
            context,
            own: self,
            asked,
            options,
            names,
            made: OnceCell::new(),
            system: OnceCell::new(),
        }))
    }
}

/// The names of all variables, in their order.
fn names(program: &Program) -> Vec<String> {
    program.variables().iter().map(|own| program.terms.name(own.variable)).collect()
}

/// A program as diagrams, made when it is first asked for.
struct Diagrams<'m> {
    context: &'m Context,
    own: &'m Commands,
    asked: Vec<PropertyId>,
    options: ProgramOptions,
    names: Vec<String>,
    made: OnceCell<Result<EncodedProgram<'m>, EncodeError>>,
    /// The program as a transition system of terms.
    system: OnceCell<ProgramSystem>,
}

impl<'m> Diagrams<'m> {
    fn encoded(&self) -> Result<&EncodedProgram<'m>, Halt> {
        self.made.get_or_init(|| self.encode()).as_ref().map_err(|error| self.failure(error))
    }

    fn encode(&self) -> Result<EncodedProgram<'m>, EncodeError> {
        let mut encoded = encode_program(self.context, &self.own.model.program, &self.options)?;
        for (name, term) in self.own.atoms(&self.asked) {
            encoded.name(name, term)?;
        }
        Ok(encoded)
    }

    fn failure(&self, error: &EncodeError) -> Halt {
        let file = self.own.model_name();
        match error {
            EncodeError::Stopped(reason) => Halt::Stopped(*reason),
            EncodeError::Arrays => {
                Halt::Refused(format!("{file} has arrays with too many elements for decision diagrams"))
            }
            EncodeError::Unbounded(variable) => {
                let name = self.own.model.program.terms.name(*variable);
                Halt::Refused(format!(
                    "{file} quantifies `{name}` over too many values for decision diagrams"
                ))
            }
        }
    }

    fn state(&self, codes: &[u64]) -> Result<State, Halt> {
        let state = self.encoded()?.state(codes);
        state.ok_or_else(|| Halt::Bug("a code in the evidence stands for no value".to_owned()))
    }

    fn trace(&self, trace: &SymbolicTrace) -> Result<Trace<State, StepTaken>, Halt> {
        let states: Vec<State> =
            trace.states.iter().map(|codes| self.state(codes)).collect::<Result<_, _>>()?;
        let mut steps = Vec::with_capacity(trace.steps.len());
        for at in 0..trace.steps.len() {
            let (from, to) = (&states[at], &states[trace.target(at)]);
            let taken = self.encoded()?.step_between(self.context, from, to);
            let taken = taken.map_err(|error| self.failure(&error))?;
            steps.push(taken.ok_or_else(|| Halt::Bug("no command leads along the evidence".to_owned()))?);
        }
        Ok(Trace { states, steps, loop_start: trace.loop_start })
    }

    fn claim(&self, claim: &SymbolicClaim) -> Result<Claim<State, StepTaken>, Halt> {
        let support = match &claim.support {
            Support::Here => Support::Here,
            Support::AllPaths => Support::AllPaths,
            Support::Omitted => Support::Omitted,
            Support::Parts(parts) => {
                Support::Parts(parts.iter().map(|part| self.claim(part)).collect::<Result<_, _>>()?)
            }
            Support::Path { trace, at } => {
                let at = at.iter().map(|(place, claim)| Ok((*place, self.claim(claim)?)));
                let at = at.collect::<Result<_, Halt>>()?;
                Support::Path { trace: self.trace(trace)?, at }
            }
        };
        Ok(Claim { formula: claim.formula.clone(), state: self.state(&claim.state)?, support })
    }
}

impl Encodings for Diagrams<'_> {
    fn n_parts(&self) -> usize {
        1
    }

    fn part_of(&self, _: PropertyId) -> usize {
        0
    }

    fn check_model(&self, _: usize) -> Result<(), Halt> {
        self.encoded().map(|_| ())
    }

    fn model(&self, _: usize, _: PropertyId) -> Result<&SymbolicModel, Halt> {
        Ok(&self.encoded()?.model)
    }

    fn n_variables(&self, _: usize) -> (usize, usize) {
        (self.names.len(), self.names.len())
    }

    fn show<'s>(
        &'s self,
        _: usize,
        property: PropertyId,
        logic: &Logic,
        evidence: SymbolicEvidence,
        holds: bool,
    ) -> Result<Option<Shown<'s>>, Halt> {
        let evidence = match &evidence {
            Evidence::Trace(trace) => Evidence::Trace(self.trace(trace)?),
            Evidence::Tree(claim) => Evidence::Tree(self.claim(claim)?),
            _ => return Ok(None),
        };
        let values = |state: &State| state.0.iter().map(Value::to_string).collect();
        let step = |taken: &StepTaken| taken_name(self.own, taken);
        let (table, named) = Table::of(self.names.clone(), evidence.clone(), values, step);
        let program = &self.own.model.program;
        let replay = ProgramReplay {
            interpreter: Interpreter::new(program),
            atoms: self.own.propositions(property).into_iter().collect(),
            logic: logic.clone(),
            evidence,
            holds,
        };
        let names = Arc::new(table.in_language(in_language));
        Ok(named.map(|evidence| Shown { names, evidence, replay: Box::new(replay) }))
    }

    fn with_terms(&self, _: usize, property: PropertyId, logic: &Logic, work: &mut dyn FnMut(PartTerms<'_>)) {
        let program = &self.own.model.program;
        if let (Ok(encoded), Some(claim)) = (self.encoded(), self.own.claim(property, logic)) {
            let system = &self.system.get_or_init(|| program.term_system()).system;
            let claim = TermClaim { terms: &program.terms, system, claim: &claim };
            work(PartTerms { claim, bits: &encoded.bits() });
        }
    }

    fn order(&self) -> Result<String, Halt> {
        let encoded = self.encoded()?;
        let names: Vec<&str> = encoded.model.variables.iter().map(|place| place.name.as_str()).collect();
        Ok(write_names(&names, encoded.order()))
    }
}

/// Evidence about a program, for its interpreter.
pub(super) struct ProgramReplay<'m> {
    pub(super) interpreter: Interpreter<'m>,
    /// What propositions mean.
    pub(super) atoms: FxHashMap<String, Term>,
    pub(super) logic: Logic,
    pub(super) evidence: Evidence<State, StepTaken>,
    pub(super) holds: bool,
}

impl Replay for ProgramReplay<'_> {
    fn by(&self) -> &'static str {
        "the interpreter"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        let checked = match (&self.evidence, &self.logic) {
            (Evidence::Tree(tree), Logic::Branching(formula)) => check_claim(self, formula, self.holds, tree),
            (Evidence::Trace(trace), Logic::Invariant(formula)) if !self.holds => {
                check_violation(self, formula, trace)
            }
            (Evidence::Trace(trace), Logic::Linear(formula)) if !self.holds => self.refutes(formula, trace),
            _ => Err("this kind of evidence does not fit the property".to_owned()),
        };
        checked.map_err(Flaw::Wrong)
    }
}

impl ProgramReplay<'_> {
    /// Accepts a path from an initial state that goes on for ever, and on which a formula of linear time fails.
    fn refutes(&self, formula: &Ltl, trace: &Trace<State, StepTaken>) -> Result<(), String> {
        let Some(loop_start) = trace.loop_start.filter(|_| trace.is_well_formed()) else {
            return Err("the path does not go on for ever".to_owned());
        };
        check_path(trace, |state| self.is_initial(state), |from, taken, to| self.is_step(from, taken, to))?;
        let at = |place: usize, name: &str| self.holds(name, &trace.states[place]) == Some(true);
        match holds_on_lasso(formula, trace.states.len(), loop_start, at) {
            true => Err("the property holds on the path".to_owned()),
            false => Ok(()),
        }
    }
}

impl Concrete<State, StepTaken> for ProgramReplay<'_> {
    fn is_initial(&self, state: &State) -> bool {
        self.interpreter.is_initial(state)
    }

    fn is_step(&self, from: &State, taken: &StepTaken, to: &State) -> bool {
        self.interpreter.follow(from, taken).as_ref() == Some(to)
    }

    fn holds(&self, proposition: &str, state: &State) -> Option<bool> {
        Some(self.interpreter.holds(state, *self.atoms.get(proposition)?))
    }
}
