//! The `search` suite: how fast and how compact the explicit part of the search with abstract matching is.

mod counters;

use crate::table::{Table, timed};
use counters::Counters;
use std::collections::HashSet;
use tertium_front_gcl::{Model, read};
use tertium_program::initial_states;
use tertium_search::{
    Identity, Machine, Matching, Precision, Round, RoundSettings, Scope, Written, search_once,
};
use tertium_support::{Context, Source};

/// Processes and greatest values unless something else is asked for.
pub(crate) const SIZE: (usize, u64) = (5, 6);

fn precision(model: &Model, predicates: &str) -> Precision {
    let terms = &model.program.terms;
    let mut precision = Precision::new(Identity::Normal);
    for term in model.predicates(&Source::new("predicates", predicates)).expect("they are well-formed") {
        for atom in terms.atoms_of(term) {
            precision.add(&model.program, Written::new(terms, atom), Scope::Everywhere);
        }
    }
    precision
}

pub(crate) fn run(n: usize, most: u64) {
    let family = Counters { n, most };
    let (plain, seconds) = timed(|| plain(family));
    println!("plain {plain} {seconds}");
    let context = Context::default();
    let (model, _) =
        read(&context, &Source::new("counters", family.gcl())).unwrap_or_else(|e| panic!("{e:?}"));
    let machine = Machine::new(&model.program).expect("no inputs");
    let start = initial_states(&context, &model.program, 1).states;
    let all = precision(&model, &family.predicates(1));
    let half = precision(&model, &family.predicates(2));
    for (name, matching) in [
        ("states", Matching::States),
        ("half", Matching::Predicates(&half)),
        ("all", Matching::Predicates(&all)),
    ] {
        let (round, seconds) =
            timed(|| search_once(&context, &machine, &start, matching, None, RoundSettings::default()));
        let round: Round = round.expect("no limits");
        println!(
            "{name} {} {} {seconds} {:.0}/s {:.1} bytes",
            round.n_visits(),
            round.n_generated,
            round.n_visits() as f64 / seconds,
            round.bytes() as f64 / round.n_visits() as f64
        );
    }
}

fn plain(family: Counters) -> usize {
    let mut known: HashSet<u64, rustc_hash::FxBuildHasher> = HashSet::default();
    let mut list = vec![0u64];
    known.insert(0);
    let mut at = 0;
    while at < list.len() {
        family.successors(list[at], |next| {
            if known.insert(next) {
                list.push(next);
            }
        });
        at += 1;
    }
    list.len()
}
