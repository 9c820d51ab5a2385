//! The fast checker with ranks against the slow twin, and laws of ranks.

use super::{ask, random_ranks, twin};
use std::sync::Arc;
use tertium_check::evaluate;
use tertium_evidence::Evidence;
use tertium_logic::{Formula, FormulaGraph, parse};
use tertium_support::{Rng, Source};
use tertium_system::{PartialSystem, RankedSteps};
use tertium_testkit::{FormulaShape, SystemShape, long_random_cases, random_formula, random_system};
use tertium_truth::Belnap;

const PATTERNS: [&str; 16] = [
    "AF p",
    "EF p",
    "AG AF p",
    "AG EF p",
    "AG (q => AF p)",
    "A[q U p]",
    "E[q U p]",
    "AF AG p",
    "mu X. [a]X && (p || <b>X)",
    "nu X. mu Y. (p && <>X) || <>Y",
    "nu X. mu Y. (p && []X) || []Y",
    "mu X. nu Y. (q || []X) && []Y",
    "mu X. nu Y. mu Z. (<a>X || q) && ([b]Y || p || <>Z)",
    "mu X. nu Y. mu Z. <>X || ([a]Y && [b]Z)",
    "nu X. mu Y. (p || <a>X) && ([b]Y || <>X)",
    "nu X. mu Y. nu Z. (p && [a]X) || (q && <b>Y) || (<a>Z && [b]Z)",
];

pub(crate) fn random_question(rng: &mut Rng) -> (PartialSystem, Formula, RankedSteps) {
    let states = rng.between(1, 5);
    let family = *rng.pick(&[SystemShape::kmts, SystemShape::mixed, SystemShape::gkmts]);
    let shape = SystemShape { degree: 1.4, ..family(states) };
    let system = random_system(rng, shape);
    let formula = if rng.chance(0.7) {
        parse(&Source::new("f", *rng.pick(&PATTERNS))).expect("a formula")
    } else {
        let propositions = vec!["p".into(), "q".into()];
        random_formula(rng, &FormulaShape { propositions, depth: 4, ..FormulaShape::default() })
    };
    let n = rng.between(1, 3);
    let ranks = random_ranks(rng, &system, n);
    (system, formula, ranks)
}

#[test]
fn the_fast_checker_with_ranks_agrees_with_the_slow_twin() {
    let (mut compared, mut left_out, mut proved, mut refuted, mut alternating) = (0, 0, 0, 0, 0);
    let run = long_random_cases(30_000, |rng| {
        let (system, formula, ranks) = random_question(rng);
        let &[state] = system.initial() else { return };
        let plain = evaluate(&system, &formula).at(state);
        let ranks = Arc::new(ranks);
        let outcome = ask(&system, &ranks, &formula);
        let found = outcome.values[0].1;
        if plain != Belnap::Unknown {
            assert_eq!(found, plain, "{formula}\n{system:?}");
            return;
        }
        let graph = FormulaGraph::new(&formula);
        let expected = match twin::wins(&system, &ranks, &graph, state) {
            Some(true) => Belnap::True,
            Some(false) => match twin::wins(&system, &ranks, &graph.dual(), state) {
                Some(true) => Belnap::False,
                Some(false) => Belnap::Unknown,
                None => {
                    left_out += 1;
                    return;
                }
            },
            None => {
                left_out += 1;
                return;
            }
        };
        assert_eq!(found, expected, "{formula}\n{system:?}\n{ranks:?}");
        compared += 1;
        proved += usize::from(found == Belnap::True);
        refuted += usize::from(found == Belnap::False);
        alternating += usize::from(found != Belnap::Unknown && graph.alternation_depth() > 1);
        if let Some(Evidence::Proof(strategy) | Evidence::Refutation(strategy)) = &outcome.evidence {
            assert!(strategy.ranking().is_some(), "without ranks it was open");
        }
    });
    let counts = (compared, left_out, proved, refuted, alternating);
    let enough = compared >= run.share(2000) && proved.min(refuted) >= run.share(200);
    run.enough(enough && alternating >= run.share(50) && left_out * 10 < compared, counts);
}
