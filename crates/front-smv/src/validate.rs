//! Whether a trace belongs to a model and shows what it claims, decided by the interpreter alone.
//!
//! A trace is a finite path, or a path with a loop: its first state is initial, every step exists with its input, the loop
//! closes. A loop that is to be fair satisfies each justice constraint on one of its steps, and each compassion
//! constraint: no step with the premise, or one with the conclusion. Nothing here knows decision diagrams or how the
//! trace was found.

use crate::interpret::{Fault, Input, Interpreter, Judgement, Obstacle, State};
use crate::lasso::evaluate_on_lasso;
use crate::{Atom, FlatModel, Specification, SpecificationKind};
use tertium_logic::{Formula, FormulaKind, Ltl};
use tertium_support::Span;

/// A path of a model.
pub type Trace = tertium_evidence::Trace<State, Input>;

/// Which fairness constraints a loop must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// Justice: what path quantifiers range over.
    Justice,
    /// Justice and compassion: what linear properties range over.
    JusticeAndCompassion,
}

/// Why a trace is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has no state, or not as many inputs as steps, or its loop starts beyond its end.
    Malformed,
    /// Its first state is not initial.
    NotInitial(Obstacle),
    /// There is no step from this state of the trace to the one after it.
    NoStep(usize, Obstacle),
    /// The loop does not satisfy the fairness constraint here.
    Unfair(Span),
    /// It is a path, but does not show what it claims; the place is that of the formula.
    NotShown(Span),
    /// It lacks the loop, or the specification is of another kind than the claim.
    WrongKind,
    /// Evaluating the model failed.
    Fault(Fault),
    /// A proposition of the formula has no meaning.
    UnknownProposition(String),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Refusal {
    /// The reason in words.
    pub fn text(&self, model: &FlatModel) -> String {
        match self {
            Self::Malformed => "the trace is not well formed".to_owned(),
            Self::NotInitial(obstacle) => format!("the first state is not initial: {}", obstacle.text(model)),
            Self::NoStep(at, obstacle) => {
                format!("there is no step from state {} to the next: {}", at + 1, obstacle.text(model))
            }
            Self::Unfair(span) => {
                let line = model.source.line(span.start);
                format!("the loop does not satisfy the fairness constraint in line {line}")
            }
            Self::NotShown(_) => "the trace does not show what it claims".to_owned(),
            Self::WrongKind => "this kind of trace says nothing about this kind of property".to_owned(),
            Self::Fault(fault) => fault.diagnostic(model).message,
            Self::UnknownProposition(name) => format!("nothing says what `{name}` means"),
        }
    }
}

/// Whether the trace is a path of the model that starts in an initial state. A loop must close; fairness is not asked.
pub fn validate_path(interpreter: &Interpreter<'_>, trace: &Trace) -> Result<(), Refusal> {
    let Some(first) = trace.states.first() else { return Err(Refusal::Malformed) };
    if let Judgement::No(obstacle) = interpreter.is_initial(first)? {
        return Err(Refusal::NotInitial(obstacle));
    }
    validate_steps(interpreter, trace)
}

/// Whether every step of the trace exists, wherever it starts.
pub(crate) fn validate_steps(interpreter: &Interpreter<'_>, trace: &Trace) -> Result<(), Refusal> {
    let n = trace.states.len();
    let n_steps = if trace.loop_start.is_some() { n } else { n.saturating_sub(1) };
    if n == 0 || trace.steps.len() != n_steps || trace.loop_start.is_some_and(|start| start >= n) {
        return Err(Refusal::Malformed);
    }
    for (at, input) in trace.steps.iter().enumerate() {
        let next = if at + 1 < n { at + 1 } else { trace.loop_start.expect("the last step of a loop") };
        let judgement = interpreter.is_step(&trace.states[at], input, &trace.states[next])?;
        if let Judgement::No(obstacle) = judgement {
            return Err(Refusal::NoStep(at, obstacle));
        }
    }
    Ok(())
}

/// Whether the loop of the trace is fair.
pub fn validate_fairness(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    fairness: Fairness,
) -> Result<(), Refusal> {
    let Some(start) = trace.loop_start else { return Err(Refusal::WrongKind) };
    let model = interpreter.model();
    let somewhere = |expr| -> Result<bool, Fault> {
        for at in start..trace.states.len() {
            if interpreter.holds(expr, &trace.states[at], Some(&trace.steps[at]))? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    for justice in &model.justice {
        if !somewhere(justice)? {
            return Err(Refusal::Unfair(justice.span));
        }
    }
    if fairness == Fairness::JusticeAndCompassion {
        for (premise, conclusion) in &model.compassion {
            if somewhere(premise)? && !somewhere(conclusion)? {
                return Err(Refusal::Unfair(premise.span.to(conclusion.span)));
            }
        }
    }
    Ok(())
}

/// Whether the trace refutes an invariant or a linear property: a path whose last state violates the invariant, or a fair
/// loop on which the property is false.
pub fn validate_refutation(
    interpreter: &Interpreter<'_>,
    specification: &Specification,
    trace: &Trace,
) -> Result<(), Refusal> {
    validate_path(interpreter, trace)?;
    let holds = match &specification.kind {
        SpecificationKind::Invariant(formula) => {
            let last = trace.states.last().expect("a path has a state");
            holds_at(interpreter, &specification.atoms, formula, last)?
        }
        SpecificationKind::Ltl(formula) => {
            validate_fairness(interpreter, trace, Fairness::JusticeAndCompassion)?;
            holds_on(interpreter, &specification.atoms, formula, trace)?
        }
        _ => return Err(Refusal::WrongKind),
    };
    if holds { Err(Refusal::NotShown(specification.span)) } else { Ok(()) }
}

/// Whether a linear formula holds at the start of a trace with a loop. Whether the trace is a path is not asked.
pub fn holds_on(
    interpreter: &Interpreter<'_>,
    atoms: &[Atom],
    formula: &Ltl,
    trace: &Trace,
) -> Result<bool, Refusal> {
    let Some(start) = trace.loop_start else { return Err(Refusal::WrongKind) };
    if start >= trace.states.len() || trace.steps.len() != trace.states.len() {
        return Err(Refusal::Malformed);
    }
    let mut proposition = |name: &str, at: usize| {
        let atom = find_atom(atoms, name)?;
        Ok(interpreter.holds(&atom.expr, &trace.states[at], Some(&trace.steps[at]))?)
    };
    evaluate_on_lasso(formula, trace.states.len(), start, &mut proposition).map(|values| values[0])
}

/// Whether a formula without temporal operators holds at a state.
pub(crate) fn holds_at(
    interpreter: &Interpreter<'_>,
    atoms: &[Atom],
    formula: &Formula,
    state: &State,
) -> Result<bool, Refusal> {
    let holds = |formula: &Formula| holds_at(interpreter, atoms, formula, state);
    Ok(match &formula.kind {
        FormulaKind::True => true,
        FormulaKind::False => false,
        FormulaKind::Proposition(name) => interpreter.holds(&find_atom(atoms, name)?.expr, state, None)?,
        FormulaKind::Not(f) => !holds(f)?,
        FormulaKind::And(parts) => {
            let all: Vec<bool> = parts.iter().map(holds).collect::<Result<_, _>>()?;
            all.into_iter().all(|part| part)
        }
        FormulaKind::Or(parts) => {
            let all: Vec<bool> = parts.iter().map(holds).collect::<Result<_, _>>()?;
            all.into_iter().any(|part| part)
        }
        FormulaKind::Implies(f, g) => !holds(f)? || holds(g)?,
        FormulaKind::Iff(f, g) => holds(f)? == holds(g)?,
        _ => return Err(Refusal::NotShown(formula.span)),
    })
}

fn find_atom<'a>(atoms: &'a [Atom], name: &str) -> Result<&'a Atom, Refusal> {
    atoms.iter().find(|atom| atom.name == name).ok_or_else(|| Refusal::UnknownProposition(name.to_owned()))
}
