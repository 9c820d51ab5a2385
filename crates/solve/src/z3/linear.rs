//! Systems of linear inequalities over the rationals.
//!
//! What Farkas' lemma asks for is a solution of such a system: coefficients of a template, and multipliers that show what the template
//! says. Solutions are given as integers: all of them multiplied by the least common denominator. So a system should go with its
//! multiples, as one does whose bounds are 0 or at least 1 on the side of what is at least that.
//!
//! Cost: what Z3's simplex takes, counted in its own steps.

use super::own_context::OwnContext;
use super::{UNITS_PER_CALL, UNITS_PER_STEP, power_of_two};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use tertium_support::{Context, StopReason};
use z3::ast::{Bool, Real};
use z3::{Model, Params, SatResult, Solver, StatisticsValue};

/// An unknown of a linear system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(usize);

impl Unknown {
    /// Its place in solutions.
    pub fn number(self) -> usize {
        self.0
    }
}

/// Which numbers an unknown can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// All.
    Any,
    /// Those that are not negative.
    NotNegative,
}

/// How a sum compares with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is at least the bound.
    AtLeast,
    /// It is the bound.
    Equal,
}

/// What is said about a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinearAnswer {
    /// A solution, multiplied by its least common denominator: a number for each unknown.
    Solution(Vec<BigInt>),
    /// There is none.
    None,
    /// Not known.
    GaveUp,
}

/// Linear inequalities that can be added to and, by scopes, taken back.
pub struct LinearSystem {
    own: OwnContext,
    inner: Option<Inner>,
    n_unknowns: usize,
}

/// What lives in the context.
struct Inner {
    solver: Solver,
    unknowns: Vec<Real>,
    answer: Option<(SatResult, Vec<(BigInt, BigInt)>)>,
}

impl Default for LinearSystem {
    fn default() -> Self {
        Self::new()
    }
}

impl LinearSystem {
    /// Without unknowns and inequalities.
    pub fn new() -> Self {
        let own = OwnContext::new();
        let inner = own.inside(None, |made| {
            let solver = Solver::new();
            configure(&solver, None);
            *made = Some(Inner { solver, unknowns: Vec::new(), answer: None });
        });
        Self { own, inner, n_unknowns: 0 }
    }

    fn inside(&mut self, work: impl FnOnce(&mut Inner) + Send + Sync) {
        let inner = self.inner.take().expect("it is given back each time");
        self.inner = Some(self.own.inside(inner, work));
    }

    fn inner(&self) -> &Inner {
        self.inner.as_ref().expect("it is given back each time")
    }

    /// A new unknown.
    pub fn unknown(&mut self, sign: Sign) -> Unknown {
        let unknown = Unknown(self.n_unknowns);
        self.n_unknowns += 1;
        self.inside(move |inner| {
            let made = Real::fresh_const("unknown");
            if sign == Sign::NotNegative {
                inner.solver.assert(made.ge(number("0")));
            }
            inner.unknowns.push(made);
        });
        unknown
    }

    /// Requires that the sum of these multiples of unknowns compares so with the bound.
    pub fn require(&mut self, sum: &[(Unknown, BigInt)], comparison: Comparison, bound: &BigInt) {
        let sum: Vec<(usize, String)> = sum.iter().map(|(unknown, by)| (unknown.0, by.to_string())).collect();
        let bound = bound.to_string();
        self.inside(move |inner| {
            let parts: Vec<Real> =
                sum.iter().map(|(at, by)| Real::mul(&[&number(by), &inner.unknowns[*at]])).collect();
            let zero = number("0");
            let sum = if parts.is_empty() { zero } else { Real::add(&parts.iter().collect::<Vec<_>>()) };
            let bound = number(&bound);
            let required: Bool = match comparison {
                Comparison::AtLeast => sum.ge(&bound),
                Comparison::Equal => sum.eq(&bound),
            };
            inner.solver.assert(&required);
        });
    }

    /// Opens a scope: what is required from here on goes when it is closed. Unknowns stay.
    pub fn push(&mut self) {
        self.inner().solver.push();
    }

    /// Closes the innermost scope.
    pub fn pop(&mut self) {
        self.inner().solver.pop(1);
    }

    /// A solution, if there is one.
    pub fn solve(&mut self, context: &Context) -> Result<LinearAnswer, StopReason> {
        context.poll()?;
        let timeout = context.time_left().map(power_of_two);
        let before = self.steps();
        self.inside(move |inner| {
            if timeout.is_some() {
                configure(&inner.solver, timeout);
            }
            let result = inner.solver.check();
            let model = if result == SatResult::Sat { inner.solver.get_model() } else { None };
            let values = model.map(|model| {
                inner.unknowns.iter().map(|unknown| fraction(&model, unknown)).collect::<Option<Vec<_>>>()
            });
            inner.answer = match (result, values) {
                (SatResult::Sat, Some(Some(values))) => Some((SatResult::Sat, values)),
                (SatResult::Unsat, _) => Some((SatResult::Unsat, Vec::new())),
                _ => None,
            };
        });
        let _ = context.spend((self.steps() - before) * UNITS_PER_STEP + UNITS_PER_CALL);
        let answer = self.inner.as_mut().expect("it is given back each time").answer.take();
        match answer {
            Some((SatResult::Sat, values)) => Ok(LinearAnswer::Solution(together(&values))),
            Some(_) => Ok(LinearAnswer::None),
            None => context.poll().map(|()| LinearAnswer::GaveUp),
        }
    }

    /// Z3's steps so far.
    fn steps(&self) -> u64 {
        match self.inner().solver.get_statistics().value("rlimit count") {
            Some(StatisticsValue::UInt(steps)) => u64::from(steps),
            _ => 0,
        }
    }
}

/// The most of Z3's steps for one question.
const STEPS: u32 = 400_000;

fn configure(solver: &Solver, timeout: Option<u32>) {
    let mut params = Params::new();
    params.set_bool("ctrl_c", false);
    params.set_u32("rlimit", STEPS);
    if let Some(timeout) = timeout {
        params.set_u32("timeout", timeout);
    }
    solver.set_params(&params);
}

fn number(text: &str) -> Real {
    Real::from_rational_str(text, "1").expect("a number is one to Z3")
}

/// The value of an unknown; zero if it does not matter.
fn fraction(model: &Model, unknown: &Real) -> Option<(BigInt, BigInt)> {
    let value = model.eval(unknown, true)?;
    match value.as_rational() {
        Some((above, below)) => Some((above.into(), below.into())),
        None => written(&value.to_string()),
    }
}

/// A number as Z3 writes it: `3.0`, `(- 3.0)`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
fn written(text: &str) -> Option<(BigInt, BigInt)> {
    if let Some(rest) = text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        return written(rest).map(|(above, below)| (-above, below));
    }
    let whole = |text: &str| text.strip_suffix(".0").unwrap_or(text).parse::<BigInt>().ok();
    match text.strip_prefix("(/ ").and_then(|rest| rest.strip_suffix(')')) {
        Some(rest) => {
            let (above, below) = rest.rsplit_once(' ')?;
            let (above, _) = written(above)?;
            Some((above, whole(below)?))
        }
        None => Some((whole(text)?, BigInt::one())),
    }
}

/// Fractions over their least common denominator.
fn together(fractions: &[(BigInt, BigInt)]) -> Vec<BigInt> {
    let common = fractions.iter().fold(BigInt::one(), |common, (_, below)| common.lcm(below));
    fractions.iter().map(|(above, below)| above * (&common / below)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(of: &[(Unknown, i64)]) -> Vec<(Unknown, BigInt)> {
        of.iter().map(|&(unknown, by)| (unknown, by.into())).collect()
    }

    #[test]
    fn a_solution_is_one_of_integers_and_scopes_take_back() {
        let mut system = LinearSystem::new();
        let (x, y) = (system.unknown(Sign::Any), system.unknown(Sign::NotNegative));
        // 3x + 2y = 1 and y >= 1: y = 1, x = -1/3, times three.
        system.require(&row(&[(x, 3), (y, 2)]), Comparison::Equal, &1.into());
        system.push();
        system.require(&row(&[(y, 1)]), Comparison::Equal, &1.into());
        let solved = system.solve(&Context::default());
        assert_eq!(solved, Ok(LinearAnswer::Solution(vec![BigInt::from(-1), BigInt::from(3)])));
        system.require(&row(&[(x, 1)]), Comparison::AtLeast, &0.into());
        assert_eq!(system.solve(&Context::default()), Ok(LinearAnswer::None));
        system.pop();
        assert!(matches!(system.solve(&Context::default()), Ok(LinearAnswer::Solution(_))));
    }

    #[test]
    fn numbers_of_any_size_are_read() {
        let big: BigInt = "123456789012345678901234567890".parse().expect("it is a number");
        let mut system = LinearSystem::new();
        let x = system.unknown(Sign::Any);
        system.require(&[(x, -big.clone())], Comparison::Equal, &1.into());
        assert_eq!(system.solve(&Context::default()), Ok(LinearAnswer::Solution(vec![BigInt::from(-1)])));
        system.require(&[], Comparison::AtLeast, &1.into());
        assert_eq!(system.solve(&Context::default()), Ok(LinearAnswer::None));
        assert_eq!(written("(- (/ 12.0 7.0))"), Some((BigInt::from(-12), BigInt::from(7))));
        assert_eq!(written("(/ (- 12.0) 7.0)"), Some((BigInt::from(-12), BigInt::from(7))));
    }
}
