//! Other under-approximations \[PPV07\], computed state by state on bounded models: steps that all states of an
//! abstract one can make, and steps that all states of an abstract one are reached by.

use crate::common::{context, model};
use crate::laws::random_case;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, Value};
use tertium_program::{Interpreter, Program, Role, State};
use tertium_search::{Identity, Machine, Matching, Precision, RoundSettings, Scope, Written, search_once};
use tertium_support::Id;
use tertium_testkit::{random_atom, random_cases};

/// Control, and which predicates hold.
type Abstract = (Vec<String>, Vec<bool>);
/// A command between two of them.
type Step = (usize, Abstract, Abstract);

/// The abstract states of all concrete ones, with steps of each command between them.
struct Abstraction {
    initial: BTreeSet<Abstract>,
    /// The steps that every state of the source can make.
    must_plus: BTreeSet<Step>,
    /// The steps with which every state of the target is reached from one of the source.
    must_minus: BTreeSet<Step>,
}

fn seen_through(interpreter: &Interpreter<'_>, predicates: &[Term], state: &State) -> Abstract {
    let variables = interpreter.program().variables().iter().zip(&state.0);
    let control = variables.filter(|(own, _)| own.role == Role::Control).map(|(_, value)| value.to_string());
    let bits = predicates.iter().map(|&term| interpreter.holds(state, term));
    (control.collect(), bits.collect())
}

impl Abstraction {
    /// From the steps of these states. Only inner ones need to have steps or to be reached, where those at the border miss some.
    fn new(
        program: &Program,
        states: &[State],
        predicates: &[Term],
        is_inner: &dyn Fn(&State) -> bool,
    ) -> Self {
        let interpreter = Interpreter::new(program);
        let see = |state: &State| seen_through(&interpreter, predicates, state);
        let mut n_members: BTreeMap<Abstract, usize> = BTreeMap::new();
        for state in states.iter().filter(|state| is_inner(state)) {
            *n_members.entry(see(state)).or_default() += 1;
        }
        let mut leaving: BTreeMap<Step, BTreeSet<State>> = BTreeMap::new();
        let mut entering: BTreeMap<Step, BTreeSet<State>> = BTreeMap::new();
        for state in states {
            for next in interpreter.successors(state).expect("few inputs") {
                let step = (next.command.index(), see(state), see(&next.state));
                if is_inner(state) {
                    leaving.entry(step.clone()).or_default().insert(state.clone());
                }
                if is_inner(&next.state) {
                    entering.entry(step).or_default().insert(next.state);
                }
            }
        }
        let all = |steps: BTreeMap<Step, BTreeSet<State>>, of: fn(&Step) -> &Abstract| -> BTreeSet<Step> {
            let complete =
                steps.into_iter().filter(|(step, with)| n_members.get(of(step)) == Some(&with.len()));
            complete.map(|(step, _)| step).collect()
        };
        Self {
            initial: states.iter().filter(|state| interpreter.is_initial(state)).map(see).collect(),
            must_plus: all(leaving, |step| &step.1),
            must_minus: all(entering, |step| &step.2),
        }
    }

    fn closure(steps: &BTreeSet<Step>, from: &BTreeSet<Abstract>) -> BTreeSet<Abstract> {
        let mut reached = from.clone();
        loop {
            let more = steps.iter().filter(|(_, source, _)| reached.contains(source));
            let more: Vec<Abstract> = more
                .map(|(_, _, target)| target.clone())
                .filter(|target| !reached.contains(target))
                .collect();
            if more.is_empty() {
                return reached;
            }
            reached.extend(more);
        }
    }

    /// What must steps reach.
    fn must(&self) -> BTreeSet<Abstract> {
        Self::closure(&self.must_plus, &self.initial)
    }

    /// What steps of the other kind reach, and then must steps.
    fn minus_plus(&self, initial: &BTreeSet<Abstract>) -> BTreeSet<Abstract> {
        Self::closure(&self.must_plus, &Self::closure(&self.must_minus, initial))
    }
}

/// The states that a round visits with these predicates, seen through them.
fn visited(program: &Program, start: &[State], predicates: &[Term]) -> BTreeSet<Abstract> {
    let mut precision = Precision::new(Identity::Normal);
    for &term in predicates {
        precision.add(program, Written::new(&program.terms, term), Scope::Everywhere);
    }
    let machine = Machine::new(program).expect("few inputs");
    let matching = Matching::Predicates(&precision);
    let round = search_once(&context(), &machine, start, matching, None, RoundSettings::default());
    let round = round.expect("no limits");
    let see = |visit| seen_through(machine.interpreter(), predicates, &round.state(visit));
    (0..round.n_visits()).map(see).collect()
}

#[test]
fn on_a_countdown_must_steps_find_one_label_and_the_search_both() {
    let model = model("var x: int = 0;\n[down] x >= 0 -> x := x - 1;\nprop p = x >= 0;\n");
    let program = &model.program;
    let states: Vec<State> = (-9..=9).map(|x| State([Value::int(x)].into())).collect();
    let is_inner = |state: &State| (-7..=7).any(|x| state.0[0] == Value::int(x));
    let predicates = [program.propositions["p"]];
    let found = Abstraction::new(program, &states, &predicates, &is_inner);
    let (high, low) = ((Vec::new(), vec![true]), (Vec::new(), vec![false]));
    assert_eq!(found.must_plus, BTreeSet::new());
    assert_eq!(found.must_minus, BTreeSet::from([(0, high.clone(), high.clone())]));
    assert_eq!(found.must(), BTreeSet::from([high.clone()]));
    assert_eq!(found.minus_plus(&found.initial), BTreeSet::from([high.clone()]));
    let start = State([Value::int(0)].into());
    assert_eq!(visited(program, &[start], &predicates), BTreeSet::from([high, low]));
}

#[test]
fn must_steps_lead_to_what_can_be_reached_and_the_search_sees_all_that_they_lead_to() {
    let (mut n_steps, mut n_backwards) = (0, 0);
    let run = random_cases(200, |rng| {
        let Some(case) = random_case(rng) else { return };
        let program = &case.program;
        let interpreter = Interpreter::new(program);
        let data: Vec<_> = program.variables()[1..].iter().map(|own| own.variable).collect();
        let atoms: BTreeSet<Term> = (0..rng.between(1, 3))
            .flat_map(|_| program.terms.atoms_of(random_atom(rng, &program.terms, &data)))
            .collect();
        let predicates: Vec<Term> = atoms.into_iter().collect();
        let states = &case.concrete.states;
        let found = Abstraction::new(program, states, &predicates, &|_| true);
        let see = |state: &State| seen_through(&interpreter, &predicates, state);
        let reachable: BTreeSet<Abstract> = case.reachable().into_iter().map(see).collect();
        let (initial, other): (Vec<&State>, Vec<&State>) =
            states.iter().partition(|state| interpreter.is_initial(state));
        // Steps backwards count from where all states are initial.
        let other: BTreeSet<Abstract> = other.into_iter().map(see).collect();
        let wholly: BTreeSet<Abstract> = found.initial.difference(&other).cloned().collect();
        let both_ways = found.minus_plus(&wholly);
        assert!(found.must().is_subset(&reachable));
        assert!(both_ways.is_subset(&reachable));
        let initial: Vec<State> = initial.into_iter().cloned().collect();
        assert!(found.must().is_subset(&visited(program, &initial, &predicates)));
        n_steps += found.must().len() - found.initial.len();
        n_backwards += Abstraction::closure(&found.must_minus, &wholly).len() - wholly.len();
    });
    run.enough(
        n_steps > 0 && n_backwards > 0,
        format_args!("{n_steps} by must steps, {n_backwards} backwards"),
    );
}
