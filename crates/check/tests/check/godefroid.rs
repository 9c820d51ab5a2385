//! Predicate abstractions of a one-statement program, built by relational abstraction, and the verdicts that each
//! of them reaches [GHJ01, Examples 1 and 2].
//!
//! The program has integers x, y, z and the statement `x = z`; the predicates are φ1: x is odd, φ2: y > 0, φ3: z < 0.
//! Here x and z range over −2..1 and y over 0..1: one value for every parity and sign, and the statement stays inside.
//! The abstractions depend on these only, so they are the ones over all integers.
//!
//! | name | states | transitions |
//! |---|---|---|
//! | B | bit vectors | relational abstraction of the program |
//! | C literal | vectors over 0, 1, * | relational abstraction of the program |
//! | C' | vectors over 0, 1, * | relational abstraction of B |
//! | C reduced | as C literal | musts into most precise targets only; mays into those and into bit vectors |
//! | C mixed | as C literal | the same musts; mays into bit vectors only, so that some musts are no mays |
//!
//! Three of them are stored as tasks in `tests/tasks/pts/predicates`; `TERTIUM_BLESS=1` rewrites the stored systems.

use std::path::Path;
use tertium_check::{Prepared, Semantics, evaluate, label};
use tertium_logic::parse;
use tertium_support::{Context, Id, Source};
use tertium_system::format::print_pts;
use tertium_system::relation::{Relation, abstract_by, check_refinement, greatest_refinement};
use tertium_system::{ActionId, Family, Modality, PartialSystem, StateId, SystemBuilder, UNLABELLED};
use tertium_truth::{Belnap, Kleene, TriVector};

/// The values of φ1, φ2, φ3 at a concrete state.
type Bits = [bool; 3];

const STEP: ActionId = ActionId::from_raw(0);

/// The program, and the bits of each of its states.
fn program() -> (PartialSystem, Vec<Bits>) {
    let values = || (-2..=1).flat_map(|x| (0..=1).flat_map(move |y| (-2..=1).map(move |z| (x, y, z))));
    let bits = |(x, y, z): (i32, i32, i32)| [x.rem_euclid(2) == 1, y > 0, z < 0];
    let mut builder = SystemBuilder::named();
    let step = builder.action(UNLABELLED);
    let propositions: Vec<_> =
        ["phi1", "phi2", "phi3"].iter().map(|name| builder.proposition(name, Belnap::Unknown)).collect();
    for point in values() {
        let state = builder.state(&format!("{point:?}"));
        for (&prop, bit) in propositions.iter().zip(bits(point)) {
            builder.label(state, prop, bit.into());
        }
        if bits(point) == [true; 3] {
            builder.initial(state);
        }
    }
    for (x, y, z) in values() {
        let find = |point: (i32, i32, i32)| builder.find_state(&format!("{point:?}")).expect("in range");
        let (source, target) = (find((x, y, z)), find((z, y, z)));
        builder.edge(source, step, target, Modality::Both);
    }
    (builder.build(), values().map(bits).collect())
}

/// All vectors over the chosen predicates: with `*` if `components` has it.
fn vectors(length: usize, components: &[Kleene]) -> Vec<TriVector> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        all = all
            .into_iter()
            .flat_map(|prefix: Vec<Kleene>| {
                components.iter().map(move |&component| [&prefix[..], &[component]].concat())
            })
            .collect();
    }
    all.into_iter().map(TriVector::new).collect()
}

const BITS: [Kleene; 2] = [Kleene::False, Kleene::True];
const TRITS: [Kleene; 3] = [Kleene::False, Kleene::True, Kleene::Unknown];

fn names(vectors: &[TriVector]) -> Vec<String> {
    vectors.iter().map(TriVector::to_string).collect()
}

/// The abstraction of the program by vectors over the predicates with these indices.
fn abstraction(predicates: &[usize], components: &[Kleene]) -> (PartialSystem, Vec<TriVector>) {
    let (program, bits) = program();
    let vectors = vectors(predicates.len(), components);
    let satisfies = |bits: &Bits, vector: &TriVector| {
        vector.contains(&predicates.iter().map(|&index| bits[index]).collect::<Vec<_>>())
    };
    let mut relation = Relation::empty(program.n_states(), vectors.len());
    for (s, bits) in bits.iter().enumerate() {
        for (c, _) in vectors.iter().enumerate().filter(|(_, vector)| satisfies(bits, vector)) {
            relation.insert(StateId::new(s), StateId::new(c));
        }
    }
    (abstract_by(&program, &names(&vectors), &relation).expect("every vector is satisfiable"), vectors)
}

fn b() -> PartialSystem {
    abstraction(&[0, 1, 2], &BITS).0
}

fn literal() -> PartialSystem {
    abstraction(&[0, 1, 2], &TRITS).0
}

/// The two-step abstraction: B by vectors.
fn two_step() -> PartialSystem {
    let (b, monomials) = abstraction(&[0, 1, 2], &BITS);
    let vectors = vectors(3, &TRITS);
    let mut relation = Relation::empty(monomials.len(), vectors.len());
    for (left, monomial) in monomials.iter().enumerate() {
        for (right, _) in vectors.iter().enumerate().filter(|(_, vector)| vector.info_le(monomial)) {
            relation.insert(StateId::new(left), StateId::new(right));
        }
    }
    abstract_by(&b, &names(&vectors), &relation).expect("every vector is satisfiable")
}

/// The states and labels of C, and some of its transitions: the argument gets the vectors, the must targets of the
/// source, and the target of a may; it says whether to keep a may and a must there. Initial is 111 alone.
fn selection(keep: impl Fn(&[TriVector], &[StateId], StateId) -> (bool, bool)) -> PartialSystem {
    let (literal, vectors) = abstraction(&[0, 1, 2], &TRITS);
    let mut builder = SystemBuilder::named();
    literal.states().for_each(|state| {
        builder.state(&literal.state_name(state));
    });
    let step = builder.action(UNLABELLED);
    for (prop, name) in literal.labels().names().ids().zip(literal.labels().names().names()) {
        let new = builder.proposition(name, Belnap::Unknown);
        literal.states().for_each(|state| builder.label(state, new, literal.labels().get(prop, state)));
    }
    for source in literal.states() {
        let musts: Vec<StateId> = literal.must(source).map(|(_, target)| target).collect();
        for (_, target) in literal.may(source) {
            let (may, must) = keep(&vectors, &musts, target);
            if may {
                builder.edge(source, step, target, Modality::May);
            }
            if must {
                builder.edge(source, step, target, Modality::Must);
            }
        }
    }
    builder.initial(literal.state_named("111").expect("a vector"));
    builder.build()
}

fn is_full(vector: &TriVector) -> bool {
    vector.components().iter().all(|&component| component != Kleene::Unknown)
}

fn reduced() -> PartialSystem {
    selection(|vectors, musts, target| {
        let vector = &vectors[target.index()];
        let finer = |&other: &StateId| other != target && vector.info_le(&vectors[other.index()]);
        let most_precise = musts.contains(&target) && !musts.iter().any(finer);
        (is_full(vector) || most_precise, most_precise)
    })
}

fn mixed() -> PartialSystem {
    selection(|vectors, musts, target| (is_full(&vectors[target.index()]), musts.contains(&target)))
}

/// States, mays and musts.
fn counts(system: &PartialSystem) -> (usize, usize, usize) {
    assert!(system.hyper_musts().is_empty());
    let sum = |count: &dyn Fn(StateId) -> usize| system.states().map(count).sum();
    (system.n_states(), sum(&|s| system.may(s).count()), sum(&|s| system.must(s).count()))
}

/// The names of targets from a state, sorted.
fn targets<'a>(
    system: &'a PartialSystem,
    name: &str,
    steps: impl Fn(StateId) -> Vec<(ActionId, StateId)> + 'a,
) -> Vec<String> {
    let source = system.state_named(name).expect("a vector");
    let mut found: Vec<String> = steps(source)
        .into_iter()
        .map(|(action, target)| {
            assert_eq!(action, STEP);
            system.state_name(target).into_owned()
        })
        .collect();
    found.sort();
    found
}

fn mays(system: &PartialSystem, name: &str) -> Vec<String> {
    targets(system, name, |state| system.may(state).collect())
}

fn musts(system: &PartialSystem, name: &str) -> Vec<String> {
    targets(system, name, |state| system.must(state).collect())
}

#[test]
fn the_abstractions_have_the_published_sizes() {
    assert_eq!(counts(&b()), (8, 16, 0));
    assert_eq!(counts(&abstraction(&[1, 2], &BITS).0), (4, 4, 4));
    assert_eq!(counts(&literal()), (27, 441, 75));
    assert_eq!(counts(&abstraction(&[1, 2], &TRITS).0), (9, 49, 25));
    assert_eq!(counts(&two_step()), (27, 441, 0));
    assert_eq!(counts(&reduced()), (27, 123, 27));
    // Not published: the mays into bit vectors (123 less the 27 above), and all musts of the literal system.
    assert_eq!(counts(&mixed()), (27, 96, 75));
}

#[test]
fn the_state_111_has_the_published_successors() {
    assert_eq!(mays(&b(), "111"), ["011", "111"]);
    assert_eq!(musts(&b(), "111"), [""; 0]);
    let literal = literal();
    assert_eq!(musts(&literal, "111"), ["***", "**1", "*1*", "*11"]);
    let any = ["*", "0", "1"]
        .into_iter()
        .flat_map(|first| ["**", "*1", "1*", "11"].map(|rest| format!("{first}{rest}")));
    assert_eq!(mays(&literal, "111"), any.collect::<Vec<_>>());
    assert_eq!(mays(&reduced(), "111"), ["*11", "011", "111"]);
    assert_eq!(musts(&reduced(), "111"), ["*11"]);
    assert_eq!(musts(&two_step(), "111"), [""; 0]);
    let two = abstraction(&[1, 2], &BITS).0;
    for state in ["00", "01", "10", "11"] {
        assert_eq!((mays(&two, state), musts(&two, state)), (vec![state.to_owned()], vec![state.to_owned()]));
    }
}

/// The rows of the table: formulas, and the values at 111 in B, C literal, C', C reduced, C mixed.
const TABLE: [(&str, &str); 10] = [
    ("EX phi2", "mtmtt"),
    ("AX phi2", "tmmtt"),
    ("EX !phi2", "fmmff"),
    ("EX true", "mtmtt"),
    ("EX (phi2 && phi3)", "mtmtt"),
    ("nu Z. phi2 && EX Z", "mtmtt"),
    ("nu Z. phi2 && AX Z", "tmmtt"),
    ("EX phi1", "mmmmm"),
    ("AX phi1", "mmmmm"),
    ("EX (phi1 || !phi1)", "mmmmm"),
];

#[test]
fn the_verdicts_at_111_are_those_of_the_table() {
    let context = Context::default();
    let systems = [
        ("B", b()),
        ("C literal", literal()),
        ("C'", two_step()),
        ("C reduced", reduced()),
        ("C mixed", mixed()),
    ];
    for (column, (name, system)) in systems.iter().enumerate() {
        let prepared = Prepared::new(&context, system).expect("no limit");
        let state = system.state_named("111").expect("a vector");
        for (text, row) in TABLE {
            let expected = match row.as_bytes()[column] {
                b't' => Belnap::True,
                b'f' => Belnap::False,
                _ => Belnap::Unknown,
            };
            let formula = parse(&Source::new("table", text)).expect("a formula");
            assert_eq!(evaluate(system, &formula).at(state), expected, "{text} in {name}, naive");
            let fast = label(&context, &prepared, &formula, Semantics::Sis).expect("no limit");
            assert_eq!(fast.at(state), expected, "{text} in {name}, fast");
        }
    }
}

/// Restriction of vectors over φ1, φ2, φ3 to φ2, φ3.
fn restriction(fine: &[TriVector], coarse: &[TriVector]) -> Relation {
    let mut relation = Relation::empty(fine.len(), coarse.len());
    for (left, vector) in fine.iter().enumerate() {
        let rest = TriVector::new(vector.components()[1..].to_vec());
        let right = coarse.iter().position(|other| *other == rest).expect("all vectors are there");
        relation.insert(StateId::new(left), StateId::new(right));
    }
    relation
}

/// The same system without labels: the logic of the source has none.
fn unlabelled(system: &PartialSystem) -> PartialSystem {
    let mut builder = SystemBuilder::named();
    system.states().for_each(|state| {
        builder.state(&system.state_name(state));
    });
    let step = builder.action(UNLABELLED);
    system.initial().iter().for_each(|&state| builder.initial(state));
    for state in system.states() {
        system.may(state).for_each(|(_, target)| builder.edge(state, step, target, Modality::May));
        system.must(state).for_each(|(_, target)| builder.edge(state, step, target, Modality::Must));
    }
    builder.build()
}

#[test]
fn more_predicates_refine_the_cartesian_abstraction() {
    let ((three, fine), (two, coarse)) = (abstraction(&[0, 1, 2], &TRITS), abstraction(&[1, 2], &TRITS));
    let relation = restriction(&fine, &coarse);
    assert_eq!(relation.count(), 27);
    assert_eq!(check_refinement(&three, &two, &relation), Ok(()));
}

#[test]
fn more_predicates_do_not_refine_the_boolean_abstraction_even_without_labels() {
    let context = Context::default();
    let ((three, fine), (two, coarse)) = (abstraction(&[0, 1, 2], &BITS), abstraction(&[1, 2], &BITS));
    let (three, two) = (unlabelled(&three), unlabelled(&two));
    assert!(check_refinement(&three, &two, &restriction(&fine, &coarse)).is_err());
    assert!(greatest_refinement(&context, &three, &two).expect("no limit").is_empty());
}

#[test]
fn the_stored_tasks_are_these_systems() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tasks/pts/predicates");
    for (file, name, family, system) in [
        ("boolean.pts", "B", Family::Kmts, b()),
        ("cartesian_reduced.pts", "C_reduced", Family::Kmts, reduced()),
        ("cartesian_mixed.pts", "C_mixed", Family::MixTs, mixed()),
    ] {
        let text = print_pts(&system, Some(name), Some(family)).expect("it can be printed");
        let path = folder.join(file);
        if std::env::var_os("TERTIUM_BLESS").is_some() {
            std::fs::write(&path, &text).expect("the tasks can be written");
        }
        assert_eq!(std::fs::read_to_string(&path).expect("the task is stored"), text, "{}", path.display());
    }
}
