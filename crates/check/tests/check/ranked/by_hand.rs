//! Small systems whose answers can be seen.

use super::ask;
use std::sync::Arc;
use tertium_check::{Prepared, Semantics, Side, check_strategy, open_lasso, relied_on};
use tertium_evidence::{Evidence, Ranking, Strategy};
use tertium_logic::{Formula, parse};
use tertium_support::{Context, Id, Source};
use tertium_system::{ActionId, Modality, PartialSystem, RankedSteps, StateId, Step, SystemBuilder};
use tertium_truth::{Belnap, Cause, Verdict};

pub(super) fn formula(text: &str) -> Formula {
    parse(&Source::new("f", text)).expect("a formula")
}

/// A system with one action, state 0 initial, `done` at the last state, which has no step on.
pub(super) fn system(states: usize, steps: &[(usize, usize, Modality)]) -> PartialSystem {
    let mut builder = SystemBuilder::numbered(states);
    let action = builder.action("a");
    let done = builder.proposition("done", Belnap::False);
    builder.initial(StateId::new(0));
    for &(from, to, modality) in steps {
        builder.edge(StateId::new(from), action, StateId::new(to), modality);
    }
    builder.label(StateId::new(states - 1), done, Belnap::True);
    builder.build()
}

pub(super) fn step(from: usize, to: usize) -> Step {
    (StateId::new(from), ActionId::new(0), StateId::new(to))
}

fn ranks(names: &[&str], changes: &[(usize, usize, u64, u64)]) -> Arc<RankedSteps> {
    let mut ranks = RankedSteps::new(names.iter().map(|name| (*name).to_owned()).collect());
    for &(from, to, falls, may_grow) in changes {
        let (source, action, target) = step(from, to);
        ranks.set(source, action, target, falls, may_grow);
    }
    Arc::new(ranks)
}

use Modality::{Both, May};

/// `while x > 0 { x := x - 1 }`: round at 0 until done at 1.
fn countdown() -> PartialSystem {
    system(2, &[(0, 0, May), (0, 1, May)])
}

#[test]
fn a_loop_stops_if_a_rank_falls_on_it() {
    let system = countdown();
    let falling = ranks(&["x"], &[(0, 0, 1, 0)]);
    for text in ["AF done", "mu X. done || []X", "A[!done U done]"] {
        assert_eq!(ask(&system, &falling, &formula(text)).verdict, Verdict::True, "{text}");
    }
    assert_eq!(ask(&system, &falling, &formula("EG !done")).verdict, Verdict::False);
    let open = Verdict::Unknown(Cause::Imprecise);
    for useless in [ranks(&["x"], &[(0, 0, 0, 0)]), ranks(&["x"], &[(0, 0, 0, 1)]), ranks(&["x"], &[])] {
        assert_eq!(ask(&system, &useless, &formula("AF done")).verdict, open);
    }
    // That a run stops does not mean that there is a step.
    assert_eq!(ask(&system, &falling, &formula("EF done")).verdict, open);
}

/// Two loops: from the head 0 into the inner one at 1, which goes round and comes back; done at 2. Rank 0 falls on the way in and
/// rank 1, which falls on the way round, may grow there.
fn nested_loops() -> PartialSystem {
    system(3, &[(0, 1, May), (1, 1, May), (1, 0, May), (0, 2, May)])
}

const NESTED: [(usize, usize, u64, u64); 4] =
    [(0, 1, 0b01, 0b10), (1, 1, 0b10, 0), (1, 0, 0, 0), (0, 2, 0, 0)];

pub(super) fn proof(system: &PartialSystem, ranks: &Arc<RankedSteps>, text: &str) -> Strategy {
    match ask(system, ranks, &formula(text)).evidence {
        Some(Evidence::Proof(proof)) => proof,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn nested_loops_need_two_ranks_in_their_order() {
    let system = nested_loops();
    let both = ranks(&["n - i", "m - j"], &NESTED);
    for text in ["AF done", "AG AF done", "AG (!done => AF done)"] {
        let proof = proof(&system, &both, text);
        let uses = &proof.ranking().expect("it relies on ranks").uses;
        assert_eq!(uses.len(), 1, "{text}");
        assert_eq!(uses[0].1, [0, 1], "{text}");
        let reliance = relied_on(&proof, Some(&both)).expect("it is right");
        let found: Vec<(Step, u64, u64)> =
            reliance.iter().map(|&(step, relied)| (step, relied.falls, relied.stays)).collect();
        let expected = [(step(0, 1), 0b01, 0), (step(1, 0), 0, 0b01), (step(1, 1), 0b10, 0b01)];
        assert_eq!(found, expected, "{text}");
    }
    for (rank, name) in ["n - i", "m - j"].into_iter().enumerate() {
        let only = |set: u64| set >> rank & 1;
        let changes = NESTED.map(|(from, to, falls, may_grow)| (from, to, only(falls), only(may_grow)));
        let one = ranks(&[name], &changes);
        assert!(!ask(&system, &one, &formula("AF done")).is_definite(), "{name} alone");
    }
}

#[test]
fn a_wrong_tuple_is_rejected() {
    use tertium_check::Flaw;
    let system = nested_loops();
    let right = ranks(&["n - i", "m - j"], &NESTED);
    let proof = proof(&system, &right, "AF done");
    let ranking = proof.ranking().expect("it relies on ranks").clone();
    let start = [StateId::new(0)];
    let judge = |known: Option<&RankedSteps>, strategy: &Strategy| {
        check_strategy(&system, known, Semantics::Sis, strategy, &start)
    };
    let changed = |from, to, falls, may_grow| {
        let (source, action, target) = step(from, to);
        let mut wrong = (*right).clone();
        wrong.set(source, action, target, falls, may_grow);
        Arc::new(wrong)
    };
    assert_eq!(judge(Some(&right), &proof), Ok(()));
    // The strategy thinks that a rank falls, or that it does not grow, where it is known to be otherwise.
    for (from, to, falls, may_grow) in [(1, 1, 0, 0), (0, 1, 0, 0b10), (0, 1, 0b01, 0b10), (1, 0, 0, 0b01)] {
        let known = changed(from, to, falls, may_grow);
        let is_right = known == right;
        assert_eq!(judge(Some(&known), &proof).is_ok(), is_right, "{from} to {to}");
        // The same where the strategy says nothing else than is known.
        let honest = proof.clone().with_ranking(Ranking { steps: Arc::clone(&known), ..ranking.clone() });
        let judged = judge(Some(&known), &honest);
        assert!(is_right || matches!(judged, Err(Flaw::OddCycle(..))), "{from} to {to}: {judged:?}");
    }
    // A table of the strategy in which more falls does not help it.
    let more = changed(1, 0, 0b10, 0);
    let boasting = proof.clone().with_ranking(Ranking { steps: more, ..ranking.clone() });
    assert_eq!(judge(Some(&right), &boasting), Err(Flaw::Step(step(1, 0))));
    // Ranks that are not named, that do not exist, or that are others.
    let least = ranking.uses[0].0;
    let using = |uses| proof.clone().with_ranking(Ranking { uses, ..ranking.clone() });
    assert!(matches!(judge(Some(&right), &using(vec![(least, vec![0])])), Err(Flaw::OddCycle(..))));
    assert!(matches!(judge(Some(&right), &using(Vec::new())), Err(Flaw::OddCycle(..))));
    assert_eq!(judge(Some(&right), &using(vec![(least, vec![0, 7])])), Err(Flaw::Ranks));
    assert_eq!(judge(Some(&right), &using(vec![(least, vec![0, 64])])), Err(Flaw::Ranks));
    assert_eq!(judge(Some(&ranks(&["m - j", "n - i"], &NESTED)), &proof), Err(Flaw::Ranks));
    assert_eq!(judge(None, &proof), Err(Flaw::Ranks));
}

#[test]
fn a_counter_that_goes_up_and_down_can_come_back_to_zero() {
    let mut builder = SystemBuilder::numbered(2);
    let (up, down) = (builder.action("up"), builder.action("down"));
    let zero = builder.proposition("zero", Belnap::False);
    let (at_zero, above) = (StateId::new(0), StateId::new(1));
    builder.initial(at_zero);
    builder.label(at_zero, zero, Belnap::True);
    builder.edge(at_zero, up, above, Both);
    builder.edge(above, up, above, Both);
    builder.edge(above, down, above, May);
    builder.edge(above, down, at_zero, May);
    let without = builder.clone().build();
    builder.hyper_must(above, down, vec![at_zero, above]);
    let system = builder.build();
    let mut ranks = RankedSteps::new(vec!["x".into()]);
    ranks.set(at_zero, up, above, 0, 1);
    ranks.set(above, up, above, 0, 1);
    ranks.set(above, down, above, 1, 0);
    ranks.set(above, down, at_zero, 1, 0);
    let ranks = Arc::new(ranks);
    for text in ["AG EF zero", "nu X. EF zero && []X", "EF (zero && EX EF zero)"] {
        assert_eq!(ask(&system, &ranks, &formula(text)).verdict, Verdict::True, "{text}");
    }
    assert_eq!(ask(&system, &ranks, &formula("EF AG !zero")).verdict, Verdict::False);
    // Going up for ever is possible.
    assert_eq!(ask(&system, &ranks, &formula("AG AF zero")).verdict, Verdict::False);
    // Without a step that is guaranteed, nothing is.
    assert!(!ask(&without, &ranks, &formula("AG EF zero")).is_definite());
}

#[test]
fn what_goes_round_for_ever_well_may_let_a_rank_grow_that_ends_what_goes_round_badly() {
    let mut builder = SystemBuilder::numbered(1);
    let (a, b, c) = (builder.action("a"), builder.action("b"), builder.action("c"));
    let state = StateId::new(0);
    builder.initial(state);
    builder.edge(state, a, state, May);
    builder.edge(state, b, state, May);
    builder.edge(state, c, state, Both);
    let system = builder.build();
    let mut ranks = RankedSteps::new(vec!["x".into()]);
    ranks.set(state, a, state, 0, 1);
    ranks.set(state, b, state, 1, 0);
    ranks.set(state, c, state, 0, 1);
    // By `c` the prover would go round the outermost fixpoint, which is least. It need not.
    let text = "mu X. nu Y. mu Z. <c>X || ([a]Y && [b]Z)";
    assert_eq!(ask(&system, &Arc::new(ranks), &formula(text)).verdict, Verdict::True);
}

fn lassos(
    system: &PartialSystem,
    ranks: &Arc<RankedSteps>,
    text: &str,
    side: Side,
) -> Option<[Vec<Step>; 3]> {
    let context = Context::default();
    let prepared = Prepared::new(&context, system).expect("no limit").with_ranks(Arc::clone(ranks));
    let found = open_lasso(&context, &prepared, &formula(text), Semantics::Sis, side, &|_| 1);
    found.expect("no limit").map(|found| {
        assert!(!found.chosen, "no step of it is chosen");
        [found.stem, found.cycle, found.component]
    })
}

#[test]
fn an_open_lasso_is_short_and_shows_what_has_no_rank_yet() {
    let system = nested_loops();
    let all = [step(0, 1), step(1, 0), step(1, 1)];
    let inner = [vec![step(0, 1)], vec![step(1, 1)]];
    let none = ranks(&["nothing"], &[]);
    let found = lassos(&system, &none, "AF done", Side::Proof);
    assert_eq!(found, Some([inner[0].clone(), inner[1].clone(), all.to_vec()]));
    // That the outer loop has its rank leaves the inner one.
    let outer = ranks(&["n - i"], &[(0, 1, 1, 0), (1, 1, 0, 0), (1, 0, 0, 0)]);
    let found = lassos(&system, &outer, "AG AF done", Side::Proof);
    assert_eq!(found, Some([inner[0].clone(), inner[1].clone(), inner[1].clone()]));
    // The inner loop alone would be excluded; what is open is the way that lets its rank grow.
    let only_inner = ranks(&["m - j"], &[(0, 1, 0, 1), (1, 1, 1, 0), (1, 0, 0, 0)]);
    let found = lassos(&system, &only_inner, "AF done", Side::Proof);
    assert_eq!(found, Some([Vec::new(), vec![step(0, 1), step(1, 0)], all.to_vec()]));
    // What would refute it is no matter of going round: a run that never is done has to be guaranteed.
    assert_eq!(lassos(&system, &none, "AF done", Side::Refutation), None);
    assert_eq!(
        lassos(&system, &none, "EG !done", Side::Refutation),
        lassos(&system, &none, "AF done", Side::Proof)
    );
}

#[test]
fn steps_that_were_tried_are_avoided() {
    let mut builder = SystemBuilder::numbered(2);
    let (a, b) = (builder.action("a"), builder.action("b"));
    let done = builder.proposition("done", Belnap::False);
    let (busy, end) = (StateId::new(0), StateId::new(1));
    builder.initial(busy);
    builder.label(end, done, Belnap::True);
    builder.edge(busy, a, busy, May);
    builder.edge(busy, b, busy, May);
    builder.edge(busy, b, end, May);
    let system = builder.build();
    let context = Context::default();
    let prepared = Prepared::new(&context, &system).expect("no limit");
    let find = |cost: &dyn Fn(Step) -> u64| {
        let found = open_lasso(&context, &prepared, &formula("AF done"), Semantics::Sis, Side::Proof, cost);
        found.expect("no limit").expect("a loop is open").cycle
    };
    assert_eq!(find(&|_| 1), [(busy, a, busy)]);
    assert_eq!(find(&|(_, action, _)| if action == a { 5 } else { 1 }), [(busy, b, busy)]);
}
