//! From sets of minterms to sets of monomials: the reduction operator on diagrams \[Wei09, Fig. 5.4\].
//!
//! A monomial lies within a set of minterms iff all its minterms do. From the top variable on: where the predicate is
//! left open, what is left has to lie within both halves, otherwise within the half of its value. Every node of the set
//! is looked at once, down to the last predicate that can be left open, and results are remembered from call to call.

use super::MonomialFrame;
use rustc_hash::FxHashMap;
use tertium_dd::{Bdd, Var};
use tertium_support::StopReason;

/// So many results are remembered before all are forgotten: they keep their nodes alive.
const MOST_REMEMBERED: usize = 1 << 20;

/// The reduction operator for monomials that leave only some predicates open.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// By the variable of a value, that of its openness.
    open: FxHashMap<Var, Var>,
    known: FxHashMap<Bdd, Bdd>,
}

impl Reduction {
    /// For monomials that leave some of these predicates open. In sets, any other variables can occur too; they are left alone.
    pub fn new(frame: &MonomialFrame, predicates: impl IntoIterator<Item = usize>) -> Self {
        let pairs = predicates.into_iter().map(|predicate| frame.get(predicate));
        Self {
            open: pairs.map(|variables| (variables.value, variables.open)).collect(),
            known: FxHashMap::default(),
        }
    }

    /// For all monomials.
    pub fn of_all(frame: &MonomialFrame) -> Self {
        Self::new(frame, 0..frame.len())
    }

    /// The monomials all of whose minterms are in the set.
    pub fn within(&mut self, minterms: &Bdd) -> Result<Bdd, StopReason> {
        if self.known.len() > MOST_REMEMBERED {
            self.known.clear();
        }
        let manager = minterms.manager();
        let deepest = self.open.keys().map(|&value| manager.level(value)).max();
        deepest.map_or_else(|| Ok(minterms.clone()), |deepest| self.reduce(minterms, deepest))
    }

    /// The monomials some of whose minterms are in the set.
    pub fn touching(&mut self, minterms: &Bdd) -> Result<Bdd, StopReason> {
        Ok(self.within(&minterms.not())?.not())
    }

    /// The same, where nothing below the level `deepest` can be left open.
    fn reduce(&mut self, minterms: &Bdd, deepest: usize) -> Result<Bdd, StopReason> {
        let manager = minterms.manager();
        let Some(top) = minterms.top().filter(|&top| manager.level(top) <= deepest) else {
            return Ok(minterms.clone());
        };
        if let Some(known) = self.known.get(minterms) {
            return Ok(known.clone());
        }
        let (low, high) = minterms.halves();
        let (low, high) = (self.reduce(&low, deepest)?, self.reduce(&high, deepest)?);
        let fixed = manager.var(top)?.ite(&high, &low)?;
        let reduced = match self.open.get(&top) {
            Some(&open) => manager.var(open)?.ite(&low.and(&high)?, &fixed)?,
            None => fixed,
        };
        self.known.insert(minterms.clone(), reduced.clone());
        Ok(reduced)
    }
}

#[cfg(test)]
mod tests {
    use super::{MonomialFrame, Reduction};
    use tertium_dd::{Bdd, Manager};
    use tertium_support::{Cancel, Context, Limits};
    use tertium_truth::Kleene;

    fn frame(n: usize) -> MonomialFrame {
        let manager = Manager::new(&Context::new(Limits::default(), Cancel::default()));
        MonomialFrame::new(&manager, &(0..n).collect::<Vec<_>>())
    }

    /// Whether a monomial, written with `*` for what is open, is in a set. The value of what is open must not matter.
    fn has(frame: &MonomialFrame, set: &Bdd, monomial: &str) -> bool {
        let signs: Vec<char> = monomial.chars().collect();
        let place = |var| frame.iter().position(|own| own.open == var || own.value == var).expect("current");
        let member = |free: bool| {
            set.eval(|var| {
                let at = place(var);
                if frame.get(at).open == var {
                    signs[at] == '*'
                } else {
                    signs[at] == '1' || signs[at] == '*' && free
                }
            })
        };
        assert_eq!(member(true), member(false), "what is open has no value");
        member(true)
    }

    #[test]
    fn two_minterms_that_agree_on_two_predicates_contain_the_monomial_of_these() {
        let frame = frame(3);
        let set = frame.minterms([(0, true), (1, true)]).expect("no limits");
        let value_vars: Vec<_> = frame.iter().map(|own| own.value).collect();
        assert_eq!(
            set.minterms(&value_vars).count(),
            2,
            "one diagram over two of three variables is two minterms"
        );
        let reduced = Reduction::of_all(&frame).within(&set).expect("no limits");
        for (monomial, inside) in
            [("11*", true), ("111", true), ("110", true), ("1*1", false), ("***", false), ("*11", false)]
        {
            assert_eq!(has(&frame, &reduced, monomial), inside, "{monomial}");
        }
    }

    #[test]
    fn the_diagram_of_a_monomial_is_that_of_the_source() {
        let frame = frame(3);
        let monomial = [(0, Kleene::True), (1, Kleene::False), (2, Kleene::Unknown)];
        let [p, q, r] = [0, 1, 2].map(|predicate| frame.get(predicate));
        let expected = Bdd::cube(
            frame.manager(),
            [
                (p.next_open, false),
                (p.next_value, true),
                (q.next_open, false),
                (q.next_value, false),
                (r.next_open, true),
            ],
        );
        assert_eq!(frame.next_monomials(monomial).expect("no limits"), expected.expect("no limits"));
    }

    #[test]
    fn a_monomial_touches_what_one_of_its_minterms_is_in() {
        let frame = frame(2);
        let set = frame.minterms([(0, true), (1, false)]).expect("no limits");
        let touching = Reduction::of_all(&frame).touching(&set).expect("no limits");
        for (monomial, inside) in
            [("10", true), ("1*", true), ("**", true), ("*1", false), ("0*", false), ("11", false)]
        {
            assert_eq!(has(&frame, &touching, monomial), inside, "{monomial}");
        }
    }

    #[test]
    fn what_may_not_be_left_open_keeps_its_value() {
        let frame = frame(2);
        let set = frame.minterms([(1, true)]).expect("no limits");
        let mut first_only = Reduction::new(&frame, [0]);
        assert_eq!(first_only.within(&set).expect("no limits"), set);
    }
}
