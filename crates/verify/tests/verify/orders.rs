//! Properties of one file do not spoil each other, and answers do not depend on chance.

use crate::asking::{asked, examples, properties};
use std::path::{Path, PathBuf};
use std::thread;
use tertium_testkit::{is_quick, shared_work};
use tertium_truth::Verdict;

/// Enough for most properties of the shipped models.
fn work_each() -> Option<u64> {
    Some(if is_quick() { 20_000_000 } else { 400_000_000 })
}

/// How many definite verdicts on properties asked alone were given in three orders of the file, too.
fn n_definite(path: &Path) -> usize {
    let all = properties(path);
    let alone: Vec<(String, Verdict)> = all
        .iter()
        .map(|property| {
            let heard = asked(path, std::slice::from_ref(property), work_each());
            (property.clone(), heard.answers[0].1)
        })
        .collect();
    let mut backwards = all.clone();
    backwards.reverse();
    let mut turned = all.clone();
    turned.rotate_left(all.len() / 2);
    let mut n_definite = 0;
    for order in [all, backwards, turned] {
        for (property, verdict, _) in asked(path, &order, work_each()).answers {
            let own = alone.iter().find(|(other, _)| *other == property).expect("it was asked alone").1;
            if !matches!(own, Verdict::Unknown(_)) {
                n_definite += 1;
                assert_eq!(verdict, own, "{}: {property}", path.display());
            }
        }
    }
    n_definite
}

/// What is definite of a property asked alone stays so in three orders of the file.
#[test]
fn no_verdict_is_lost_beside_other_properties() {
    let examples = examples(&["gcl", "smv"]);
    let n_definite: usize = shared_work(&examples, |path: &PathBuf| n_definite(path)).into_iter().sum();
    assert!(is_quick() || n_definite > 60, "{n_definite}");
}

/// The same question has the same answer in all its words, also while other threads work.
#[test]
fn answers_are_the_same_in_every_run() {
    for path in examples(&["gcl", "smv"]) {
        let texts = || {
            let heard = asked(&path, &[], work_each());
            heard.answers.into_iter().map(|(_, _, text)| text).collect::<Vec<String>>()
        };
        let first = texts();
        let beside = thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(texts)).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
        });
        for other in beside {
            assert_eq!(other, first, "{}", path.display());
        }
    }
}
