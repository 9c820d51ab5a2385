//! `examples/arabidopsis.smv` against its rules written once more: all 559,872 states, one by one.

use crate::support::Place;
use serde_json::Value;
use std::collections::BTreeMap;

/// The genes in the order of the places below, with the number of levels of each.
const GENES: [(&str, u8); 15] = [
    ("FT", 2),
    ("EMF1", 2),
    ("SEP", 2),
    ("AP2", 2),
    ("UFO", 2),
    ("WUS", 2),
    ("LUG", 2),
    ("CLF", 2),
    ("TFL1", 3),
    ("LFY", 3),
    ("FUL", 3),
    ("AP1", 3),
    ("AP3", 3),
    ("PI", 3),
    ("AG_", 3),
];

type Levels = [u8; 15];

/// The levels after one step, by the rules in words: an activator counts from its threshold on.
fn step([ft, emf1, sep, ap2, ufo, wus, lug, clf, tfl1, lfy, _, ap1, ap3, pi, ag]: Levels) -> Levels {
    let on = |condition: bool| u8::from(condition);
    let flower = lfy >= 1;
    let early = emf1 == 1;
    let kept = sep == 1 && ap3.min(pi) >= 1 && ap1.max(ag) >= 1;
    let next_tfl1 = if !early {
        0
    } else if ap1.max(lfy) == 0 {
        2
    } else {
        on(ap1.max(lfy) == 1)
    };
    let next_lfy = on(!early) + on(tfl1 == 0);
    let next_ful = if tfl1 == 0 { 2 - ap1 } else { 0 };
    let next_ap1 = match ag {
        2 => 0,
        _ if tfl1 >= 1 && !flower && ft == 0 => 0,
        1 => 1,
        _ => 1 + on(lfy == 2 || tfl1 == 0),
    };
    let next_ap3 = (lfy * ufo).max(on(kept));
    let next_pi = if ap3 == 2 && (lfy == 2 || (kept && pi == 2)) {
        2
    } else {
        on(kept || (flower && (ap3 >= 1 || ag == 2)))
    };
    let next_ag = if (ag == 2 && sep == 1 && flower) || (lfy == 2 && (wus == 1 || ap1 == 0)) {
        2
    } else {
        on((flower && ap2 * lug * clf == 0) || (ap2 == 0 && tfl1 == 0))
    };
    [
        on(!early),
        on(!flower),
        on(flower),
        on(tfl1 < 2),
        ufo,
        on(wus == 1 && !(sep == 1 && ag == 2)),
        lug,
        clf,
        next_tfl1,
        next_lfy,
        next_ful,
        next_ap1,
        next_ap3,
        next_pi,
        next_ag,
    ]
}

fn levels(number: usize) -> Levels {
    let mut rest = number;
    GENES.map(|(_, n)| {
        let level = rest % usize::from(n);
        rest /= usize::from(n);
        level as u8
    })
}

fn number(levels: Levels) -> usize {
    GENES.iter().zip(levels).rev().fold(0, |all, ((_, n), level)| all * usize::from(*n) + usize::from(level))
}

/// The stable states, each with the number of states that lead there.
fn basins(knocked_out: Option<&str>) -> (usize, BTreeMap<Levels, u64>) {
    let n_states: usize = GENES.iter().map(|&(_, n)| usize::from(n)).product();
    let off = knocked_out.map(|gene| GENES.iter().position(|(name, _)| *name == gene).expect("a gene"));
    let successors: Vec<usize> = (0..n_states)
        .map(|at| {
            let mut next = step(levels(at));
            if let Some(gene) = off {
                next[gene] = 0;
            }
            number(next)
        })
        .collect();
    // After 2^5 steps everything that settles has settled: no way there is longer than 9.
    let mut ends = successors.clone();
    for _ in 0..5 {
        ends = (0..n_states).map(|at| ends[ends[at]]).collect();
    }
    let mut basins = BTreeMap::new();
    for &end in ends.iter().filter(|&&end| successors[end] == end) {
        *basins.entry(levels(end)).or_insert(0) += 1;
    }
    (n_states, basins)
}

fn model(knocked_out: Option<&str>) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/arabidopsis.smv");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let Some(gene) = knocked_out else { return text };
    let mutant = format!("INIT knocked_out = {}x", gene.trim_end_matches('_'));
    assert!(text.contains("INIT knocked_out = none"));
    text.replace("INIT knocked_out = none", &mutant)
}

/// A solution that leaves no gene open, as levels.
fn solution(solution: &Value) -> Levels {
    let values = solution["cubes"][0].as_array().expect("values");
    GENES.map(|(name, _)| {
        let own = values.iter().find(|value| value["variable"] == name).expect("every gene has a value");
        let [level] = own["values"].as_array().expect("values").as_slice() else { panic!("one: {own}") };
        match level.as_str() {
            Some("TRUE") => 1,
            Some("FALSE") => 0,
            Some(level) => level.parse().expect("a level"),
            None => panic!("{own}"),
        }
    })
}

#[test]
fn the_stable_states_of_the_gene_network_and_what_leads_to_them_are_those_of_its_rules() {
    let place = Place::new();
    for gene in [None, Some("AP1"), Some("AP3"), Some("LFY")] {
        let (n_states, expected) = basins(gene);
        assert_eq!(n_states, 559_872);
        place.file("g.smv", model(gene));
        let run = place.run(&["query", "g.smv", "EF AG ?", "--per-initial", "--json", "--max", "1000"]);
        let json = run.json();
        let classes = json["classes"].as_array().expect("groups of initial states");
        let mut found = BTreeMap::new();
        let mut n_initial = 0;
        for class in classes {
            let size: u64 = class["n_initial"].as_str().and_then(|n| n.parse().ok()).expect("a number");
            n_initial += size;
            match class["solutions"].as_array().expect("solutions").as_slice() {
                [] => assert_eq!(gene, Some("LFY"), "only this mutant has states that never settle"),
                [one] => assert_eq!(found.insert(solution(one), size), None, "one group each"),
                more => panic!("{more:?}"),
            }
        }
        assert_eq!(n_initial, 559_872, "{gene:?}");
        assert_eq!(found, expected, "{gene:?}");
    }
}

#[test]
fn with_both_repressors_the_gene_network_has_the_organs_of_the_boolean_one_and_else_weak_ones() {
    let (_, stable) = basins(None);
    let (mut wild, mut weak) = (0, 0);
    for levels in stable.keys() {
        let [_, _, _, _, _, _, lug, clf, _, _, _, ap1, _, _, ag] = *levels;
        wild += usize::from(lug * clf == 1);
        weak += usize::from((ap1, ag) == (1, 1));
        assert!(lug * clf == 0 || (ap1, ag) != (1, 1), "{levels:?}");
    }
    assert_eq!((stable.len(), wild), (40, 10));
    assert!(weak > 0);
}

#[test]
fn all_four_queries_about_the_gene_network_have_the_answers_of_its_rules() {
    let place = Place::new();
    place.file("g.smv", model(None));
    let n_stable = basins(None).1.len();
    // The steps are a function, so what can be reached is what is reached, and every state can come first.
    for (query, n) in [("EF AG ?", n_stable), ("AG ?", n_stable), ("EF ?", 559_872), ("AF ?", 559_872)] {
        let run = place.run(&["query", "g.smv", query, "--some-initial", "--json", "--max", "1"]);
        assert_eq!(run.json()["n_solutions"], n.to_string(), "{query}");
    }
    place.run(&["check", "g.smv"]).ends(0, "RESULT: true");
}
