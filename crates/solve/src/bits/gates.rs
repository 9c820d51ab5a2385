//! Boolean gates as clauses: Tseitin's translation, each gate once.
//!
//! A gate gets a variable and the clauses that tie it to its operands in both directions, so it may be used with either
//! sign. What constants or equal operands decide gets neither.

use super::sides::Sides;
use crate::sat::{Literal, Sat};
use rustc_hash::FxHashMap;

/// Gates over the variables of a solver.
pub(super) struct Gates {
    pub(super) sat: Sat,
    /// A literal that holds.
    truth: Literal,
    ands: FxHashMap<(Literal, Literal), Literal>,
    xors: FxHashMap<(Literal, Literal), Literal>,
    choices: FxHashMap<(Literal, Literal, Literal), Literal>,
}

impl Gates {
    pub(super) fn new(mut sat: Sat) -> Self {
        let truth = sat.fresh();
        sat.add(&[truth]);
        Self {
            sat,
            truth,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            choices: FxHashMap::default(),
        }
    }

    pub(super) fn constant(&self, value: bool) -> Literal {
        if value { self.truth } else { !self.truth }
    }

    /// The constant that a literal is by construction, if it is one.
    pub(super) fn known(&self, literal: Literal) -> Option<bool> {
        if literal == self.truth {
            Some(true)
        } else if literal == !self.truth {
            Some(false)
        } else {
            None
        }
    }

    pub(super) fn fresh(&mut self) -> Literal {
        self.sat.fresh()
    }

    /// Demands that a literal holds.
    pub(super) fn demand(&mut self, literal: Literal) {
        if self.known(literal) != Some(true) {
            self.sat.add(&[literal]);
        }
    }

    pub(super) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return !self.truth,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return !self.truth,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&gate) = self.ands.get(&key) {
            return gate;
        }
        let gate = self.fresh();
        self.sat.add(&[!gate, a]);
        self.sat.add(&[!gate, b]);
        self.sat.add(&[gate, !a, !b]);
        self.ands.insert(key, gate);
        gate
    }

    pub(super) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// Conjunction of any number.
    pub(super) fn all(&mut self, parts: impl IntoIterator<Item = Literal>) -> Literal {
        let mut parts: Vec<Literal> =
            parts.into_iter().filter(|&part| self.known(part) != Some(true)).collect();
        parts.sort_unstable();
        parts.dedup();
        // A literal and its negation stand beside each other.
        if parts.iter().any(|&part| self.known(part) == Some(false))
            || parts.windows(2).any(|pair| pair[0] == !pair[1])
        {
            return !self.truth;
        }
        match parts[..] {
            [] => self.truth,
            [one] => one,
            [one, other] => self.and(one, other),
            _ => {
                let gate = self.fresh();
                self.tie_all(gate, &parts, Sides::BOTH);
                gate
            }
        }
    }

    /// Disjunction of any number.
    pub(super) fn any(&mut self, parts: impl IntoIterator<Item = Literal>) -> Literal {
        !self.all(parts.into_iter().map(|part| !part))
    }

    pub(super) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        match (self.known(a), self.known(b)) {
            (Some(value), _) => return if value { !b } else { b },
            (_, Some(value)) => return if value { !a } else { a },
            _ if a == b => return !self.truth,
            _ if a == !b => return self.truth,
            _ => {}
        }
        // Signs go to the outside.
        let flipped = a.is_negative() != b.is_negative();
        let (a, b) = (positive(a), positive(b));
        let key = (a.min(b), a.max(b));
        let gate = match self.xors.get(&key) {
            Some(&gate) => gate,
            None => {
                let gate = self.fresh();
                self.sat.add(&[!gate, a, b]);
                self.sat.add(&[!gate, !a, !b]);
                self.sat.add(&[gate, !a, b]);
                self.sat.add(&[gate, a, !b]);
                self.xors.insert(key, gate);
                gate
            }
        };
        if flipped { !gate } else { gate }
    }

    pub(super) fn iff(&mut self, a: Literal, b: Literal) -> Literal {
        !self.xor(a, b)
    }

    /// `if condition then yes else no`.
    pub(super) fn choose(&mut self, condition: Literal, yes: Literal, no: Literal) -> Literal {
        match (self.known(condition), self.known(yes), self.known(no)) {
            (Some(value), _, _) => return if value { yes } else { no },
            (_, Some(true), _) => return self.or(condition, no),
            (_, Some(false), _) => return self.and(!condition, no),
            (_, _, Some(true)) => return self.or(!condition, yes),
            (_, _, Some(false)) => return self.and(condition, yes),
            _ if yes == no => return yes,
            _ if yes == !no => return self.iff(condition, yes),
            _ if condition == yes => return self.or(condition, no),
            _ if condition == !yes => return self.and(!condition, no),
            _ if condition == no => return self.and(condition, yes),
            _ if condition == !no => return self.or(!condition, yes),
            _ => {}
        }
        let (condition, yes, no) =
            if condition.is_negative() { (!condition, no, yes) } else { (condition, yes, no) };
        let flipped = yes.is_negative();
        let (yes, no) = if flipped { (!yes, !no) } else { (yes, no) };
        let gate = match self.choices.get(&(condition, yes, no)) {
            Some(&gate) => gate,
            None => {
                let gate = self.fresh();
                self.tie_choice(gate, [condition, yes, no], Sides::BOTH);
                self.choices.insert((condition, yes, no), gate);
                gate
            }
        };
        if flipped { !gate } else { gate }
    }

    /// Ties a literal to a choice on some sides.
    pub(super) fn tie_choice(&mut self, gate: Literal, [condition, yes, no]: [Literal; 3], sides: Sides) {
        if sides.holds {
            self.sat.add(&[!condition, yes, !gate]);
            self.sat.add(&[condition, no, !gate]);
            // This follows, and lets the solver see what both sides agree on; below likewise.
            self.sat.add(&[yes, no, !gate]);
        }
        if sides.fails {
            self.sat.add(&[!condition, !yes, gate]);
            self.sat.add(&[condition, !no, gate]);
            self.sat.add(&[!yes, !no, gate]);
        }
    }

    /// Ties a literal to a conjunction on some sides.
    pub(super) fn tie_all(&mut self, gate: Literal, parts: &[Literal], sides: Sides) {
        if sides.holds {
            for &part in parts {
                self.sat.add(&[!gate, part]);
            }
        }
        if sides.fails {
            let clause: Vec<Literal> = parts.iter().map(|&part| !part).chain([gate]).collect();
            self.sat.add(&clause);
        }
    }

    /// Whether an odd number of three hold.
    pub(super) fn odd(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let one = self.xor(a, b);
        self.xor(one, c)
    }

    /// Whether at least two of three hold.
    pub(super) fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        for (one, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            match self.known(one) {
                Some(true) => return self.or(x, y),
                Some(false) => return self.and(x, y),
                None => {}
            }
        }
        if a == b || a == c {
            return a;
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if a == !c {
            return b;
        }
        if b == !c {
            return a;
        }
        let gate = self.fresh();
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.sat.add(&[!x, !y, gate]);
            self.sat.add(&[x, y, !gate]);
        }
        gate
    }
}

fn positive(literal: Literal) -> Literal {
    if literal.is_negative() { !literal } else { literal }
}
