//! What a formula means on a lasso: a path that runs through a stem and then round a loop for ever.
//!
//! This is the reference for every checker of linear time, so it follows the definition \[LPZ85\]. Let p be the length of
//! the loop. Propositions repeat with period p from the start of the loop on, but past operators may need more rounds to
//! settle: they see the stem. If f and g repeat from place n on, then
//! - Boolean and future operators of them repeat from n on, as they look ahead only;
//! - `Y f` and `Z f` repeat from n + 1 on;
//! - `f S g` repeats from n + p on: its value after a round is `a | b & x`, where x is its value before the round and a, b
//!   depend on the round alone; `a | b & (a | b & x)` is the same again. `f T g` is dual; `O` and `H` are special cases.
//!
//! So with d past operators one inside the other, everything repeats after d rounds. The loop is written out d + 1 times, the
//! last step of the last round leads back to the start of that round, and there each sub-formula gets one value per place: past
//! operators in one pass forwards, future operators in two passes backwards round the last loop. Cost: size of the formula times
//! the length of the path written out.

use super::{Ltl, LtlBinary, LtlKind, LtlUnary};

/// Whether the formula holds at the first place of the path with places `0..length` whose last place is followed by
/// `loop_start`, where `holds(place, name)` says which propositions hold at which place.
///
/// `loop_start` is one of the places.
pub fn holds_on_lasso(
    formula: &Ltl,
    length: usize,
    loop_start: usize,
    holds: impl Fn(usize, &str) -> bool,
) -> bool {
    assert!(loop_start < length, "a path without end has a loop");
    let period = length - loop_start;
    let settled = loop_start + formula.past_depth() * period;
    let path = Path { length: settled + period, loop_start: settled };
    let place = |at: usize| if at < length { at } else { loop_start + (at - loop_start) % period };
    path.values(formula, &|at, name| holds(place(at), name))[0]
}

/// A path long enough for all past operators to settle before its loop.
struct Path {
    length: usize,
    loop_start: usize,
}

impl Path {
    /// The value at each place.
    fn values(&self, formula: &Ltl, holds: &dyn Fn(usize, &str) -> bool) -> Vec<bool> {
        match &formula.kind {
            LtlKind::True => vec![true; self.length],
            LtlKind::False => vec![false; self.length],
            LtlKind::Proposition(name) => (0..self.length).map(|at| holds(at, name)).collect(),
            LtlKind::Unary(operator, f) => self.unary(*operator, &self.values(f, holds)),
            LtlKind::Binary(operator, f, g) => {
                self.binary(*operator, &self.values(f, holds), &self.values(g, holds))
            }
        }
    }

    fn unary(&self, operator: LtlUnary, f: &[bool]) -> Vec<bool> {
        match operator {
            LtlUnary::Not => f.iter().map(|value| !value).collect(),
            LtlUnary::Next => (0..self.length).map(|at| f[self.after(at)]).collect(),
            LtlUnary::Finally => self.backwards(false, |at, later| f[at] || later),
            LtlUnary::Globally => self.backwards(true, |at, later| f[at] && later),
            LtlUnary::Previous => (0..self.length).map(|at| at > 0 && f[at - 1]).collect(),
            LtlUnary::WeakPrevious => (0..self.length).map(|at| at == 0 || f[at - 1]).collect(),
            LtlUnary::Once => self.forwards(false, |at, before| f[at] || before),
            LtlUnary::Historically => self.forwards(true, |at, before| f[at] && before),
        }
    }

    fn binary(&self, operator: LtlBinary, f: &[bool], g: &[bool]) -> Vec<bool> {
        let each = |value: fn(bool, bool) -> bool| f.iter().zip(g).map(|(&f, &g)| value(f, g)).collect();
        match operator {
            LtlBinary::And => each(|f, g| f && g),
            LtlBinary::Or => each(|f, g| f || g),
            LtlBinary::Xor => each(|f, g| f != g),
            LtlBinary::Implies => each(|f, g| !f || g),
            LtlBinary::Iff => each(|f, g| f == g),
            LtlBinary::Until => self.backwards(false, |at, later| g[at] || f[at] && later),
            LtlBinary::Releases => self.backwards(true, |at, later| g[at] && (f[at] || later)),
            LtlBinary::Since => self.forwards(false, |at, before| g[at] || f[at] && before),
            LtlBinary::Triggered => self.forwards(true, |at, before| g[at] && (f[at] || before)),
        }
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.length { self.loop_start } else { at + 1 }
    }

    /// The least solution of `x(at) = step(at, x(after at))` if `at_end` is false, the greatest if it is true: what is assumed
    /// at the end of the first pass has gone once round the loop when the second one starts.
    fn backwards(&self, at_end: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let round = (self.loop_start..self.length).rev().fold(at_end, |later, at| step(at, later));
        let mut values = vec![round; self.length];
        let mut later = round;
        for at in (0..self.length).rev() {
            later = step(at, later);
            values[at] = later;
        }
        values
    }

    fn forwards(&self, before_all: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut before = before_all;
        (0..self.length)
            .map(|at| {
                before = step(at, before);
                before
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_ltl;
    use tertium_support::Source;

    /// Whether it holds on the path whose places are the letters before the colon, then those after it for ever.
    fn check(text: &str, path: &str) -> bool {
        let formula = parse_ltl(&Source::new("test", text)).unwrap();
        let (stem, round) = path.split_once(':').unwrap();
        let letters: Vec<char> = stem.chars().chain(round.chars()).collect();
        holds_on_lasso(&formula, letters.len(), stem.len(), |at, name| name == letters[at].to_string())
    }

    #[test]
    fn future_operators_look_round_the_loop() {
        assert!(check("F b", "a:ab") && check("G F a", "c:ab") && !check("F c", "a:ab"));
        assert!(check("a U b", "aa:b") && !check("a U b", ":a") && check("b V a", ":a"));
        assert!(check("X X X a", ":ab") == check("X a", ":ab"));
    }

    #[test]
    fn past_operators_remember_the_stem_in_every_round() {
        assert!(check("G F (a & O c)", "c:ab") && !check("F O c", ":ab"));
        assert!(check("G (b -> Y (a | c))", "c:ab") && check("Z FALSE", ":a") && !check("Y TRUE", ":a"));
        assert!(check("F (a & !Y Y Y c)", "c:ab"));
    }

    #[test]
    fn values_may_differ_between_rounds() {
        // Holds at the second `a` only, which no single round can tell from the others.
        assert!(check("F (a & Y O (a & !Y O a))", ":a"));
        assert!(check("F (a & Y (a & Y (a & Z FALSE)))", ":a"));
        assert!(check("G (H a <-> !O b)", ":ab"));
    }
}
