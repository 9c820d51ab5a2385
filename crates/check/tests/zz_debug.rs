//! Debug.
use tertium_check::*;
use tertium_logic::*;
use tertium_support::*;
use tertium_testkit::*;
#[test]
fn debug() {
    let mut shown = 0;
    let mut smallest: Option<(usize, String)> = None;
    for seed in 0..6000u64 {
        let mut rng = Rng::seeded(seed);
        let system = random_system(&mut rng, SystemShape::gkmts(2));
        let shape = FormulaShape { depth: 3, propositions: vec!["p".into(), "q".into()], ..FormulaShape::default() };
        let formula = random_formula(&mut rng, &shape);
        let context = Context::default();
        let prepared = Prepared::new(&context, &system).unwrap();
        let fast = label(&context, &prepared, &formula, Semantics::Sis).unwrap();
        let slow = evaluate(&system, &formula);
        let via = evaluate(&system, &to_formula(&FormulaGraph::new(&formula)));
        if fast != slow {
            shown += 1;
            let text = format!("{formula}   PNF {}  fast {fast:?} slow {slow:?} via {}", to_formula(&FormulaGraph::new(&formula)), via == slow);
            if smallest.as_ref().is_none_or(|(n, _)| text.len() < *n) { smallest = Some((text.len(), text)); }
        }
    }
    println!("{shown} {smallest:?}");
}
