//! Loops of which everybody knows whether they end, and why.

use crate::Names;
use tertium_expr::Terms;
use tertium_ranking::{Ranking, Settings, rank};
use tertium_solve::{Prover, Z3};
use tertium_support::Context;

/// The ranking of hops `(source, target, text)` over these variables, of which the last `n_chosen` are chosen anew each time.
fn ranked(terms: &Terms, names: &[&str], n_chosen: usize, hops: &[(usize, usize, &str)]) -> Ranking {
    let own = Names::new(terms, names);
    let (kept, chosen) = names.split_at(names.len() - n_chosen);
    let hops: Vec<_> =
        hops.iter().map(|&(source, target, text)| own.hop(source, target, text, chosen)).collect();
    let n_nodes = hops.iter().map(|hop| hop.source.max(hop.target) + 1).max().unwrap_or(0);
    let measures: Vec<_> = kept.iter().map(|&name| own.read(name)).collect();
    let mut prover = Prover::new(Z3::new());
    let measures = vec![measures; n_nodes];
    rank(&Context::default(), terms, &mut prover, &hops, &measures, &Settings::default())
        .expect("there is no limit")
}

/// The ranks at node 0, as texts; `left` if hops are left.
fn shown(names: &[&str], n_chosen: usize, hops: &[(usize, usize, &str)]) -> Vec<String> {
    let terms = Terms::new();
    let ranking = ranked(&terms, names, n_chosen, hops);
    if !ranking.left.is_empty() {
        return vec!["left".to_owned()];
    }
    let at_zero = ranking.ranks.iter().filter_map(|rank| rank.at.get(&0));
    at_zero.map(|&term| terms.print(term).to_string()).collect()
}

#[test]
fn a_counter_that_goes_down_is_a_rank() {
    assert_eq!(shown(&["x"], 0, &[(0, 0, "x > 0; x := x - 1")]), ["x"]);
}

#[test]
fn the_distance_to_a_bound_is_a_rank() {
    let ranks = shown(&["x", "n"], 0, &[(0, 0, "x < n; x := x + 1")]);
    assert_eq!(ranks, ["-x + n"]);
}

#[test]
fn what_has_no_bound_has_no_rank() {
    assert_eq!(shown(&["x"], 0, &[(0, 0, "x > 0; x := x + 1")]), ["left"]);
    assert_eq!(shown(&["x"], 0, &[(0, 0, "x != 0; x := x - 1")]), ["left"]);
    assert_eq!(shown(&["x", "y"], 0, &[(0, 0, "x > 0; x := x - y")]), ["left"]);
}

#[test]
fn a_loop_in_a_loop_has_two_ranks() {
    let hops = [(0, 1, "i < n; j := 0"), (1, 1, "j < m; j := j + 1"), (1, 0, "j >= m; i := i + 1")];
    let ranks = shown(&["i", "j", "m", "n"], 0, &hops);
    assert!(!ranks.is_empty() && ranks[0] != "left", "{ranks:?}");
}

#[test]
fn the_greatest_common_divisor_ends_by_the_sum() {
    let hops = [(0, 0, "x > 0 && y > 0 && x > y; x := x - y"), (0, 0, "x > 0 && y > 0 && y > x; y := y - x")];
    assert_eq!(shown(&["x", "y"], 0, &hops).len(), 1);
}

#[test]
fn inputs_are_whatever_they_can_be() {
    assert_eq!(shown(&["x", "by"], 1, &[(0, 0, "x > 0 && by >= 1; x := x - by")]), ["x"]);
    assert_eq!(shown(&["x", "by"], 1, &[(0, 0, "x > 0 && by >= 0; x := x - by")]), ["left"]);
}

#[test]
fn conditionals_are_cases() {
    let hop = "x > 0; x := (y > 0) ? x - 1 : x - 2; y := 1 - y";
    assert_eq!(shown(&["x", "y"], 0, &[(0, 0, hop)]), ["x"]);
}

#[test]
fn quotients_and_remainders_are_columns() {
    assert_eq!(shown(&["x"], 0, &[(0, 0, "x > 0; x := x / 2")]), ["x"]);
    assert_eq!(shown(&["x"], 0, &[(0, 0, "x > 2; x := x mod 3")]).len(), 1);
}

#[test]
fn what_a_remainder_is_not_is_a_case_too() {
    assert_eq!(shown(&["x"], 0, &[(0, 0, "x > 0 && x mod 2 != 1; x := x / 2")]).len(), 1);
    assert_eq!(shown(&["x"], 0, &[(0, 0, "x > 0 && x mod 3 != 0; x := x - x mod 3")]).len(), 1);
}

#[test]
fn phases_come_with_conditions() {
    let terms = Terms::new();
    let ranking = ranked(&terms, &["x", "y"], 0, &[(0, 0, "x >= 0; x := x + y; y := y - 1")]);
    assert!(ranking.left.is_empty() && ranking.ranks.len() == 2, "{ranking:?}");
    let splits: Vec<String> = ranking.splits.iter().map(|&(_, term)| terms.print(term).to_string()).collect();
    assert_eq!(splits.len(), 1, "{splits:?}");
}

#[test]
fn a_loop_that_never_is_entered_needs_no_rank() {
    let ranks = shown(&["x"], 0, &[(0, 0, "x > 0 && x < 0; x := x + 1")]);
    assert!(ranks.is_empty(), "{ranks:?}");
}
