//! Laws of the search on random bounded programs, against all their states.

use crate::common::context;
use std::collections::BTreeSet;
use tertium_abstraction::{Musts, PredicateAbstraction, explore};
use tertium_expr::Term;
use tertium_program::{Interpreter, LocId, Program, State};
use tertium_search::{
    Answer, CheckSettings, Checks, Ending, Identity, LossSettings, Losses, Machine, Matching, Order,
    Precision, Round, RoundSettings, Scope, Settings, Written, losses, search_once, search_with_refinement,
    starting_predicates,
};
use tertium_solve::{GivesUp, Prover, Z3};
use tertium_support::{Id, Rng};
use tertium_system::relation::bisimulation;
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{
    ConcreteSystem, ProgramShape, concrete_system, random_atom, random_cases, random_program,
};
use tertium_truth::Belnap;

/// A bounded program with all its states.
pub(crate) struct Case {
    pub(crate) program: Program,
    pub(crate) goal: Term,
    pub(crate) concrete: ConcreteSystem,
}

pub(crate) fn random_case(rng: &mut Rng) -> Option<Case> {
    let shape = ProgramShape { n_commands: 5, bounded: true, choices: rng.chance(0.3) };
    let program = random_program(rng, shape);
    case_of(rng, program)
}

/// A program with a random goal, if it can begin.
pub(crate) fn case_of(rng: &mut Rng, program: Program) -> Option<Case> {
    let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
    let goal = program.terms.and([
        random_atom(rng, &program.terms, &variables),
        random_atom(rng, &program.terms, &variables[1..]),
    ]);
    let concrete = concrete_system(&program, &[("goal".to_owned(), goal)])?;
    Some(Case { program, goal, concrete })
}

impl Case {
    /// The reachable states.
    pub(crate) fn reachable(&self) -> BTreeSet<&State> {
        let reached = self.concrete.system.reachable();
        let states = self.concrete.states.iter().enumerate();
        states.filter(|(n, _)| reached.contains(StateId::new(*n))).map(|(_, state)| state).collect()
    }

    pub(crate) fn is_goal_reachable(&self) -> bool {
        let interpreter = Interpreter::new(&self.program);
        self.reachable().into_iter().any(|state| interpreter.holds(state, self.goal))
    }

    fn start(&self) -> Vec<State> {
        let initial = self.concrete.system.initial().iter();
        initial.map(|state| self.concrete.states[state.index()].clone()).collect()
    }

    pub(crate) fn search(&self, settings: &Settings, every: usize) -> Answer<'_> {
        let start = starting_predicates(&self.program, self.goal, settings);
        let mut prover = Prover::new(GivesUp::new(Z3::new(), every));

        search_with_refinement(&context(), &self.program, Some(self.goal), start, settings, &mut prover)
    }

    /// That a round visited every reachable state once, and no other.
    pub(crate) fn expect_all_states(&self, round: &Round) {
        let visited: Vec<State> = (0..round.n_visits()).map(|visit| round.state(visit)).collect();
        assert_eq!(visited.iter().collect::<BTreeSet<_>>(), self.reachable());
        assert_eq!(visited.len(), self.reachable().len());
    }

    /// Whether what a round visited is bisimilar to the program, where the goal and the actions are seen.
    pub(crate) fn is_bisimilar(&self, machine: &Machine<'_>, round: &Round) -> bool {
        let interpreter = Interpreter::new(&self.program);
        let whole = &self.concrete.system;
        let n = whole.n_states();
        let mut builder = SystemBuilder::numbered(n + round.n_visits());
        let goal = builder.proposition("goal", Belnap::Unknown);
        let name = |command: usize| self.program.commands()[command].action.clone();
        for (number, state) in self.concrete.states.iter().enumerate() {
            let id = StateId::new(number);
            builder.label(id, goal, Belnap::from(interpreter.holds(state, self.goal)));
            for edge in whole.edges(id) {
                let action = builder.action(whole.actions().name(edge.action));
                builder.edge(id, action, edge.other, Modality::Both);
            }
        }
        for number in 0..round.n_visits() {
            builder.label(
                StateId::new(n + number),
                goal,
                Belnap::from(interpreter.holds(&round.state(number), self.goal)),
            );
        }
        for edge in round.edges(machine) {
            let action = builder.action(&name(machine.transition(edge.transition).command.index()));
            builder.edge(
                StateId::new(n + edge.source),
                action,
                StateId::new(n + edge.target),
                Modality::Both,
            );
        }
        builder.initial(StateId::new(0));
        let both: PartialSystem = builder.build();
        let classes = bisimulation(&context(), &both).expect("no limits");
        let id_of = |state: &State| self.concrete.states.iter().position(|other| other == state);
        (0..round.n_visits()).all(|number| {
            let own = StateId::new(id_of(&round.state(number)).expect("all states are there"));
            classes.block_of(own) == classes.block_of(StateId::new(n + number))
        })
    }
}

/// That every visit was really made: the parents lead back to the beginning by steps of the program.
pub(crate) fn replay(machine: &Machine<'_>, round: &Round) {
    let (program, interpreter) = (machine.program(), machine.interpreter());
    for visit in 0..round.n_visits() {
        match round.parent(visit) {
            None => assert!(interpreter.is_initial(&round.state(visit))),
            Some((parent, by)) => {
                let by = machine.transition(by);
                let step = &program.commands()[by.command.index()].steps[by.step];
                let next = interpreter.take(&round.state(parent), step, &by.inputs);
                assert_eq!(next, Some(round.state(visit)));
            }
        }
    }
}

#[test]
fn verdicts_are_right_also_if_the_solver_gives_up_and_values_bring_the_search_to_an_end() {
    let (mut n_found, mut n_exact, mut n_all) = (0, 0, 0);
    let run = random_cases(60, |rng| {
        let Some(case) = random_case(rng) else { return };
        let order = if rng.chance(0.5) { Order::Breadth } else { Order::Depth };
        let losses = LossSettings { by_location: rng.chance(0.4), unasked: false };
        for (every, iterations) in [(usize::MAX, 100), (3, 4)] {
            let settings =
                Settings { order, losses, values_after: Some(2), iterations, ..Settings::default() };
            let answer = case.search(&settings, every);
            replay(&answer.machine, answer.last());
            match answer.ending {
                Ending::Reached(visit) => {
                    n_found += 1;
                    let interpreter = Interpreter::new(&case.program);
                    assert!(interpreter.holds(&answer.last().state(visit), case.goal));
                }
                Ending::Exact => {
                    n_exact += 1;
                    assert!(!case.is_goal_reachable());
                    assert!(case.is_bisimilar(&answer.machine, answer.last()));
                }
                Ending::AllStates => {
                    n_all += 1;
                    assert!(!case.is_goal_reachable());
                    case.expect_all_states(answer.last());
                }
                Ending::Open(_) => assert_eq!(every, 3, "programs with finitely many states come to an end"),
            }
        }
    });
    run.enough(
        n_found > 0 && n_exact > 0 && n_all > 0,
        format_args!("{n_found} found, {n_exact} exact, {n_all} by all states"),
    );
}

/// A round with random predicates.
fn random_round<'a>(rng: &mut Rng, case: &'a Case) -> (Machine<'a>, Round, Losses, Vec<Term>) {
    let variables: Vec<_> = case.program.variables().iter().map(|own| own.variable).collect();
    let mut precision = Precision::new(Identity::Normal);
    let mut used = Vec::new();
    let goal_atoms = case.program.terms.atoms_of(case.goal);
    let more = (0..rng.below(3)).map(|_| random_atom(rng, &case.program.terms, &variables[1..]));
    let more: Vec<Term> = more.collect();
    for term in
        goal_atoms.into_iter().chain(more.into_iter().flat_map(|term| case.program.terms.atoms_of(term)))
    {
        if precision.add(&case.program, Written::new(&case.program.terms, term), Scope::Everywhere) {
            used.push(term);
        }
    }
    let (context, mut prover) = (context(), Prover::new(Z3::new()));
    let mut checks = Checks::new(&context, &case.program, &mut prover, CheckSettings::default());
    let machine = Machine::new(&case.program).expect("few inputs");
    let round = search_once(
        &context,
        &machine,
        &case.start(),
        Matching::Predicates(&precision),
        None,
        RoundSettings::default(),
    );
    let round = round.expect("no limits");
    let lost = losses(&machine, &precision, &round, LossSettings::default(), &mut checks);
    (machine, round, lost.expect("no limits"), used)
}

#[test]
fn a_round_finds_only_what_can_be_reached_and_at_least_what_must_be() {
    let mut n_exact = 0;
    let run = random_cases(40, |rng| {
        let Some(case) = random_case(rng) else { return };
        let (machine, round, lost, used) = random_round(rng, &case);
        replay(&machine, &round);
        let interpreter = Interpreter::new(&case.program);
        let reachable = case.reachable();
        assert!((0..round.n_visits()).all(|visit| reachable.contains(&round.state(visit))));
        assert_eq!(lost.is_exact(), lost.missed.is_empty());
        if lost.is_exact() {
            n_exact += 1;
            assert!(case.is_bisimilar(&machine, &round));
        }
        // Keys that steps of all concrete states lead to are visited.
        let mut predicates = tertium_program::Precision::new();
        used.iter().for_each(|&term| {
            predicates.add(&case.program, term, LocId::ANYWHERE);
        });
        let mut abstraction = PredicateAbstraction::new(&case.program, predicates, Prover::new(Z3::new()));
        let found = explore(&context(), &mut abstraction, &[], Musts::Single).expect("no limits");
        let visited: BTreeSet<_> = (0..round.n_visits())
            .map(|visit| {
                tertium_abstraction::AbstractState::of(
                    &interpreter,
                    abstraction.precision(),
                    &round.state(visit),
                )
                .expect("domains are small")
            })
            .collect();
        for state in found.system.surely_reachable().iter() {
            assert!(visited.contains(&found.states[state.index()]));
        }
    });
    run.enough(n_exact > 0, "no exact round");
}
