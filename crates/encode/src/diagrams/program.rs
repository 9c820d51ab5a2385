//! From a bounded program to a symbolic system.
//!
//! A state is a value for each variable, as in the interpreter. The variables of the system are the *places* of these: one for each
//! variable, or for each element of an array. The system has no inputs: those of the program are quantified. Which command a step between two states is, and with which inputs, is found afterwards, for the few
//! steps that are shown: see [`EncodedProgram::step_between`].
//!
//! Codes that stand for no value occur in no initial state. From a state, every step leads to a state.

use super::steps::{Steps, fresh};
use super::together::lay_out;
use super::{
    EncodeError, Encoder, Form, Layout, Placed, circuit, conjoin, frame_of, manager_within, order_of,
};
use indexmap::IndexMap;
use tertium_dd::{Manager, Relation, Var};
use tertium_expr::{Term, Terms, Value};
use tertium_program::{
    CommandId, Domain, Input, Interpreter, Program, ProgramVariable, State, Step, StepTaken,
};
use tertium_support::{Context, Id};
use tertium_system::SymbolicModel;

/// The arrays of a program have at most this many bits together.
pub const MOST_ARRAY_BITS: usize = 4096;

/// What can be chosen about an encoding.
#[derive(Clone, Debug, Default)]
pub struct ProgramOptions {
    /// These places first, by number, in this order; the others follow as the commands put them together.
    pub order: Option<Vec<usize>>,
    /// At most this many nodes.
    pub node_limit: Option<usize>,
    /// From this many nodes on the order is improved on the way.
    pub reorder_from: Option<usize>,
}

/// A program as a symbolic system, with the way back.
#[derive(Debug)]
pub struct EncodedProgram<'p> {
    /// The system. Its variables are the places of those of the program, in their order; it has no inputs.
    pub model: SymbolicModel,
    program: &'p Program,
    encoder: Encoder<&'p Terms>,
    /// By variable.
    forms: Vec<Form>,
}

/// Whether all variables and inputs of a program have finitely many values, and arrays few enough, so that it can be encoded.
pub fn is_bounded(program: &Program) -> bool {
    let inputs = program.commands().iter().flat_map(|command| &command.steps).flat_map(|step| &step.inputs);
    let domains = inputs.map(|input| &input.domain);
    let few = |domain: &Domain| Form::of_domain(domain).is_some_and(|form| has_few_bits([&form]));
    forms_of(program).is_ok() && domains.into_iter().all(few)
}

/// The forms of the variables of a program.
fn forms_of(program: &Program) -> Result<Vec<Form>, EncodeError> {
    let forms = (program.variables().iter())
        .map(|own| Form::of_domain(&own.domain).ok_or(EncodeError::Unbounded(own.variable)));
    let forms = forms.collect::<Result<Vec<Form>, _>>()?;
    if has_few_bits(&forms) { Ok(forms) } else { Err(EncodeError::Arrays) }
}

fn has_few_bits<'f>(forms: impl IntoIterator<Item = &'f Form>) -> bool {
    let arrays = forms.into_iter().filter(|form| matches!(form, Form::Array(_)));
    arrays.fold(0usize, |sum, form| sum.saturating_add(form.width())) <= MOST_ARRAY_BITS
}

/// The names of the places of the variables of a program, in their order; nothing if it cannot be encoded.
pub fn place_names(program: &Program) -> Option<Vec<String>> {
    let names =
        |own: &ProgramVariable| Some(Form::of_domain(&own.domain)?.names(&program.terms.name(own.variable)));
    Some(program.variables().iter().map(names).collect::<Option<Vec<_>>>()?.concat())
}

/// Encodes a program.
pub fn encode_program<'p>(
    context: &Context,
    program: &'p Program,
    options: &ProgramOptions,
) -> Result<EncodedProgram<'p>, EncodeError> {
    let manager = manager_within(context, options.node_limit, options.reorder_from);
    let forms = forms_of(program)?;
    let (layout, variables) = lay_out(&manager, program, &forms, options.order.as_deref());
    let mut encoder = Encoder::new(&program.terms, &manager, layout);
    let mut valid = Vec::new();
    for own in program.variables() {
        let placed = encoder.layout().get(own.variable).expect("every variable has bits");
        valid.push(placed.valid(&manager)?);
    }
    let invar = conjoin(&manager, &valid)?;
    let init = encoder.truth(program.initial)?.and(&invar)?;
    let changes = Steps { program, encoder: &mut encoder, variables: &variables, forms: &forms }.changes()?;
    encoder.forget();
    let relation = Relation::changing(&manager, frame_of(&variables), changes)?;
    let model = SymbolicModel {
        faulty: manager.constant(false),
        manager,
        variables,
        init,
        invar,
        relation,
        justice: Vec::new(),
        compassion: Vec::new(),
        propositions: IndexMap::new(),
    };
    Ok(EncodedProgram { model, program, encoder, forms })
}

impl EncodedProgram<'_> {
    /// Makes a truth value known under a name.
    pub fn name(&mut self, name: &str, term: Term) -> Result<(), EncodeError> {
        if !self.model.propositions.contains_key(name) {
            let holds = self.encoder.truth(term)?;
            self.model.propositions.insert(name.to_owned(), holds);
        }
        Ok(())
    }

    /// The state with these codes, one for each place.
    pub fn state(&self, codes: &[u64]) -> Option<State> {
        let mut values = Vec::with_capacity(self.forms.len());
        let mut rest = codes;
        for form in &self.forms {
            let (own, others) = rest.split_at_checked(form.n_places())?;
            values.push(form.value(own)?);
            rest = others;
        }
        Some(State(values.into()))
    }

    /// Each bit of the current states, as a truth value over the variables of the program.
    pub fn bits(&self) -> Vec<(Var, Term)> {
        let terms = &self.program.terms;
        let mut bits = Vec::new();
        let mut places = self.model.variables.iter();
        for (own, form) in self.program.variables().iter().zip(&self.forms) {
            let parts = form.parts(terms, terms.variable(own.variable));
            for ((values, part), place) in form.places().into_iter().zip(parts).zip(&mut places) {
                let code = values.code_bits(terms, part);
                debug_assert_eq!(code.len(), place.current.len(), "both count the bits of codes");
                bits.extend(place.current.iter().copied().zip(code));
            }
        }
        bits
    }

    /// The places in the present order of their first bits.
    pub fn order(&self) -> Vec<usize> {
        order_of(&self.model.manager, &self.model.variables)
    }

    /// The first step of the program that leads from one state to another; nothing if there is none.
    pub fn step_between(
        &self,
        context: &Context,
        from: &State,
        to: &State,
    ) -> Result<Option<StepTaken>, EncodeError> {
        for command in CommandId::first(self.program.commands().len()) {
            for (step, way) in self.program.commands()[command.index()].steps.iter().enumerate() {
                context.poll()?;
                if let Some(inputs) = self.inputs_between(context, way, from, to)? {
                    return Ok(Some(StepTaken { command, step, inputs }));
                }
            }
        }
        Ok(None)
    }

    /// Values of inputs with which a step leads from one state to another, if there are any.
    fn inputs_between(
        &self,
        context: &Context,
        step: &Step,
        from: &State,
        to: &State,
    ) -> Result<Option<Vec<Value>>, EncodeError> {
        let own = self.program.variables();
        let keeps = |at: usize| from.0[at] == to.0[at] || step.updates.contains_key(&own[at].variable);
        if !(0..own.len()).all(keeps) {
            return Ok(None);
        }
        if step.inputs.is_empty() {
            let there = Interpreter::new(self.program).take(from, step, &[]);
            return Ok((there.as_ref() == Some(to)).then(Vec::new));
        }
        // Everything but the inputs is a constant.
        let manager = Manager::new(context);
        let mut layout = Layout::new();
        let mut allowed = manager.constant(true);
        for input in &step.inputs {
            let placed = fresh(&manager, input)?;
            allowed = allowed.and(&placed.valid(&manager)?)?;
            layout.insert(input.variable, placed);
        }
        let mut encoder = Encoder::new(&self.program.terms, &manager, layout);
        encoder.fix(own.iter().map(|own| own.variable).zip(&from.0))?;
        allowed = allowed.and(&encoder.truth(step.guard)?)?;
        for (at, own) in own.iter().enumerate() {
            if let Some(&term) = step.updates.get(&own.variable) {
                let codes = encoder.codes(term, &self.forms[at])?;
                let outside = encoder.outside(term, &self.forms[at])?;
                let Some(wanted) = self.forms[at].codes(&to.0[at]) else { return Ok(None) };
                allowed = allowed.diff(&outside)?;
                for (code, wanted) in codes.iter().zip(wanted) {
                    let wanted = circuit::constant(&manager, wanted.into(), code.len());
                    allowed = allowed.and(&circuit::equal(&manager, code, &wanted)?)?;
                }
            }
        }
        let layout = encoder.layout();
        let placed = step.inputs.iter().filter_map(|input| Some((input, layout.get(input.variable)?)));
        let placed: Vec<(&Input, &Placed)> = placed.collect();
        let bits: Vec<Var> = placed.iter().flat_map(|(_, placed)| placed.bits()).collect();
        let Some(chosen) = allowed.pick(&bits) else { return Ok(None) };
        let mut chosen = chosen.into_iter();
        let value = |(input, placed): &(&Input, &Placed)| {
            let code = |width: usize| {
                (0..width).fold(0, |code, bit| code | u64::from(chosen.next() == Some(true)) << bit)
            };
            let widths: Vec<usize> = placed.places().iter().map(|place| place.bits.len()).collect();
            let codes: Vec<u64> = widths.into_iter().map(code).collect();
            Form::of_domain(&input.domain)?.value(&codes)
        };
        Ok(placed.iter().map(value).collect())
    }
}
