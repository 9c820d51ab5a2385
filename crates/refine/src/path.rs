//! Whether a path of the abstract system is one of the program.
//!
//! The path is executed symbolically: every variable has a term over the initial values and the inputs on the way. If the
//! conditions collected are satisfiable, the solver's model is a run. If not, the conditions in the unsatisfiable core are pulled back
//! along the path, by weakest preconditions; with their atoms as predicates at the points of the path, no abstract path goes this way any
//! more. What is wanted is each of them at the location where it is used.

use crate::by_predicates::Wanted;
use std::collections::BTreeMap;
use tertium_abstraction::TriState;
use tertium_explore::Run;
use tertium_expr::{Substitution, Term, Terms, Value, Variable};
use tertium_program::{CommandId, Interpreter, LiveVariables, Precision, Program, Step, StepTaken, state_of};
use tertium_solve::{Answer, Model, Solver, Z3};
use tertium_support::{Context, Id, StopReason};

/// A solver for questions about paths, which have little in common with each other and with those about single steps.
#[derive(Default)]
pub(crate) struct PathSolver {
    z3: Z3,
    /// How often it gave up.
    pub(crate) n_gave_up: u64,
}

/// A path of the abstract system: where it begins, and commands with where they lead.
#[derive(Clone, Debug)]
pub(crate) struct AbstractPath<'a> {
    pub(crate) start: &'a TriState,
    pub(crate) steps: Vec<(Vec<CommandId>, &'a TriState)>,
}

impl AbstractPath<'_> {
    /// The state after so many steps.
    fn point(&self, steps: usize) -> &TriState {
        if steps == 0 { self.start } else { self.steps[steps - 1].1 }
    }
}

/// What became of a path.
#[derive(Clone, Debug)]
pub(crate) enum Execution {
    /// A run goes this way.
    Run(Run),
    /// None does; these predicates show it, each at a point of the path.
    Impossible(Vec<Required>),
    /// The solver gave up.
    Open,
}

/// An atom that is required at a point of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Required {
    atom: Term,
    /// How many steps come before.
    point: usize,
}

/// A condition on the way: what it says of the state before a step, and of the beginning.
#[derive(Clone, Copy, Debug)]
struct Condition {
    /// Over the variables at this point of the path, and inputs of the step.
    here: Term,
    /// Over the initial values and all inputs.
    at_start: Term,
}

/// Looks for a run along the path whose last state satisfies `goal`.
pub(crate) fn execute(
    context: &Context,
    solver: &mut PathSolver,
    program: &Program,
    path: &AbstractPath<'_>,
    goal: Term,
) -> Result<Execution, StopReason> {
    Search::new(context, solver, program, path, goal).from(&[program.initial, program.within()])
}

/// Predicates that exclude a path which no run takes, one at least that does not count at the point where it is required.
///
/// The shortest end of the path that is impossible from its first abstract state on says what is wrong without unrolling how one comes
/// there; where no end is, the whole path is taken.
pub(crate) fn exclude(
    context: &Context,
    solver: &mut PathSolver,
    program: &Program,
    path: &AbstractPath<'_>,
    goal: Term,
    known: &Precision,
    live: &LiveVariables,
) -> Result<Vec<Wanted>, StopReason> {
    let wanted = |path: &AbstractPath<'_>, atoms: Vec<Required>| -> Vec<Wanted> {
        let control = |own: &Required| &path.point(own.point).control;
        if atoms.iter().all(|own| known.counts(program, control(own), own.atom)) {
            return Vec::new();
        }
        let place = |own: &Required| (own.atom, live.location(program, control(own), own.atom));
        atoms.iter().map(place).collect()
    };
    for from in (0..path.steps.len()).rev() {
        let start = if from == 0 { path.start } else { path.steps[from - 1].1 };
        let end = AbstractPath { start, steps: path.steps[from..].to_vec() };
        let here = start.term(program, known);
        if let Execution::Impossible(atoms) =
            Search::new(context, solver, program, &end, goal).from(&[here])?
        {
            let wanted = wanted(&end, atoms);
            if !wanted.is_empty() {
                return Ok(wanted);
            }
        }
    }
    match execute(context, solver, program, path, goal)? {
        Execution::Impossible(atoms) => Ok(wanted(path, atoms)),
        Execution::Run(_) | Execution::Open => Ok(Vec::new()),
    }
}

/// A step of a command on the path, with the inputs made new for this place.
struct PathStep {
    command: CommandId,
    number: usize,
    step: Step,
    inputs: Vec<Variable>,
}

struct Search<'a> {
    context: &'a Context,
    program: &'a Program,
    path: &'a AbstractPath<'a>,
    goal: Term,
    /// Without assertions. One for all paths: making it costs more than most of them.
    solver: &'a mut PathSolver,
    taken: Vec<PathStep>,
    atoms: Vec<Required>,
}

type Values = BTreeMap<Variable, Term>;

impl<'a> Search<'a> {
    fn new(
        context: &'a Context,
        solver: &'a mut PathSolver,
        program: &'a Program,
        path: &'a AbstractPath<'a>,
        goal: Term,
    ) -> Self {
        Self { context, program, path, goal, solver, taken: Vec::new(), atoms: Vec::new() }
    }

    /// Executes the path from all states that satisfy these.
    fn from(&mut self, begin: &[Term]) -> Result<Execution, StopReason> {
        let control = self.constraints(self.path.start, None);
        let first = begin.iter().copied().chain(control).map(|term| Condition { here: term, at_start: term });
        let terms = &self.program.terms;
        let variables = self.program.variables().iter();
        let values = variables.map(|own| (own.variable, terms.variable(own.variable))).collect();
        self.go(vec![first.collect()], values)
    }

    fn terms(&self) -> &Terms {
        &self.program.terms
    }

    /// Goes on behind what was executed so far. `conditions` has those at each point.
    fn go(&mut self, conditions: Vec<Vec<Condition>>, values: Values) -> Result<Execution, StopReason> {
        self.context.poll()?;
        let at = self.taken.len();
        let mut conditions = conditions;
        if at == self.path.steps.len() {
            let goal = Condition { here: self.goal, at_start: self.now(&values, self.goal) };
            conditions.last_mut().expect("there is a beginning").push(goal);
        }
        let all: Vec<Term> = conditions.iter().flatten().map(|condition| condition.at_start).collect();
        match self.solver.z3.check(self.context, &self.program.terms, &all) {
            Answer::GaveUp => {
                self.solver.n_gave_up += 1;
                return Ok(Execution::Open);
            }
            Answer::Stopped(reason) => return Err(reason),
            Answer::Unsatisfiable => {
                let core = self.solver.z3.core();
                self.pull_back(&conditions, &core);
                return Ok(Execution::Impossible(std::mem::take(&mut self.atoms)));
            }
            Answer::Satisfiable if at < self.path.steps.len() => {}
            Answer::Satisfiable => {
                let model = self.solver.z3.model(&self.program.terms);
                return Ok(model.and_then(|model| self.run(&model)).map_or(Execution::Open, Execution::Run));
            }
        }
        self.step(conditions, values)
    }

    /// Tries every way through every command of the next step.
    fn step(&mut self, conditions: Vec<Vec<Condition>>, values: Values) -> Result<Execution, StopReason> {
        let path = self.path;
        debug_assert_eq!(conditions.len(), self.taken.len() + 1, "there are conditions at every point");
        let (commands, target) = &path.steps[self.taken.len()];
        let mut atoms = Vec::new();
        let mut open = false;
        for &command in commands {
            for (number, step) in self.program.commands()[command.index()].steps.iter().enumerate() {
                let step = self.fresh(command, number, step);
                let mut after = values.clone();
                for (&variable, &term) in &step.step.updates {
                    after.insert(variable, self.now(&values, term));
                }
                let mut own =
                    vec![Condition { here: step.step.guard, at_start: self.now(&values, step.step.guard) }];
                for constraint in self.constraints(target, Some(&step.step)) {
                    own.push(Condition { here: constraint, at_start: self.now(&values, constraint) });
                }
                if own.iter().any(|condition| self.terms().as_bool(condition.here) == Some(false)) {
                    continue;
                }
                let mut longer = conditions.clone();
                longer.last_mut().expect("there is a beginning").extend(own);
                longer.push(Vec::new());
                self.taken.push(step);
                let result = self.go(longer, after)?;
                self.taken.pop();
                match result {
                    Execution::Run(run) => return Ok(Execution::Run(run)),
                    Execution::Impossible(more) => atoms.extend(more),
                    Execution::Open => open = true,
                }
            }
        }
        Ok(if open { Execution::Open } else { Execution::Impossible(atoms) })
    }

    /// That control is as in the abstract state, at it or before the step that leads to it.
    fn constraints(&self, state: &TriState, step: Option<&Step>) -> Vec<Term> {
        let terms = self.terms();
        let control =
            self.program.variables().iter().filter(|own| own.role == tertium_program::Role::Control);
        let equal = control.zip(&state.control).map(|(own, value)| {
            let there = terms.equal(terms.variable(own.variable), terms.value(value));
            step.map_or(there, |step| step.after(terms, there))
        });
        equal.filter(|&term| terms.as_bool(term) != Some(true)).collect()
    }

    /// A term at this point, as one over the beginning.
    fn now(&self, values: &Values, term: Term) -> Term {
        Substitution::new(values.iter().map(|(&variable, &value)| (variable, value)))
            .apply(self.terms(), term)
    }

    /// The step with inputs that occur nowhere else on the path.
    fn fresh(&self, command: CommandId, number: usize, step: &Step) -> PathStep {
        let terms = self.terms();
        let inputs: Vec<Variable> = step
            .inputs
            .iter()
            .map(|input| {
                let name = format!("{}@{}", terms.name(input.variable), self.taken.len());
                terms.declare(&name, &terms.sort_of(input.variable))
            })
            .collect();
        let mut renamed = Substitution::new(
            step.inputs.iter().zip(&inputs).map(|(input, &new)| (input.variable, terms.variable(new))),
        );
        let mut own = step.clone();
        own.guard = renamed.apply(terms, step.guard);
        own.updates = step.updates.iter().map(|(&v, &term)| (v, renamed.apply(terms, term))).collect();
        PathStep { command, number, step: own, inputs }
    }

    /// The atoms of the core's conditions, and of what they require at all earlier points.
    fn pull_back(&mut self, conditions: &[Vec<Condition>], core: &[Term]) {
        let program = self.program;
        let terms = &program.terms;
        debug_assert!(conditions.len() <= self.path.steps.len() + 1, "points are points of the path");
        let mut required: Vec<Term> = Vec::new();
        for at in (0..conditions.len()).rev() {
            // The conditions at a point are on the state there; what is required after the next step comes through it.
            if let Some(step) = self.taken.get(at) {
                let mut substitution = step.step.substitution();
                required = required.iter().map(|&term| substitution.apply(terms, term)).collect();
            }
            let own = conditions[at].iter().filter(|condition| core.contains(&condition.at_start));
            required.extend(own.map(|condition| condition.here));
            required.sort_unstable();
            required.dedup();
            for &term in &required {
                let atoms = terms.atoms_of(term).into_iter();
                let of_program = |atom: &Term| {
                    terms.variables_of(*atom).into_iter().all(|variable| program.id_of(variable).is_some())
                };
                let atoms = atoms.filter(of_program);
                self.atoms.extend(atoms.map(|atom| Required { atom, point: at }));
            }
        }
    }

    /// The run that a model of all conditions describes.
    fn run(&self, model: &Model) -> Option<Run> {
        let terms = self.terms();
        let interpreter = Interpreter::new(self.program);
        let mut run = Run::at(state_of(self.program, model));
        for taken in &self.taken {
            let inputs: Vec<Value> = taken.inputs.iter().map(|&input| model.value(terms, input)).collect();
            let step = StepTaken { command: taken.command, step: taken.number, inputs };
            let state = interpreter.follow(run.last(), &step)?;
            run.push(step, state);
        }
        Some(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_program::{Domain, Role, Statement};
    use tertium_support::Span;
    use tertium_truth::TriVector;

    /// Whether x can be 4294967291, a prime, after x := y * z with y and z above 1: too much for a solver with few steps.
    #[test]
    fn a_path_that_the_solver_gives_up_on_is_open_and_counted() {
        let mut program = Program::new(Terms::new());
        for name in ["x", "y", "z"] {
            program.add_variable(name, Domain::Int, Role::Data, Span::default());
        }
        let [x, y, z] = [0, 1, 2].map(|n| program.variables()[n].variable);
        let terms = &program.terms;
        let one = terms.integer(1);
        let above = |variable| terms.not(terms.at_most(terms.variable(variable), one));
        let initial = terms.and([above(y), above(z)]);
        let product = terms.product(terms.variable(y), terms.variable(z));
        let goal = terms.equal(terms.variable(x), terms.integer(4_294_967_291_u64));
        program.initial = initial;
        program.add_command("step", Statement::Assign(vec![(x, product)]), Span::default());
        let here = TriState { control: Box::default(), vector: TriVector::new(Vec::new()) };
        let path = AbstractPath { start: &here, steps: vec![(vec![CommandId::new(0)], &here)] };
        let mut solver = PathSolver { z3: Z3::with_steps(10_000), n_gave_up: 0 };
        let found = execute(&Context::default(), &mut solver, &program, &path, goal);
        assert!(matches!(found, Ok(Execution::Open)), "{found:?}");
        assert_eq!(solver.n_gave_up, 1);
    }
}
