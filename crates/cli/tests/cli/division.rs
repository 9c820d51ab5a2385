//! Division by constants of either sign: every engine means the same, on all values of a small range.

use crate::support::Place;

const RANGE: std::ops::RangeInclusive<i64> = -7..=7;
const DIVISORS: [i64; 6] = [-3, -2, -1, 1, 2, 3];

/// Of every value and divisor what quotient and remainder are, as one condition; `implies` and `and` are the words of the language.
fn table(implies: &str, and: &str, divide: fn(i64, i64) -> (i64, i64)) -> String {
    let entry = |x: i64, k: i64| {
        let (quotient, remainder) = divide(x, k);
        assert_eq!(x, k * quotient + remainder, "the two belong together");
        format!("(x = {x} {implies} (x / {k} = {quotient} {and} x mod {k} = {remainder}))")
    };
    let all: Vec<String> = RANGE.flat_map(|x| DIVISORS.map(|k| entry(x, k))).collect();
    all.join(&format!(" {and}\n  "))
}

#[test]
fn engines_agree_on_quotients_and_remainders_of_programs() {
    let place = Place::new();
    // The remainder is never negative.
    let right = table("=>", "&&", |x, k| (x.div_euclid(k), x.rem_euclid(k)));
    let program = |claim: &str| {
        format!("var x: -7..7;\n[any] true -> x := input -7..7;\nproperty all: AG ({claim});\n")
    };
    place.file("right.gcl", program(&right));
    place.file("wrong.gcl", program("x = 7 => x / -2 = -4"));
    for engine in ["auto", "explicit", "naive", "symbolic", "predicate", "cartesian", "search", "induction"] {
        place.run(&["check", "right.gcl", "--engine", engine, "--no-vacuity"]).ends(0, "RESULT: true");
        let wrong = place.run(&["check", "wrong.gcl", "--engine", engine]);
        assert!(
            wrong.last_line() == "RESULT: false" || engine == "induction" && wrong.status == 5,
            "{wrong:?}"
        );
    }
}

#[test]
fn engines_agree_on_quotients_and_remainders_of_symbolic_models() {
    let place = Place::new();
    // Towards zero, as machines divide.
    let right = table("->", "&", |x, k| (x / k, x % k));
    let model = |claim: &str| format!("MODULE main\nVAR x : -7..7;\nINVARSPEC {claim}\n");
    place.file("right.smv", model(&right));
    place.file("wrong.smv", model("x = 7 -> x / -2 = -4"));
    for engine in ["auto", "explicit", "symbolic", "induction"] {
        place.run(&["check", "right.smv", "--engine", engine, "--no-vacuity"]).ends(0, "RESULT: true");
        let wrong = place.run(&["check", "wrong.smv", "--engine", engine]);
        assert!(
            wrong.last_line() == "RESULT: false" || engine == "induction" && wrong.status == 5,
            "{wrong:?}"
        );
    }
}
