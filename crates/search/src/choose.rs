//! Values of inputs, one for each way in which the state after a step can look.
//!
//! At a state all variables but the inputs have values, so what the control and the predicates after the step say is
//! said of the inputs alone. Of all inputs with which the step can be taken, one is chosen for each combination of what
//! these say. Control comes first, since which predicates count depends on it.
//!
//! Where one input decides and is only compared with numbers, no solver is asked (`intervals`). Else it is, for one
//! more combination at a time: with k predicates at most 2^k times. Where it gives up, a combination may be missed, and
//! that is kept in mind: what was searched then proves nothing.

use crate::intervals::values_of_all_intervals;
use crate::transition::OpenStep;
use crate::{Machine, Precision, TransitionId};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Sort, Substitution, Term, Terms, Value, Variable, evaluate};
use tertium_program::{CommandId, Role, State, Step, StepTaken};
use tertium_solve::{Answer, Prover};
use tertium_support::{Context, Id, StopReason};

/// What is asked about the inputs of a step: where it can be taken, and what counts of what comes after.
type Asked = (CommandId, usize, Term, Vec<Term>);

/// Values of the inputs of a step, one row for each choice.
type Choices = Rc<Vec<Vec<Value>>>;

/// What a choice of inputs can depend on.
struct Facing {
    /// For each predicate what it says of the state before the step and the inputs, if inputs have a say in it.
    said: Vec<Option<Term>>,
    /// The variables whose values matter: control, and what occurs in the guard, in what control becomes, and in these predicates.
    variables: Vec<usize>,
}

/// Chooses inputs for one round.
pub(crate) struct Chooser<'c, 'p> {
    context: &'c Context,
    prover: &'c mut Prover<'p>,
    facing: FxHashMap<(CommandId, usize), Rc<Facing>>,
    /// By the values that matter.
    made: FxHashMap<(CommandId, usize, Vec<Value>), Choices>,
    remembered: FxHashMap<Asked, Choices>,
    chosen: IndexSet<StepTaken>,
    complete: bool,
    n_questions: usize,
}

impl<'c, 'p> Chooser<'c, 'p> {
    /// Nothing chosen. The prover has to be new, or used for this program only.
    pub(crate) fn new(context: &'c Context, prover: &'c mut Prover<'p>) -> Self {
        Self {
            context,
            prover,
            facing: FxHashMap::default(),
            made: FxHashMap::default(),
            remembered: FxHashMap::default(),
            chosen: IndexSet::new(),
            complete: true,
            n_questions: 0,
        }
    }

    /// Whether no combination was missed.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many questions the solver was asked.
    pub(crate) fn n_questions(&self) -> usize {
        self.n_questions
    }

    /// Choices that are new.
    pub(crate) fn chosen(self) -> IndexSet<StepTaken> {
        self.chosen
    }

    /// The successors of a state by steps whose inputs are chosen.
    pub(crate) fn successors(
        &mut self,
        machine: &Machine<'_>,
        precision: &Precision,
        state: &State,
    ) -> Result<Vec<(TransitionId, State)>, StopReason> {
        let mut successors = Vec::new();
        for own in machine.open_steps() {
            for inputs in self.choices(machine, precision, state, own)?.iter() {
                // The choices were evaluated, so the step can be taken with them.
                let Some(next) = machine.interpreter().take(state, own.step, inputs) else { continue };
                let transition = StepTaken { command: own.command, step: own.number, inputs: inputs.clone() };
                successors.push((machine.id_of_choice(transition, &mut self.chosen), next));
            }
        }
        Ok(successors)
    }

    fn choices(
        &mut self,
        machine: &Machine<'_>,
        precision: &Precision,
        state: &State,
        own: &OpenStep<'_>,
    ) -> Result<Choices, StopReason> {
        let facing = self.facing.entry((own.command, own.number));
        let facing = Rc::clone(facing.or_insert_with(|| Rc::new(Facing::new(machine, precision, own))));
        debug_assert_eq!(facing.said.len(), precision.len(), "choices of one round are by its predicates");
        let values = facing.variables.iter().map(|&at| state.0[at].clone()).collect();
        let place = (own.command, own.number, values);
        if let Some(known) = self.made.get(&place) {
            return Ok(Rc::clone(known));
        }
        let made = Rc::new(self.choose(machine, precision, state, own, &facing)?);
        self.made.insert(place, Rc::clone(&made));
        Ok(made)
    }

    fn choose(
        &mut self,
        machine: &Machine<'_>,
        precision: &Precision,
        state: &State,
        own: &OpenStep<'_>,
        facing: &Facing,
    ) -> Result<Vec<Vec<Value>>, StopReason> {
        let program = machine.program();
        let terms = &program.terms;
        let values = program.variables().iter().zip(&state.0);
        let mut here =
            Substitution::new(values.map(|(variable, value)| (variable.variable, terms.value(value))));
        let guard = here.apply(terms, own.step.guard);
        if terms.as_bool(guard) == Some(false) {
            return Ok(Vec::new());
        }
        let control: Vec<(usize, Term)> = own
            .step
            .updates
            .iter()
            .filter_map(|(&variable, &update)| Some((program.id_of(variable)?.index(), update)))
            .filter(|(at, _)| program.variables()[*at].role == Role::Control)
            .map(|(at, update)| (at, here.apply(terms, update)))
            .collect();
        let open =
            control.iter().map(|(_, update)| *update).filter(|&update| terms.as_value(update).is_none());
        let open: Vec<Term> = open.collect();
        let samples = match open[..] {
            [] => Rc::new(vec![first_inputs(own.step)]),
            _ => self.samples(terms, own, guard, open)?,
        };
        let mut choices = Vec::new();
        for sample in samples.iter() {
            // The state after the step as far as its control goes.
            let mut after = state.clone();
            let mut condition = vec![guard];
            for &(at, update) in &control {
                let value = value_of(terms, own.step, sample, update);
                condition.push(terms.equal(update, terms.value(&value)));
                after.0[at] = value;
            }
            let mut counted = BTreeSet::new();
            for said in precision.active(program, &after).into_iter().filter_map(|n| facing.said[n]) {
                let said = here.apply(terms, said);
                if terms.as_bool(said).is_none() {
                    counted.insert(said.min(terms.not(said)));
                }
            }
            let counted: Vec<Term> = counted.into_iter().collect();
            choices.extend(self.samples(terms, own, terms.and(condition), counted)?.iter().cloned());
        }
        Ok(choices)
    }

    /// Inputs where the condition holds, one for each combination of values of the terms that count.
    fn samples(
        &mut self,
        terms: &Terms,
        own: &OpenStep<'_>,
        condition: Term,
        counted: Vec<Term>,
    ) -> Result<Choices, StopReason> {
        let asked = (own.command, own.number, condition, counted);
        if let Some(known) = self.remembered.get(&asked) {
            return Ok(Rc::clone(known));
        }
        let counted = &asked.3;
        let about: Vec<Term> = counted.iter().copied().chain([condition]).collect();
        let deciding: BTreeSet<Variable> = about.iter().flat_map(|&term| terms.variables_of(term)).collect();
        let first = first_inputs(own.step);
        let easy = match deciding.iter().collect::<Vec<_>>()[..] {
            [] => Some(vec![first.clone()]),
            [&only] => values_of_all_intervals(terms, only, &about).map(|values| {
                let with = |value| {
                    let inputs = own.step.inputs.iter().zip(&first);
                    inputs
                        .map(|(input, other)| if input.variable == only { &value } else { other }.clone())
                        .collect()
                };
                values.into_iter().map(with).collect()
            }),
            _ => None,
        };
        let found = match easy {
            Some(candidates) => distinct(terms, own.step, condition, counted, candidates),
            None => self.ask(terms, own.step, condition, counted)?,
        };
        debug_assert!(
            found.iter().all(|inputs| inputs.len() == own.step.inputs.len()),
            "every input of the step has a value"
        );
        let found = Rc::new(found);
        self.remembered.insert(asked, Rc::clone(&found));
        Ok(found)
    }

    /// The same, with the solver.
    fn ask(
        &mut self,
        terms: &Terms,
        step: &Step,
        condition: Term,
        counted: &[Term],
    ) -> Result<Vec<Vec<Value>>, StopReason> {
        let combinations = counted
            .iter()
            .all(|&term| terms.sort(term) == Sort::Bool)
            .then(|| 1usize.checked_shl(counted.len().try_into().ok()?))
            .flatten();
        let mut together = vec![condition];
        let mut found = Vec::new();
        while Some(found.len()) != combinations {
            self.context.poll()?;
            self.n_questions += 1;
            let (answer, model) = self.prover.find(self.context, terms, together.iter().copied());
            if answer.unless_stopped()? == Answer::Unsatisfiable {
                return Ok(found);
            }
            // What the model leaves open has the first value, as for the prover, who may have found the model for another
            // question.
            let inputs = model.map(|model| -> Vec<Value> {
                step.inputs.iter().map(|input| model.value(terms, input.variable)).collect()
            });
            let holds = |inputs: &Vec<Value>| value_of(terms, step, inputs, condition) == Value::Bool(true);
            let Some(inputs) = inputs.filter(holds) else {
                self.complete = false;
                return Ok(found);
            };
            let same = counted
                .iter()
                .map(|&term| terms.equal(term, terms.value(&value_of(terms, step, &inputs, term))));
            together.push(terms.not(terms.and(same)));
            found.push(inputs);
        }
        Ok(found)
    }
}

impl Facing {
    fn new(machine: &Machine<'_>, precision: &Precision, own: &OpenStep<'_>) -> Self {
        let program = machine.program();
        let terms = &program.terms;
        let is_input = |variable: &Variable| own.step.inputs.iter().any(|input| input.variable == *variable);
        let mut assignment = own.step.substitution();
        let said: Vec<Option<Term>> = precision
            .iter()
            .map(|predicate| assignment.apply(terms, predicate.term))
            .map(|said| terms.variables_of(said).iter().any(is_input).then_some(said))
            .collect();
        let is_control = |at: usize| program.variables()[at].role == Role::Control;
        let becoming = own
            .step
            .updates
            .iter()
            .filter(|(variable, _)| program.id_of(**variable).is_some_and(|id| is_control(id.index())));
        let mattering = said.iter().flatten().copied().chain(becoming.map(|(_, &update)| update));
        let occurring: BTreeSet<Variable> =
            mattering.chain([own.step.guard]).flat_map(|term| terms.variables_of(term)).collect();
        let variables = program.variables().iter().enumerate();
        let variables = variables.filter(|(at, own)| is_control(*at) || occurring.contains(&own.variable));
        Self { said, variables: variables.map(|(at, _)| at).collect() }
    }
}

/// Of the candidates where the condition holds, the first with each combination of values.
fn distinct(
    terms: &Terms,
    step: &Step,
    condition: Term,
    counted: &[Term],
    candidates: Vec<Vec<Value>>,
) -> Vec<Vec<Value>> {
    let mut found: IndexMap<Vec<Value>, Vec<Value>> = IndexMap::new();
    for inputs in candidates {
        if value_of(terms, step, &inputs, condition) == Value::Bool(true) {
            let row = counted.iter().map(|&term| value_of(terms, step, &inputs, term)).collect();
            found.entry(row).or_insert(inputs);
        }
    }
    found.into_values().collect()
}

/// A term about inputs only.
fn value_of(terms: &Terms, step: &Step, inputs: &[Value], term: Term) -> Value {
    debug_assert_eq!(inputs.len(), step.inputs.len(), "every input of the step has a value");
    let value = |variable| {
        let at = step.inputs.iter().position(|input| input.variable == variable)?;
        Some(inputs[at].clone())
    };
    evaluate(terms, term, &value).expect("all variables of the program were replaced by their values")
}

/// A value of each input.
fn first_inputs(step: &Step) -> Vec<Value> {
    step.inputs.iter().map(|input| input.domain.first()).collect()
}
