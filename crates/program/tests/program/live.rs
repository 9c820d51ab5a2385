//! Live variables: against the equations that define them, and in small programs.

use std::collections::BTreeSet;
use tertium_expr::{BigInt, Term, Terms, Value, Variable};
use tertium_program::{Domain, LiveVariables, LocId, Program, Role, Statement};
use tertium_support::{Id, Rng, Span};
use tertium_testkit::random_cases;

/// A program with one counter of four locations, 0 to 3, and three integers.
struct Small {
    program: Program,
    pc: Variable,
    data: [Variable; 3],
}

/// A command, as this test makes them.
struct Move {
    from: usize,
    to: usize,
    /// The guard asks for the value of this one.
    asked: Option<usize>,
    /// The first becomes one more than the second, or 0.
    assigned: Option<(usize, Option<usize>)>,
}

impl Small {
    fn new(moves: &[Move]) -> Self {
        let mut program = Program::new(Terms::new());
        let last = BigInt::from(3);
        program.add_variable("pc", Domain::Range(BigInt::from(0), last), Role::Control, Span::default());
        for name in ["x", "y", "z"] {
            program.add_variable(name, Domain::Int, Role::Data, Span::default());
        }
        let [pc, x, y, z] = [0, 1, 2, 3].map(|n| program.variables()[n].variable);
        let mut small = Self { program, pc, data: [x, y, z] };
        for own in moves {
            let command = small.command(own);
            small.program.add_command("a", command, Span::default());
        }
        small
    }

    fn command(&self, own: &Move) -> Statement {
        let terms = &self.program.terms;
        let number = |n: usize| terms.integer(n as i32);
        let here = terms.equal(terms.variable(self.pc), number(own.from));
        let asked = own.asked.map(|asked| self.positive(asked));
        let mut updates = vec![(self.pc, number(own.to))];
        updates.extend(own.assigned.map(|(to, from)| {
            let value = from.map_or(terms.integer(0), |from| {
                terms.sum([terms.variable(self.data[from]), terms.integer(1)])
            });
            (self.data[to], value)
        }));
        Statement::guarded(terms.and([here].into_iter().chain(asked)), Statement::Assign(updates))
    }

    fn positive(&self, data: usize) -> Term {
        let terms = &self.program.terms;
        terms.less(terms.integer(0), terms.variable(self.data[data]))
    }

    /// Where a predicate about this variable counts; nothing for everywhere.
    fn counts(&self, data: usize, read: &[Term]) -> Option<Vec<usize>> {
        let live = LiveVariables::new(&self.program, read.iter().copied());
        let locations = live.locations(&self.program, self.positive(data));
        (locations != [LocId::ANYWHERE]).then(|| locations.iter().map(|own| own.index() - 1).collect())
    }
}

/// The locations where each variable is live, as the least solution of the equations of the definition.
fn by_definition(moves: &[Move]) -> [BTreeSet<usize>; 3] {
    let mut live: [BTreeSet<usize>; 3] = Default::default();
    loop {
        let before = live.clone();
        for own in moves {
            for variable in 0..3 {
                let assigned = own.assigned.is_some_and(|(to, _)| to == variable);
                let flows_on = own
                    .assigned
                    .is_some_and(|(to, from)| from == Some(variable) && before[to].contains(&own.to));
                let stays = !assigned && before[variable].contains(&own.to);
                if own.asked == Some(variable) || flows_on || stays {
                    live[variable].insert(own.from);
                }
            }
        }
        if live == before {
            return live;
        }
    }
}

fn random_move(rng: &mut Rng) -> Move {
    Move {
        from: rng.below(4),
        to: rng.below(4),
        asked: rng.chance(0.3).then(|| rng.below(3)),
        assigned: rng.chance(0.6).then(|| (rng.below(3), rng.chance(0.5).then(|| rng.below(3)))),
    }
}

#[test]
fn live_variables_solve_the_equations_of_their_definition() {
    let (mut n_local, mut n_global) = (0, 0);
    let run = random_cases(300, |rng| {
        let moves: Vec<Move> = (0..rng.below(8) + 1).map(|_| random_move(rng)).collect();
        let small = Small::new(&moves);
        let right = by_definition(&moves);
        for (data, right) in right.iter().enumerate() {
            let expected = (!right.is_empty() && right.len() < 4).then(|| right.iter().copied().collect());
            assert_eq!(small.counts(data, &[]), expected);
            n_local += usize::from(expected.is_some());
            n_global += usize::from(expected.is_none());
            // What is read everywhere is live everywhere.
            assert_eq!(small.counts(data, &[small.positive(data)]), None);
        }
    });
    run.enough(n_local > 100 && n_global > 100, format_args!("{n_local}, {n_global}"));
}

#[test]
fn a_variable_is_live_from_its_assignment_to_its_last_use() {
    let go = |from, to, asked, assigned| Move { from, to, asked, assigned };
    // x is set on the way to 1, copied to y on the way to 2, and y is asked there; z is copied to nobody's use.
    let moves = [
        go(0, 1, None, Some((0, None))),
        go(1, 2, None, Some((1, Some(0)))),
        go(2, 3, Some(1), Some((2, Some(2)))),
    ];
    let small = Small::new(&moves);
    assert_eq!(small.counts(0, &[]), Some(vec![1]));
    assert_eq!(small.counts(1, &[]), Some(vec![2]));
    assert_eq!(small.counts(2, &[]), None, "it is live nowhere, so nothing is known of where it matters");
    let live = LiveVariables::new(&small.program, []);
    let at = |n: i32| live.location(&small.program, &[Value::int(n)], small.positive(0)).index();
    assert_eq!([at(0), at(1), at(3)], [1, 2, 4], "the location of its counter, live or not");
    let pc = small.program.terms.variable(small.pc);
    let control = small.program.terms.equal(pc, small.program.terms.integer(1));
    assert_eq!(live.location(&small.program, &[Value::int(1)], control), LocId::ANYWHERE);
}

#[test]
fn what_others_read_or_whose_counter_they_move_matters_everywhere() {
    let moves = [
        Move { from: 0, to: 1, asked: None, assigned: Some((0, None)) },
        Move { from: 1, to: 2, asked: Some(0), assigned: None },
    ];
    let alone = Small::new(&moves);
    assert_eq!(alone.counts(0, &[]), Some(vec![1]));
    let anywhere = |update: &dyn Fn(&Small) -> Statement| {
        let mut small = Small::new(&moves);
        let command = update(&small);
        small.program.add_command("other", command, Span::default());
        small.counts(0, &[])
    };
    let reads = |small: &Small| Statement::Assume(small.positive(0));
    assert_eq!(anywhere(&reads), None, "a command of no counter reads it");
    let moves_on = |small: &Small| Statement::Assign(vec![(small.pc, small.program.terms.integer(1))]);
    assert_eq!(anywhere(&moves_on), None, "a command of no counter moves the counter");
    let neither = |small: &Small| Statement::Assign(vec![(small.data[2], small.program.terms.integer(1))]);
    assert_eq!(anywhere(&neither), Some(vec![1]));
}

#[test]
fn a_location_is_found_by_its_condition() {
    let small = Small::new(&[Move { from: 0, to: 1, asked: None, assigned: None }]);
    let (program, locations) = (&small.program, small.program.locations());
    assert_eq!(locations.condition(program, LocId::ANYWHERE), program.terms.boolean(true));
    for n in 0..4 {
        let found = locations.find(program, Id::new(0), &Value::int(n)).expect("it is a location");
        let here = program.terms.equal(program.terms.variable(small.pc), program.terms.integer(n));
        assert_eq!(locations.condition(program, found), here);
    }
    assert_eq!(locations.find(program, Id::new(0), &Value::int(4)), None);
    assert_eq!(locations.find(program, Id::new(1), &Value::int(0)), None);
}
