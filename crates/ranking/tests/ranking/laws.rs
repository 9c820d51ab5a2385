//! Random graphs of hops over few values: what a rank is said to do, and that nothing goes on for ever, against enumeration.

use crate::Names;
use tertium_expr::{Terms, Value, evaluate};
use tertium_ranking::{Change, Hop, Settings, judge, rank};
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, Rng};
use tertium_testkit::long_random_cases;

/// All values of both variables.
const BOX: std::ops::RangeInclusive<i64> = -3..=3;

type State = (usize, i64, i64);

/// From -2 to 2.
fn small(rng: &mut Rng) -> i64 {
    *rng.pick(&[-2, -1, 0, 1, 2])
}

/// A number over x and y.
fn number(rng: &mut Rng) -> String {
    let mut by = || small(rng);
    format!("{} * x + {} * y + {}", by(), by(), by())
}

fn comparison(rng: &mut Rng) -> String {
    let sign = *rng.pick(&["<=", "<", "=", "!=", ">", ">="]);
    format!("{} {sign} {}", number(rng), small(rng))
}

fn value(rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => format!("({}) ? {} : {}", comparison(rng), number(rng), number(rng)),
        1 => format!("({}) / 2", number(rng)),
        2 => format!("({}) mod 3", number(rng)),
        3 | 4 => format!("x - {}", rng.below(3)),
        _ => format!("y + {}", rng.pick(&[-1, 0, 1])),
    }
}

/// A hop that stays in the box.
fn hop(rng: &mut Rng, names: &Names<'_>, n_nodes: usize) -> Hop {
    let guard = match rng.below(3) {
        0 => comparison(rng),
        1 => format!("{} && {}", comparison(rng), comparison(rng)),
        _ => format!("({} || {})", comparison(rng), comparison(rng)),
    };
    let text = format!(
        "{guard} && x >= -3 && x <= 3 && y >= -3 && y <= 3; x := {}; y := {}",
        value(rng),
        value(rng)
    );
    let mut hop = names.hop(rng.below(n_nodes), rng.below(n_nodes), &text, &[]);
    hop.relation = hop.relation.into(names.terms, names.read("x >= -3 && x <= 3 && y >= -3 && y <= 3"));
    hop
}

/// Where a hop leads from a state.
fn follow(names: &Names<'_>, hop: &Hop, (node, x, y): State) -> Option<State> {
    let known = [(names.known["x"], x), (names.known["y"], y)];
    let value = |term| {
        let of = |variable| known.iter().find(|own| own.0 == variable).map(|own| Value::Int(own.1.into()));
        evaluate(names.terms, term, &of).expect("both variables have values")
    };
    let is_taken =
        node == hop.source && hop.relation.given.iter().all(|&part| value(part).as_bool() == Some(true));
    let after = |name: &str| {
        let variable = names.known[name];
        let term = names.terms.variable(variable);
        integer(&value(hop.relation.after(names.terms, term)))
    };
    is_taken.then(|| (hop.target, after("x"), after("y")))
}

fn integer(value: &Value) -> i64 {
    match value {
        Value::Int(number) => number.to_string().parse().expect("it is small"),
        other => panic!("{other:?} is no number"),
    }
}

fn states(n_nodes: usize) -> Vec<State> {
    let all = (0..n_nodes).flat_map(|node| BOX.flat_map(move |x| BOX.map(move |y| (node, x, y))));
    all.collect()
}

/// Whether some run never ends: states without successor are taken away until none is left.
fn goes_on(names: &Names<'_>, hops: &[Hop], n_nodes: usize) -> bool {
    let mut alive = states(n_nodes);
    loop {
        let has_next = |state: &State| {
            hops.iter().any(|hop| follow(names, hop, *state).is_some_and(|next| alive.contains(&next)))
        };
        let next: Vec<State> = alive.iter().copied().filter(has_next).collect();
        if next.len() == alive.len() {
            return !alive.is_empty();
        }
        alive = next;
    }
}

#[test]
fn what_is_ranked_ends() {
    let (mut ranked, mut ends) = (0, 0);
    let run = long_random_cases(3000, |rng| {
        let terms = Terms::new();
        let names = Names::new(&terms, &["x", "y"]);
        let n_nodes = rng.between(1, 2);
        let hops: Vec<Hop> = (0..rng.between(1, 3)).map(|_| hop(rng, &names, n_nodes)).collect();
        let measures = vec![names.measures(); n_nodes];
        let mut prover = Prover::new(Z3::new());
        let ranking = rank(&Context::default(), &terms, &mut prover, &hops, &measures, &Settings::default());
        let ranking = ranking.expect("there is no limit");
        let ever = goes_on(&names, &hops, n_nodes);
        assert!(!(ever && ranking.left.is_empty()), "a run goes on for ever: {hops:?} {ranking:?}");
        ranked += usize::from(ranking.left.is_empty());
        ends += usize::from(!ever);
    });
    run.enough(2 * ranked >= ends, (ranked, ends));
}

#[test]
fn what_a_rank_does_is_what_it_does_on_all_steps() {
    let mut seen = [0; 3];
    let run = long_random_cases(2000, |rng| {
        let terms = Terms::new();
        let names = Names::new(&terms, &["x", "y"]);
        let own = hop(rng, &names, 1);
        let before = names.read(&number(rng));
        let after = if rng.chance(0.5) { before } else { names.read(&number(rng)) };
        let mut prover = Prover::new(Z3::new());
        let said = judge(&Context::default(), &terms, &mut prover, &own.relation, before, after);
        let value = |term, (_, x, y): State| {
            let of = |variable| Some(Value::Int(if variable == names.known["x"] { x } else { y }.into()));
            integer(&evaluate(&terms, term, &of).expect("both variables have values"))
        };
        let steps: Vec<(i64, i64)> = states(1)
            .into_iter()
            .filter_map(|state| Some((value(before, state), value(after, follow(&names, &own, state)?))))
            .collect();
        let is = if steps.iter().any(|(before, after)| after > before) {
            Change::MayGrow
        } else if steps.iter().all(|&(before, after)| after < before && before >= 0) {
            Change::Falls
        } else {
            Change::DoesNotGrow
        };
        assert_eq!(said, Ok(is), "{own:?} {steps:?}");
        seen[is as usize] += 1;
    });
    run.enough(seen.iter().all(|&n| n > 0), seen);
}
