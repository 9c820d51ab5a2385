//! What a run asks from outside, and simple sources of answers.
//!
//! A run is a function of the answers it gets: the same program with the same answers runs the same way, step by step.

use crate::ir::{Float, FunctionId, GlobalId, Integer, LocalId};
use std::sync::Arc;
use tertium_support::{Rng, Span};

/// A value that a run needs and the program does not give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who asks.
    pub source: InputSource,
    /// What kind of value.
    pub ty: InputType,
    /// The function that is running.
    pub function: FunctionId,
    /// Where the program asks.
    pub span: Span,
}

/// Who asks for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    /// A function of the environment: `__VERIFIER_nondet_int`; also what `printf` gives.
    Call {
        /// Its name.
        by: Arc<str>,
    },
    /// The first read of something that was not written.
    Uninitialised(Holder),
}

/// What holds a value that was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A local, or a part of it; parameters of `main` too.
    Local(FunctionId, LocalId),
    /// A global without definition, or a part of it.
    Global(GlobalId),
    /// Memory from `malloc` and its kin.
    Heap,
    /// Memory from `alloca`, or an array of variable length.
    Stack,
}

/// Kinds of values that can be asked for, and how the answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputType {
    /// The value; on machine integers it is taken modulo the width.
    Integer(Integer),
    /// The bits of the number as its type stores them; for `long double` those of a `double`.
    Float(Float),
    /// An address as a number: 0 is the null pointer.
    Pointer,
}

/// Where answers come from.
pub trait Inputs {
    /// The answer to the next request. Without one the run ends.
    fn next(&mut self, request: &Request) -> Option<i128>;
}

/// No answers: a run that needs one ends there.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInputs;

impl Inputs for NoInputs {
    fn next(&mut self, _: &Request) -> Option<i128> {
        None
    }
}

/// What a list of answers does when it is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The run ends.
    End,
    /// This answer, always.
    Always(i128),
}

/// Answers in the order of a list.
#[derive(Clone, Debug)]
pub struct ListedInputs {
    values: Vec<i128>,
    next: usize,
    then: Then,
}

impl ListedInputs {
    /// These answers, and what comes after them.
    pub fn new(values: Vec<i128>, then: Then) -> Self {
        Self { values, next: 0, then }
    }

    /// How many of the answers were used.
    pub fn used(&self) -> usize {
        self.next
    }
}

impl Inputs for ListedInputs {
    fn next(&mut self, _: &Request) -> Option<i128> {
        if let Some(&value) = self.values.get(self.next) {
            self.next += 1;
            return Some(value);
        }
        match self.then {
            Then::End => None,
            Then::Always(value) => Some(value),
        }
    }
}

/// Random answers: often small, sometimes at the ends of the type, sometimes anything. It keeps what it gave.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    rng: Rng,
    given: Vec<i128>,
}

impl RandomInputs {
    /// The answers that belong to a seed.
    pub fn seeded(seed: u64) -> Self {
        Self { rng: Rng::seeded(seed), given: Vec::new() }
    }

    /// The answers given so far: with these in a [`ListedInputs`] the run is the same.
    pub fn given(&self) -> &[i128] {
        &self.given
    }

    fn draw(&mut self, ty: InputType) -> i128 {
        let rng = &mut self.rng;
        match ty {
            InputType::Pointer => 0,
            InputType::Float(kind) => {
                let value = (rng.below(41) as f64 - 20.0) / if rng.chance(0.5) { 1.0 } else { 8.0 };
                match kind {
                    Float::Single => i128::from((value as f32).to_bits()),
                    Float::Double | Float::Long => i128::from(value.to_bits()),
                }
            }
            InputType::Integer(integer) => {
                let any = match rng.below(8) {
                    0..=2 => rng.below(3) as i128 - i128::from(integer.signed),
                    3..=4 => rng.below(21) as i128 - if integer.signed { 10 } else { 0 },
                    5 => rng.below(1001) as i128 - if integer.signed { 500 } else { 0 },
                    6 if rng.chance(0.5) => integer.least() + rng.below(3) as i128,
                    6 => integer.greatest() - rng.below(3) as i128,
                    _ => i128::from(rng.bits()),
                };
                integer.wrap(any)
            }
        }
    }
}

impl Inputs for RandomInputs {
    fn next(&mut self, request: &Request) -> Option<i128> {
        let value = self.draw(request.ty);
        self.given.push(value);
        Some(value)
    }
}

/// Answers that a function chooses.
#[derive(Debug)]
pub struct ChosenInputs<F>(pub F);

impl<F: FnMut(&Request) -> Option<i128>> Inputs for ChosenInputs<F> {
    fn next(&mut self, request: &Request) -> Option<i128> {
        self.0(request)
    }
}
