//! The tableau of a linear formula with past: which sub-formulas hold together, and how that goes on \[LPZ85\].
//!
//! What a formula says now depends on the propositions now and on a few bits: for each future operator, what the next place
//! says (a guess), for each past operator, what the place before said (a fact). The value of every sub-formula follows. A
//! guess is right if the next place says so; and so that no `until` is put off for ever, infinitely many places fulfil
//! it or do not promise it.

use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary};
use tertium_support::Span;

/// A place in the list of sub-formulas.
type Part = usize;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Constant(bool),
    Atom(usize),
    Not(Part),
    And(Part, Part),
    Or(Part, Part),
    Iff(Part, Part),
    /// A bit as it is.
    Bit(usize),
    /// `g or (f and bit)`
    Eventual(Part, Part, usize),
    /// `g and (f or bit)`
    Lasting(Part, Part, usize),
}

/// A bit and the sub-formula whose value at the place after (or before) it is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Memory {
    part: Part,
    /// For past operators: the bit at the first place.
    at_start: bool,
}

/// A formula, ready to be evaluated place by place.
pub(super) struct Tableau {
    parts: Vec<Kind>,
    /// The bits that are guessed.
    future: Vec<Memory>,
    /// The bits that are facts.
    past: Vec<Memory>,
    /// Infinitely often the first part holds or the second does not.
    fulfilments: Vec<(Part, Part)>,
}

/// Guessed bits and facts at one place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Bits {
    pub(super) future: u64,
    pub(super) past: u64,
}

/// The formula is not over the given propositions, or has too many operators.
pub(super) enum Refused {
    UnknownProposition(Span),
    TooLarge,
}

/// More guessed bits than this make more sets of guesses than anybody can wait for.
const MOST_BITS: usize = 20;

impl Tableau {
    /// The tableau of a formula; `atom` numbers the propositions. The formula itself is the last part.
    pub(super) fn new(formula: &Ltl, atom: &dyn Fn(&str) -> Option<usize>) -> Result<Self, Refused> {
        let mut tableau =
            Self { parts: Vec::new(), future: Vec::new(), past: Vec::new(), fulfilments: Vec::new() };
        let root = tableau.part(formula, atom)?;
        if root + 1 != tableau.parts.len() {
            tableau.parts.push(Kind::And(root, root));
        }
        if tableau.future.len() > MOST_BITS || tableau.past.len() > 64 || tableau.fulfilments.len() > 64 {
            return Err(Refused::TooLarge);
        }
        Ok(tableau)
    }

    pub(super) fn n_future(&self) -> usize {
        self.future.len()
    }

    pub(super) fn n_fulfilments(&self) -> usize {
        self.fulfilments.len()
    }

    /// The facts at the first place.
    pub(super) fn first_past(&self) -> u64 {
        bits(self.past.iter().map(|memory| memory.at_start))
    }

    /// The values of all parts.
    pub(super) fn values(&self, atoms: &[bool], given: Bits) -> Vec<bool> {
        debug_assert!(given.future >> self.future.len() == 0, "only bits of the tableau are guessed");
        let mut values: Vec<bool> = Vec::with_capacity(self.parts.len());
        // The bits of the future come first, then those of the past.
        let bit = |at: usize| match at.checked_sub(MOST_BITS_FUTURE) {
            None => given.future >> at & 1 == 1,
            Some(at) => given.past >> at & 1 == 1,
        };
        for part in &self.parts {
            values.push(match *part {
                Kind::Constant(value) => value,
                Kind::Atom(atom) => atoms[atom],
                Kind::Not(f) => !values[f],
                Kind::And(f, g) => values[f] && values[g],
                Kind::Or(f, g) => values[f] || values[g],
                Kind::Iff(f, g) => values[f] == values[g],
                Kind::Bit(at) => bit(at),
                Kind::Eventual(f, g, at) => values[g] || values[f] && bit(at),
                Kind::Lasting(f, g, at) => values[g] && (values[f] || bit(at)),
            });
        }
        values
    }

    /// What the guesses at the place before must have been.
    pub(super) fn guessed_before(&self, values: &[bool]) -> u64 {
        bits(self.future.iter().map(|memory| values[memory.part]))
    }

    /// The facts at the place after.
    pub(super) fn past_after(&self, values: &[bool]) -> u64 {
        debug_assert_eq!(values.len(), self.parts.len(), "every part has a value");
        bits(self.past.iter().map(|memory| values[memory.part]))
    }

    /// Which fulfilments this place is one of.
    pub(super) fn fulfils(&self, values: &[bool]) -> u64 {
        bits(self.fulfilments.iter().map(|&(done, promised)| values[done] || !values[promised]))
    }

    fn part(&mut self, formula: &Ltl, atom: &dyn Fn(&str) -> Option<usize>) -> Result<Part, Refused> {
        let kind = match &formula.kind {
            LtlKind::True => Kind::Constant(true),
            LtlKind::False => Kind::Constant(false),
            LtlKind::Proposition(name) => {
                Kind::Atom(atom(name).ok_or(Refused::UnknownProposition(formula.span))?)
            }
            LtlKind::Unary(operator, f) => {
                let f = self.part(f, atom)?;
                return Ok(self.unary(*operator, f));
            }
            LtlKind::Binary(operator, f, g) => {
                let (f, g) = (self.part(f, atom)?, self.part(g, atom)?);
                return Ok(self.binary(*operator, f, g));
            }
        };
        Ok(self.push(kind))
    }

    fn unary(&mut self, operator: LtlUnary, f: Part) -> Part {
        match operator {
            LtlUnary::Not => self.push(Kind::Not(f)),
            LtlUnary::Next => {
                let bit = self.guess(f);
                self.push(Kind::Bit(bit))
            }
            LtlUnary::Previous | LtlUnary::WeakPrevious => {
                let bit = self.fact(f, operator == LtlUnary::WeakPrevious);
                self.push(Kind::Bit(bit))
            }
            LtlUnary::Finally | LtlUnary::Once => {
                let all = self.push(Kind::Constant(true));
                let operator =
                    if operator == LtlUnary::Finally { LtlBinary::Until } else { LtlBinary::Since };
                self.binary(operator, all, f)
            }
            LtlUnary::Globally | LtlUnary::Historically => {
                let none = self.push(Kind::Constant(false));
                let operator =
                    if operator == LtlUnary::Globally { LtlBinary::Releases } else { LtlBinary::Triggered };
                self.binary(operator, none, f)
            }
        }
    }

    fn binary(&mut self, operator: LtlBinary, f: Part, g: Part) -> Part {
        let this = |tableau: &Self| tableau.parts.len();
        match operator {
            LtlBinary::And => self.push(Kind::And(f, g)),
            LtlBinary::Or => self.push(Kind::Or(f, g)),
            LtlBinary::Iff => self.push(Kind::Iff(f, g)),
            LtlBinary::Xor => {
                let same = self.push(Kind::Iff(f, g));
                self.push(Kind::Not(same))
            }
            LtlBinary::Implies => {
                let not = self.push(Kind::Not(f));
                self.push(Kind::Or(not, g))
            }
            LtlBinary::Until => {
                let until = this(self);
                let bit = self.guess(until);
                self.fulfilments.push((g, until));
                self.push(Kind::Eventual(f, g, bit))
            }
            // What is not released for ever is broken at some place: the dual of fulfilling an until.
            LtlBinary::Releases => {
                let releases = this(self);
                let bit = self.guess(releases);
                self.fulfilments.push((releases, g));
                self.push(Kind::Lasting(f, g, bit))
            }
            LtlBinary::Since => {
                let since = this(self);
                let bit = self.fact(since, false);
                self.push(Kind::Eventual(f, g, bit))
            }
            LtlBinary::Triggered => {
                let triggered = this(self);
                let bit = self.fact(triggered, true);
                self.push(Kind::Lasting(f, g, bit))
            }
        }
    }

    fn push(&mut self, kind: Kind) -> Part {
        self.parts.push(kind);
        self.parts.len() - 1
    }

    fn guess(&mut self, part: Part) -> usize {
        self.future.push(Memory { part, at_start: false });
        self.future.len() - 1
    }

    fn fact(&mut self, part: Part, at_start: bool) -> usize {
        self.past.push(Memory { part, at_start });
        MOST_BITS_FUTURE + self.past.len() - 1
    }
}

/// Numbers of bits from here on are of the past.
const MOST_BITS_FUTURE: usize = 1 << 20;

fn bits(values: impl Iterator<Item = bool>) -> u64 {
    values
        .enumerate()
        .inspect(|&(at, _)| debug_assert!(at < 64, "there is a bit for every value"))
        .fold(0, |bits, (at, value)| bits | u64::from(value).checked_shl(at as u32).unwrap_or(0))
}
