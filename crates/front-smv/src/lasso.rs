//! Linear temporal logic with past, evaluated on one ultimately periodic path.
//!
//! The path is a stem of `a` places and a loop of `p`. A formula whose past operators nest `h` deep has the same value at `i`
//! and `i + p` for all `i ≥ a + h·p`: a past operator is computed along the path by a monotone function of its value one place
//! before, over one round of the loop that is a monotone function of one bit, and such a function is idempotent; so one
//! more round settles each nesting. The evaluation works on the stem and `h + 1` rounds, of which the last is the loop.
//!
//! Cost: (a + (h + 1)·p) places times the size of the formula.

use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary};

/// The truth value of a formula at each place of a path that goes from place `n - 1` back to `loop_start`, or `Err` with
/// the name of a proposition for which `proposition` gives nothing. Only the values at the first `n` places are given.
pub(crate) fn evaluate_on_lasso<E>(
    formula: &Ltl,
    n: usize,
    loop_start: usize,
    proposition: &mut dyn FnMut(&str, usize) -> Result<bool, E>,
) -> Result<Vec<bool>, E> {
    assert!(loop_start < n, "a loop has a place");
    let period = n - loop_start;
    let unrolled = n + past_depth(formula) * period;
    let mut lasso = Lasso { n, period, unrolled, proposition };
    let mut values = lasso.values(formula)?;
    values.truncate(n);
    Ok(values)
}

/// How deep past operators nest.
fn past_depth(formula: &Ltl) -> usize {
    match &formula.kind {
        LtlKind::True | LtlKind::False | LtlKind::Proposition(_) => 0,
        LtlKind::Unary(operator, f) => {
            use LtlUnary::{Historically, Once, Previous, WeakPrevious};
            past_depth(f) + usize::from(matches!(operator, Previous | WeakPrevious | Once | Historically))
        }
        LtlKind::Binary(operator, f, g) => {
            past_depth(f).max(past_depth(g))
                + usize::from(matches!(operator, LtlBinary::Since | LtlBinary::Triggered))
        }
    }
}

struct Lasso<'a, E> {
    n: usize,
    period: usize,
    unrolled: usize,
    proposition: &'a mut dyn FnMut(&str, usize) -> Result<bool, E>,
}

impl<E> Lasso<'_, E> {
    fn values(&mut self, formula: &Ltl) -> Result<Vec<bool>, E> {
        Ok(match &formula.kind {
            LtlKind::True => vec![true; self.unrolled],
            LtlKind::False => vec![false; self.unrolled],
            LtlKind::Proposition(name) => {
                let mut values = Vec::with_capacity(self.unrolled);
                for place in 0..self.unrolled {
                    let value = if place < self.n {
                        (self.proposition)(name, place)?
                    } else {
                        values[place - self.period]
                    };
                    values.push(value);
                }
                values
            }
            LtlKind::Unary(operator, f) => {
                let f = self.values(f)?;
                let all = vec![true; self.unrolled];
                let none = vec![false; self.unrolled];
                match operator {
                    LtlUnary::Not => f.iter().map(|f| !f).collect(),
                    LtlUnary::Next => (0..self.unrolled).map(|place| f[self.after(place)]).collect(),
                    LtlUnary::Finally => self.until(&all, &f),
                    LtlUnary::Globally => self.releases(&none, &f),
                    LtlUnary::Previous => (0..self.unrolled).map(|place| place > 0 && f[place - 1]).collect(),
                    LtlUnary::WeakPrevious => {
                        (0..self.unrolled).map(|place| place == 0 || f[place - 1]).collect()
                    }
                    LtlUnary::Once => since(&all, &f),
                    LtlUnary::Historically => triggered(&none, &f),
                }
            }
            LtlKind::Binary(operator, f, g) => {
                let (f, g) = (self.values(f)?, self.values(g)?);
                let pairs = f.iter().copied().zip(g.iter().copied());
                match operator {
                    LtlBinary::And => pairs.map(|(f, g)| f && g).collect(),
                    LtlBinary::Or => pairs.map(|(f, g)| f || g).collect(),
                    LtlBinary::Xor => pairs.map(|(f, g)| f != g).collect(),
                    LtlBinary::Implies => pairs.map(|(f, g)| !f || g).collect(),
                    LtlBinary::Iff => pairs.map(|(f, g)| f == g).collect(),
                    LtlBinary::Until => self.until(&f, &g),
                    LtlBinary::Releases => self.releases(&f, &g),
                    LtlBinary::Since => since(&f, &g),
                    LtlBinary::Triggered => triggered(&f, &g),
                }
            }
        })
    }

    fn after(&self, place: usize) -> usize {
        if place + 1 == self.unrolled { self.unrolled - self.period } else { place + 1 }
    }

    /// The least solution of `u = g or (f and next u)`: two passes backwards, the second knows what the first found at the
    /// start of the loop.
    fn until(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        self.backwards(false, |place, next| g[place] || f[place] && next)
    }

    /// The greatest solution of `r = g and (f or next r)`.
    fn releases(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        self.backwards(true, |place, next| g[place] && (f[place] || next))
    }

    fn backwards(&self, start: bool, at: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.unrolled];
        for _ in 0..2 {
            for place in (0..self.unrolled).rev() {
                values[place] = at(place, values[self.after(place)]);
            }
        }
        values
    }
}

fn since(f: &[bool], g: &[bool]) -> Vec<bool> {
    let mut before = false;
    let along = f.iter().zip(g).map(|(&f, &g)| {
        before = g || f && before;
        before
    });
    along.collect()
}

fn triggered(f: &[bool], g: &[bool]) -> Vec<bool> {
    let mut before = true;
    let along = f.iter().zip(g).map(|(&f, &g)| {
        before = g && (f || before);
        before
    });
    along.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values on a lasso where `p` holds at the given places.
    fn values(formula: &Ltl, p: &[bool], loop_start: usize) -> Vec<bool> {
        let mut look =
            |name: &str, place: usize| if name == "p" { Ok(p[place]) } else { Err(name.to_owned()) };
        evaluate_on_lasso(formula, p.len(), loop_start, &mut look).unwrap()
    }

    fn p() -> Ltl {
        Ltl::proposition("p")
    }

    #[test]
    fn until_needs_its_end_and_release_does_not() {
        let q = Ltl::unary(LtlUnary::Not, p());
        let until = Ltl::binary(LtlBinary::Until, p(), q.clone());
        assert_eq!(values(&until, &[true, true], 0), [false, false]);
        assert_eq!(values(&until, &[true, true, false], 2), [true, true, true]);
        let releases = Ltl::binary(LtlBinary::Releases, q, p());
        assert_eq!(values(&releases, &[true, true], 0), [true, true]);
        assert_eq!(values(&releases, &[true, false], 0), [false, false]);
    }

    #[test]
    fn the_past_grows_while_the_loop_goes_round() {
        // p at the second place of the loop: at the first place it was once true only from the second round on.
        let always_once =
            Ltl::unary(LtlUnary::Finally, Ltl::unary(LtlUnary::Globally, Ltl::unary(LtlUnary::Once, p())));
        assert_eq!(values(&always_once, &[false, true], 0), [true, true]);
        let once = Ltl::unary(LtlUnary::Once, p());
        assert_eq!(values(&once, &[false, true], 0), [false, true]);
        // Two p in the past, the second before the first: nested past operators.
        let twice = Ltl::unary(
            LtlUnary::Once,
            Ltl::binary(LtlBinary::And, p(), Ltl::unary(LtlUnary::Previous, Ltl::unary(LtlUnary::Once, p()))),
        );
        let eventually = Ltl::unary(LtlUnary::Finally, twice.clone());
        assert_eq!(values(&twice, &[false, true], 0), [false, false]);
        assert_eq!(values(&eventually, &[false, true], 0), [true, true]);
        assert_eq!(values(&eventually, &[true, false], 1), [false, false]);
    }

    #[test]
    fn yesterday_is_strong_and_its_twin_is_weak() {
        assert_eq!(values(&Ltl::unary(LtlUnary::Previous, p()), &[true, false], 1), [false, true]);
        assert_eq!(values(&Ltl::unary(LtlUnary::WeakPrevious, p()), &[true, false], 1), [true, true]);
    }
}
