//! What is named to be settled, against the naive checker on systems that are built anew: every way that is told gives the answer that
//! is told, no smaller set is decisive, and where nothing is named there is nothing.

use tertium_check::{MOST_SETTLED, Semantics, Settled, check_naively, open_parts, settle};
use tertium_evidence::OpenPart;
use tertium_logic::Formula;
use tertium_support::Context;
use tertium_system::{Modality, PartialSystem, SystemBuilder};
use tertium_testkit::{FormulaShape, SystemShape, random_cases, random_formula, random_system};
use tertium_truth::{Belnap, Cause, Verdict};

/// The system with these parts settled, piece by piece.
fn rebuilt(system: &PartialSystem, parts: &[OpenPart], way: &[bool]) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(system.n_states());
    system.initial().iter().for_each(|&state| builder.initial(state));
    for name in system.actions().names() {
        builder.action(name);
    }
    let chosen = |part: OpenPart| parts.iter().position(|&own| own == part).map(|at| way[at]);
    for source in system.states() {
        for edge in system.edges(source) {
            let part = OpenPart::Step { source, action: edge.action, target: edge.other };
            match (edge.modality, chosen(part)) {
                (Modality::May, Some(false)) => {}
                (Modality::May, Some(true)) => builder.edge(source, edge.action, edge.other, Modality::Both),
                (modality, _) => builder.edge(source, edge.action, edge.other, modality),
            }
        }
        for (action, targets) in system.hyper_musts().of(source) {
            builder.hyper_must(source, action, targets.to_vec());
        }
    }
    for name in system.labels().names().names() {
        let proposition = builder.proposition(name, Belnap::Unknown);
        for state in system.states() {
            let value = system.labels().get(proposition, state);
            let value = match (value, chosen(OpenPart::Label { state, proposition })) {
                (Belnap::Unknown, Some(true)) => Belnap::True,
                (Belnap::Unknown, Some(false)) => Belnap::False,
                (value, _) => value,
            };
            builder.label(state, proposition, value);
        }
    }
    builder.build()
}

fn naive(system: &PartialSystem, formula: &Formula) -> Verdict {
    check_naively(&Context::default(), system, formula, Semantics::Sis).verdict
}

/// Whether the answer is definite whichever way the parts are settled.
fn is_decisive(system: &PartialSystem, formula: &Formula, parts: &[OpenPart]) -> bool {
    (0..1usize << parts.len()).all(|bits| {
        let way: Vec<bool> = (0..parts.len()).map(|at| bits >> at & 1 == 1).collect();
        matches!(naive(&rebuilt(system, parts, &way), formula), Verdict::True | Verdict::False)
    })
}

/// All sets of so many of the parts.
fn sets(parts: &[OpenPart], size: usize) -> Vec<Vec<OpenPart>> {
    match (size, parts) {
        (0, _) => vec![Vec::new()],
        (_, []) => Vec::new(),
        (_, [first, rest @ ..]) => {
            let mut all = sets(rest, size - 1);
            all.iter_mut().for_each(|set| set.insert(0, *first));
            all.extend(sets(rest, size));
            all
        }
    }
}

#[test]
fn what_is_named_decides_and_nothing_smaller_does() {
    let shape = FormulaShape { propositions: vec!["p".into(), "q".into()], ..FormulaShape::default() };
    let (mut n_named, mut n_none) = (0, 0);
    let run = random_cases(3000, |rng| {
        let states = rng.between(1, 4);
        let family = rng.pick(&[SystemShape::kmts, SystemShape::mixed, SystemShape::gkmts])(states);
        let system = random_system(rng, family);
        let formula = random_formula(rng, &shape);
        if naive(&system, &formula) != Verdict::Unknown(Cause::Imprecise) {
            return;
        }
        let parts = open_parts(&system, &formula);
        if parts.len() > 9 {
            return;
        }
        let settled = settle(&Context::default(), &system, &formula, Semantics::Sis).expect("no limit");
        let smaller = match &settled {
            Settled::By(settling) => {
                n_named += 1;
                assert!(settling.parts.iter().all(|part| parts.contains(part)), "{settling:?}");
                assert_eq!(settling.ways.len(), 1 << settling.parts.len(), "{settling:?}");
                for (way, verdict) in &settling.ways {
                    let copy = rebuilt(&system, &settling.parts, way);
                    assert_eq!(naive(&copy, &formula), *verdict, "{formula} {settling:?}\n{system:?}");
                }
                settling.parts.len() - 1
            }
            Settled::Nothing { all } => {
                n_none += 1;
                assert!(all, "so few can all be tried");
                MOST_SETTLED
            }
        };
        for size in 1..=smaller {
            for set in sets(&parts, size) {
                assert!(
                    !is_decisive(&system, &formula, &set),
                    "{set:?} of {settled:?}\n{formula}\n{system:?}"
                );
            }
        }
    });
    run.enough(n_named >= run.share(200) && n_none >= run.share(20), (n_named, n_none));
}
