//! Abstract states.

use crate::describe::essential;
use fixedbitset::FixedBitSet;
use tertium_expr::{Substitution, Term, Value, Variable};
use tertium_program::{Interpreter, Precision, Program, State};
use tertium_support::Id;
use tertium_truth::{Kleene, TriVector};

/// A value for each control variable and a truth value for each predicate that counts there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbstractState {
    /// The control variables, in the order of the program.
    pub control: Box<[Value]>,
    /// Those that hold, of the predicates that count with this control, by their place among these.
    pub bits: FixedBitSet,
}

impl AbstractState {
    /// The abstract state that stands for a concrete one; nothing if predicates that count there are quantified over large domains.
    pub fn of(interpreter: &Interpreter<'_>, precision: &Precision, state: &State) -> Option<Self> {
        let control: Box<[Value]> = interpreter.control(state).into();
        let predicates = precision.terms_at(interpreter.program(), &control);
        let mut bits = FixedBitSet::with_capacity(predicates.len());
        for (n, predicate) in predicates.into_iter().enumerate() {
            bits.set(n, interpreter.known_value(state, predicate)? == Value::Bool(true));
        }
        Some(Self { control, bits })
    }

    /// Exactly the concrete states that it stands for, as a term.
    pub fn term(&self, program: &Program, precision: &Precision) -> Term {
        let terms = &program.terms;
        let control = control_variables(program).into_iter().zip(&self.control);
        let control =
            control.map(|(variable, value)| terms.equal(terms.variable(variable), terms.value(value)));
        let literals = self.literals(program, precision);
        terms.and([program.within()].into_iter().chain(control).chain(literals))
    }

    /// The predicates that count, each as it holds.
    fn literals(&self, program: &Program, precision: &Precision) -> Vec<Term> {
        let predicates = precision.terms_at(program, &self.control);
        debug_assert_eq!(predicates.len(), self.bits.len(), "a bit for each predicate that counts");
        let literal = |(n, predicate)| {
            if self.bits.contains(n) { predicate } else { program.terms.not(predicate) }
        };
        predicates.into_iter().enumerate().map(literal).collect()
    }

    /// A term with the values of the control variables here.
    pub fn at_control(&self, program: &Program, term: Term) -> Term {
        at_control(program, &self.control).apply(&program.terms, term)
    }

    /// The truth values of the predicates that count as a vector without stars.
    pub fn vector(&self) -> TriVector {
        TriVector::new((0..self.bits.len()).map(|n| Kleene::from(self.bits.contains(n))).collect())
    }

    /// In words: the values of control variables, and what the predicates say, as far as it is not too much.
    pub fn describe(&self, program: &Program, precision: &Precision) -> String {
        describe(program, &self.control, self.literals(program, precision).into_iter())
    }
}

/// Control values and literals in words.
pub(crate) fn describe(program: &Program, control: &[Value], literals: impl Iterator<Item = Term>) -> String {
    let terms = &program.terms;
    let control = control_variables(program).into_iter().zip(control);
    let control = control.map(|(variable, value)| format!("{} = {value}", terms.name(variable)));
    let literals: Vec<Term> = literals.collect();
    let said = essential(terms, &literals).into_iter().map(|literal| terms.print(literal).to_string());
    let all: Vec<String> = control.chain(said).collect();
    match &all[..] {
        [] => "anywhere".to_owned(),
        [first @ .., _] if first.len() >= MOST_DESCRIBED => {
            format!("{}, …", all[..MOST_DESCRIBED].join(", "))
        }
        _ => all.join(", "),
    }
}

/// A description names so many values and predicates.
const MOST_DESCRIBED: usize = 8;

/// The control variables of a program, in order.
pub(crate) fn control_variables(program: &Program) -> Vec<Variable> {
    program.control().iter().map(|id| program.variables()[id.index()].variable).collect()
}

/// The replacement of control variables by these values.
pub(crate) fn at_control(program: &Program, control: &[Value]) -> Substitution {
    let variables = control_variables(program).into_iter();
    Substitution::new(variables.zip(control).map(|(variable, value)| (variable, program.terms.value(value))))
}
