//! Where the model has no meaning: found for all states at once, told with one of them.
//!
//! The rule is that of the interpreter: a law without meaning counts where no other law says no. For states and initial states
//! all laws are taken together. A step counts if it leaves a state that can be reached: only if there are steps without meaning at
//! all, reachable states are looked for, until one with such a step is met. What exactly is wrong at the example is said by the
//! interpreter, on a model with that law only.

use super::EncodeError;
use super::encoding::Encoding;
use super::laws::{Law, Origin};
use super::layout::decode;
use crate::lower::When;
use crate::{FlatModel, Input, Interpreter, State, Value, VarId, VarKind, value_text};
use tertium_dd::{Bdd, Frame, Relation, Var};
use tertium_support::{Context, Diagnostic, Id, Span};

/// Checks that every law of a state has a meaning wherever the others allow the state.
pub(super) fn check_states(encoding: &Encoding<'_>, laws: &[&Law<'_>]) -> Result<(), EncodeError> {
    if laws.iter().all(|law| law.fault.is_false()) {
        return Ok(());
    }
    let mut allowed = encoding.manager.constant(true);
    for law in laws {
        for part in not_broken(law)? {
            allowed = allowed.and(&part)?;
        }
    }
    for law in laws {
        let at = law.fault.and(&allowed)?;
        if !at.is_false() {
            return Err(EncodeError::Model(Box::new(explain(encoding, law, &at))));
        }
    }
    Ok(())
}

/// Steps from states at which a law has no meaning, though no other law excludes them.
pub(super) struct FaultySteps<'l, 'm> {
    law: &'l Law<'m>,
    steps: Relation,
    /// Where they begin.
    pub(super) from: Bdd,
}

/// The steps from states that are without meaning, by law.
pub(super) fn faulty_steps<'l, 'm>(
    encoding: &Encoding<'_>,
    frame: &Frame,
    invar: &Bdd,
    laws: &[&'l Law<'m>],
) -> Result<Vec<FaultySteps<'l, 'm>>, EncodeError> {
    let mut faulty = Vec::new();
    for (index, law) in laws.iter().enumerate() {
        if law.fault.is_disjoint(invar)? {
            continue;
        }
        let mut parts = vec![law.fault.clone()];
        for (other, law) in laws.iter().enumerate() {
            if other != index {
                parts.extend(not_broken(law)?);
            }
        }
        let steps = Relation::new(&encoding.manager, frame.clone(), vec![parts])?;
        let from = steps.preimage(&encoding.manager.constant(true), invar)?;
        if !from.is_false() {
            faulty.push(FaultySteps { law, steps, from });
        }
    }
    Ok(faulty)
}

/// Checks that no step without meaning leaves a reachable state. Goes forwards layer by layer, and only if there are such steps.
pub(super) fn check_steps(
    context: &Context,
    encoding: &Encoding<'_>,
    init: &Bdd,
    relation: &Relation,
    faulty: &[FaultySteps<'_, '_>],
) -> Result<(), EncodeError> {
    let (mut reached, mut newest) = (init.clone(), init.clone());
    while !faulty.is_empty() && !newest.is_false() {
        context.poll()?;
        for FaultySteps { law, steps, from } in faulty {
            let from = from.and(&newest)?;
            let current = &relation.frame().current;
            if let Some(target) = steps.image(&from)?.pick(current) {
                let target = Bdd::cube(&encoding.manager, current.iter().copied().zip(target))?;
                let at = steps.steps(&from, &target)?;
                return Err(EncodeError::Model(Box::new(explain(encoding, law, &at))));
            }
        }
        newest = relation.image(&newest)?.diff(&reached)?;
        reached = reached.or(&newest)?;
    }
    Ok(())
}

/// Checks that a Boolean expression has a meaning at every state with every input.
pub(super) fn check_everywhere(
    encoding: &Encoding<'_>,
    law: &Law<'_>,
    states: &Bdd,
) -> Result<(), EncodeError> {
    let at = law.fault.and(states)?;
    if at.is_false() { Ok(()) } else { Err(EncodeError::Model(Box::new(explain(encoding, law, &at)))) }
}

fn not_broken(law: &Law<'_>) -> Result<Vec<Bdd>, EncodeError> {
    if law.fault.is_false() {
        let mut parts = law.parts.clone();
        if !law.alternatives.is_empty() {
            parts.push(law.any_alternative(law.fault.manager())?);
        }
        return Ok(parts);
    }
    Ok(law.parts.iter().map(|part| part.or(&law.fault)).collect::<Result<_, _>>()?)
}

/// Says what is wrong with a law at one of these points.
fn explain(encoding: &Encoding<'_>, law: &Law<'_>, at: &Bdd) -> Diagnostic {
    let model = encoding.model;
    let point = Point::of(encoding, at);
    let diagnostic = ask_interpreter(model, law.origin, &point).unwrap_or_else(|| {
        let span = match law.origin {
            Origin::Constraint(expr, _) => expr.span,
            Origin::Assign(assign) => assign.span,
            Origin::Variable => Span::default(),
        };
        Diagnostic::error(span, "this has no meaning in some state")
    });
    // Only the variables on which it depends whether there is a fault are of interest.
    match words(encoding, &law.fault.support(), &point) {
        Some(words) => diagnostic.with_note(format!("for example with {words}")),
        None => diagnostic,
    }
}

/// Values of these bits at one of the points, in words.
pub(super) fn example(encoding: &Encoding<'_>, concerned: &[Var], at: &Bdd) -> Option<String> {
    words(encoding, concerned, &Point::of(encoding, at))
}

fn words(encoding: &Encoding<'_>, concerned: &[Var], point: &Point) -> Option<String> {
    let model = encoding.model;
    let mut words = Vec::new();
    for (when, values) in [(When::Now, &point.now), (When::Next, &point.next)] {
        for &id in &encoding.layout.kept {
            let reads = encoding.layout.vars(id, when).iter().any(|var| concerned.contains(var));
            if let (true, Some(value)) = (reads, values[id.index()]) {
                let name = &model.variables[id.index()].name;
                let name = if when == When::Next { format!("next({name})") } else { name.clone() };
                words.push(format!("{name} = {}", value_text(model, value)));
            }
        }
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// Values of the variables before and after a step.
struct Point {
    now: Vec<Option<Value>>,
    next: Vec<Option<Value>>,
}

impl Point {
    fn of(encoding: &Encoding<'_>, at: &Bdd) -> Self {
        let model = encoding.model;
        let first = |id: VarId| decode(&model.variables[id.index()].ty, 0);
        let defaults: Vec<_> = VarId::first(model.variables.len()).map(first).collect();
        let mut point = Self { now: defaults.clone(), next: defaults };
        let all: Vec<Var> = encoding.manager.order();
        let Some(chosen) = at.pick(&all) else { return point };
        let mut values = vec![false; all.len()];
        all.iter().zip(chosen).for_each(|(var, value)| values[var.index()] = value);
        for &id in &encoding.layout.kept {
            let value = |when| {
                let vars = encoding.layout.vars(id, when).iter().enumerate();
                let code = vars.fold(0, |code, (bit, var)| code | u64::from(values[var.index()]) << bit);
                decode(&model.variables[id.index()].ty, code)
            };
            point.now[id.index()] = value(When::Now).or(point.now[id.index()]);
            point.next[id.index()] = value(When::Next).or(point.next[id.index()]);
        }
        point
    }
}

/// What the interpreter says about the law at this point, without all other laws.
fn ask_interpreter(model: &FlatModel, origin: Origin<'_>, point: &Point) -> Option<Diagnostic> {
    let mut alone = FlatModel {
        assigns: Vec::new(),
        init: Vec::new(),
        invar: Vec::new(),
        trans: Vec::new(),
        justice: Vec::new(),
        compassion: Vec::new(),
        specifications: Vec::new(),
        ..model.clone()
    };
    let is_initial = match origin {
        Origin::Constraint(expr, When::Now) => {
            alone.trans.push(expr.clone());
            false
        }
        Origin::Constraint(expr, When::Next) => {
            alone.invar.push(expr.clone());
            false
        }
        Origin::Assign(assign) => {
            alone.assigns.push(assign.clone());
            assign.time != crate::AssignTime::Next
                && model.variables[assign.target.index()].kind != VarKind::Input
        }
        Origin::Variable => return None,
    };
    // Frozen variables would have to agree.
    alone.variables.iter_mut().for_each(|variable| {
        if variable.kind == VarKind::Frozen {
            variable.kind = VarKind::State;
        }
    });
    let interpreter = Interpreter::new(&alone);
    let state = |variables: &[VarId], values: &[Option<Value>]| {
        variables.iter().map(|id| values[id.index()]).collect::<Option<Box<[Value]>>>()
    };
    let now = State(state(interpreter.state_variables(), &point.now)?);
    let fault = if is_initial {
        interpreter.is_initial(&now).err()?
    } else {
        let input = Input(state(interpreter.input_variables(), &point.now)?);
        let next = State(state(interpreter.state_variables(), &point.next)?);
        interpreter.is_step(&now, &input, &next).err()?
    };
    Some(fault.diagnostic(model))
}
