//! Horn clauses: their text is read by Z3, and what Spacer suggests is judged like any other proof.

use crate::explicit::Explicit;
use crate::fixtures::{counting, mc_carthy, random_finite};
use crate::suggesting::suggesting;
use tertium_program::{Icfg, PointId};
use tertium_recursion::{
    Entries, Horn, Judgement, Suggestion, Try, candidates_for, candidates_for_copies, validate,
};
use tertium_solve::HornWay;
use tertium_support::{Context, Id};
use tertium_testkit::random_cases;

const STEPS: u32 = 3_000_000;
/// The ways that tell all relations.
const WHOLE: [Try; 2] = [(HornWay::Farkas, STEPS), (HornWay::Cores, STEPS)];

/// What Spacer says, in large blocks and in small.
fn suggested(icfg: &Icfg, targets: &[PointId]) -> [Suggestion; 2] {
    let entries = Entries::new(icfg);
    let all = [Horn::new(icfg, &entries, targets), Horn::small(icfg, &entries, targets)];
    all.map(|horn| candidates_for(&suggesting(), icfg, &entries, &horn, &WHOLE))
}

fn proves(icfg: &Icfg, targets: &[PointId], suggestion: &Suggestion) {
    let Suggestion::Proof(hints) = suggestion else { panic!("{suggestion:?}") };
    let entries = Entries::new(icfg);
    let judged = validate(&Context::default(), icfg, &entries, &hints.invariants, targets);
    assert_eq!((judged, hints.n_lost), (Judgement::Stands, 0));
}

#[test]
fn suggestions_for_loops_prove_them() {
    let (icfg, error) = counting(None, |terms, n| terms.sum([terms.scaled(2, n), terms.integer(1)]));
    suggested(&icfg, &[error]).iter().for_each(|suggestion| proves(&icfg, &[error], suggestion));
}

#[test]
fn suggestions_for_recursion_prove_it() {
    let (icfg, error) = mc_carthy(100, |terms, _, y| terms.not(terms.equal(y, terms.integer(91))));
    suggested(&icfg, &[error]).iter().for_each(|suggestion| proves(&icfg, &[error], suggestion));
}

#[test]
fn what_is_reached_is_said_to_be_so() {
    let (icfg, error) = mc_carthy(102, |terms, _, y| terms.not(terms.equal(y, terms.integer(91))));
    assert_eq!(suggested(&icfg, &[error]), [Suggestion::Reachable, Suggestion::Reachable]);
}

#[test]
fn on_finite_domains_suggestions_agree_with_enumeration() {
    let (mut proven, mut reached) = (0, 0);
    let run = random_cases(20, |rng| {
        let icfg = random_finite(rng);
        let entries = Entries::new(&icfg);
        let all = Explicit { icfg: &icfg, entries: &entries }.reached();
        let target = PointId::new(rng.below(icfg.points().len()));
        for suggestion in suggested(&icfg, &[target]) {
            if all.contains_key(&target) {
                assert_eq!(suggestion, Suggestion::Reachable);
                reached += 1;
            } else {
                proves(&icfg, &[target], &suggestion);
                proven += 1;
            }
        }
    });
    run.enough(proven > 3 && reached > 3, (proven, reached));
}

/// What Spacer says of copies of relations for constants, if some are told apart.
fn suggested_of_copies(icfg: &Icfg, targets: &[PointId]) -> Option<Suggestion> {
    let entries = Entries::new(icfg);
    let horn = Horn::new(icfg, &entries, targets);
    let special = horn.special(&Context::default(), icfg).expect("there is no limit")?;
    Some(candidates_for_copies(&suggesting(), icfg, &entries, (&horn, &special), &WHOLE[..1]))
}

#[test]
fn a_loop_with_a_known_bound_is_unrolled() {
    let (icfg, error) = counting(Some(20), |terms, n| terms.sum([terms.scaled(2, n), terms.integer(1)]));
    let horn = Horn::new(&icfg, &Entries::new(&icfg), &[error]);
    let special = horn.special(&Context::default(), &icfg).expect("there is no limit");
    let special = special.expect("the counter has 21 values");
    assert!(special.relations.len() >= 21 && special.left.len() < 4, "{}", special.text(&icfg));
    let suggestion = suggested_of_copies(&icfg, &[error]).expect("the same again");
    proves(&icfg, &[error], &suggestion);
}

#[test]
fn a_loop_without_known_bound_is_none_of_copies() {
    let (icfg, error) = counting(None, |terms, n| terms.sum([terms.scaled(2, n), terms.integer(1)]));
    assert_eq!(suggested_of_copies(&icfg, &[error]), None);
}

#[test]
fn suggestions_for_copies_agree_with_enumeration() {
    let (mut proven, mut reached) = (0, 0);
    let run = random_cases(20, |rng| {
        let icfg = random_finite(rng);
        let entries = Entries::new(&icfg);
        let all = Explicit { icfg: &icfg, entries: &entries }.reached();
        let target = PointId::new(rng.below(icfg.points().len()));
        let Some(suggestion) = suggested_of_copies(&icfg, &[target]) else { return };
        if all.contains_key(&target) {
            assert_eq!(suggestion, Suggestion::Reachable);
            reached += 1;
        } else {
            proves(&icfg, &[target], &suggestion);
            proven += 1;
        }
    });
    run.enough(proven > 1 && reached > 1, (proven, reached));
}

#[test]
fn clauses_are_written_with_where_they_come_from() {
    let (icfg, error) = counting(None, |terms, n| terms.sum([terms.scaled(2, n), terms.integer(1)]));
    let horn = Horn::new(&icfg, &Entries::new(&icfg), &[error]);
    let text = horn.text(&icfg, &|_| "line 7".to_owned());
    for part in [
        "(set-logic HORN)",
        "; line 7: s, main::i, main::n\n(declare-fun main@loop2 (Int Int Int) Bool)",
        "; step from main@loop2 to main@loop2\n",
        "(main@loop2 (+ $s 2) (+ |main::i| 1) |main::n|))))",
        "false)",
        "(check-sat)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(horn.inside.len(), 2, "the point of the error and that behind the input");
}
