//! Models of guarded commands: `.gcl`.

use super::begins_with;
use crate::model::input_names;
use crate::{
    Format, FoundSystem, Halt, Input, Logic, Model, OffersProgram, OffersQueries, OffersRuns, OffersStates,
    OffersSymbolic, OffersSystem, OffersTerms, Parameter, Property, PropertyId, Read, ReadOptions, TermClaim,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tertium_encode::diagrams::is_bounded;
use tertium_evidence::{NamedValue, Names, Origin, PropertyName, StepName};
use tertium_explore::{Exploration, Gap, reachable};
use tertium_expr::Term;
use tertium_front_gcl::{PropertyMeaning, read_plainly, warnings};
use tertium_logic::Formula;
use tertium_program::{
    CommandId, Domain, LocId, Predicate, Program, Step, branching_claim, linear_claim, state_claim,
};
use tertium_report::Comments;
use tertium_support::{Context, Diagnostics, Id, Source};
use tertium_system::{ActionId, ConcreteId, PartialSystem, PropId, StateId};

/// The row of the table.
pub(crate) const GCL: Format = Format {
    name: "gcl",
    title: "guarded commands",
    extensions: &["gcl"],
    has_properties: true,
    modal: false,
    has_parameters: true,
    preprocessing: None,
    on_machine: false,
    written_as: "pts",
    looks_like: |bytes| begins_with(bytes, "//", &["program", "var", "const", "enum", "process", "control"]),
    read: read_commands,
};

fn read_commands(context: &Context, input: Input, options: &ReadOptions) -> Result<Read, Halt> {
    let source = Source::from_bytes(input.name, input.bytes)
        .map_err(|wrong| Halt::Faulty(Box::new(wrong.0), vec![wrong.1]))?;
    let parameters: Vec<tertium_front_gcl::Parameter> = options.parameters.iter().map(parameter).collect();
    let read = read_plainly(context, &source, &parameters);
    let (model, mut found) = read.map_err(|error| Halt::unread(error, &source))?;
    if let Some(unknown) = parameters.iter().find(|own| !model.constants.contains_key(&own.name)) {
        return Err(Halt::Refused(unknown_parameter(source.name(), unknown, &model)));
    }
    if options.warnings {
        found.extend(warnings(context, &model)?);
    }
    Ok((Box::new(Commands::new(source, model)), found))
}

fn parameter(own: &Parameter) -> tertium_front_gcl::Parameter {
    let Parameter { name, value, written } = own.clone();
    tertium_front_gcl::Parameter { name, value, written }
}

fn unknown_parameter(
    file: &str,
    unknown: &tertium_front_gcl::Parameter,
    model: &tertium_front_gcl::Model,
) -> String {
    let all: Vec<&str> = model.constants.keys().map(String::as_str).collect();
    let more = if all.len() > MOST_LISTED { ", …" } else { "" };
    let known = match all.as_slice() {
        [] => "it has no constants".to_owned(),
        all => format!("its constants are {}{more}", all[..all.len().min(MOST_LISTED)].join(", ")),
    };
    format!("{}: {file} has no constant `{}`; {known}", unknown.written, unknown.name)
}

/// So many names are listed in a message.
const MOST_LISTED: usize = 20;

/// A model with the meanings of its properties.
pub(crate) struct Commands {
    source: Source,
    pub(crate) model: tertium_front_gcl::Model,
    properties: Vec<Property>,
    /// By property.
    meanings: Vec<PropertyMeaning>,
    /// Whether every variable and input has finitely many values, and not too many for diagrams.
    is_finite: bool,
}

fn logic(meaning: &PropertyMeaning) -> Logic {
    match meaning {
        PropertyMeaning::Branching(meaning) => Logic::Branching(meaning.formula.clone()),
        PropertyMeaning::Linear(meaning) => Logic::Linear(meaning.formula.clone()),
    }
}

impl Commands {
    fn new(source: Source, model: tertium_front_gcl::Model) -> Self {
        let named = |(index, own): (usize, &tertium_front_gcl::Property)| {
            let given = own.label.clone().unwrap_or_else(|| (index + 1).to_string());
            Property {
                name: PropertyName {
                    file: source.name().to_owned(),
                    given,
                    label: own.label.clone(),
                    text: own.formula_text(),
                    line: Some(source.line(own.span.start)),
                },
                source: source.clone(),
                logic: logic(&own.meaning),
            }
        };
        let properties = model.properties.iter().enumerate().map(named).collect();
        let meanings = model.properties.iter().map(|own| own.meaning.clone()).collect();
        let is_finite = is_bounded(&model.program);
        Self { source, model, properties, meanings, is_finite }
    }

    /// The name of the file.
    pub(super) fn model_name(&self) -> &str {
        self.source.name()
    }

    /// The propositions of properties, and what they mean.
    pub(super) fn atoms<'a>(&'a self, properties: &'a [PropertyId]) -> impl Iterator<Item = (&'a str, Term)> {
        let meanings = properties.iter().map(|property| &self.meanings[property.index()]);
        meanings.flat_map(PropertyMeaning::atoms).map(|(name, &term)| (name.as_str(), term))
    }

    /// What `logic`, in the propositions of a property, claims of every reachable state: it holds if this does. Nothing if it is of
    /// another form. Only infinite paths count in linear time; a claim about all reachable states is one about these, too.
    pub(super) fn claim(&self, property: PropertyId, logic: &Logic) -> Option<Predicate> {
        let terms = &self.model.program.terms;
        let atoms = self.meaning(property).atoms();
        let meaning = |name: &str| atoms.get(name).copied();
        let holds = match logic {
            Logic::Branching(formula) => branching_claim(terms, formula, &meaning),
            Logic::Invariant(formula) => state_claim(terms, formula, &meaning),
            Logic::Linear(formula) => linear_claim(terms, formula, &meaning),
            Logic::Shortest(..) | Logic::Longest(..) => None,
        };
        holds.map(|holds| Predicate::plain(terms, holds))
    }

    /// What a property means.
    pub(super) fn meaning(&self, property: PropertyId) -> &PropertyMeaning {
        &self.meanings[property.index()]
    }
}

impl Model for Commands {
    fn source(&self) -> &Source {
        &self.source
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn read_property(
        &mut self,
        name: PropertyName,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics> {
        let meaning = match self.model.linear_formula(source) {
            Some(linear) => PropertyMeaning::Linear(linear?),
            None => PropertyMeaning::Branching(self.model.formula(source)?),
        };
        self.properties.push(Property { name, source: source.clone(), logic: logic(&meaning) });
        self.meanings.push(meaning);
        Ok((PropertyId::new(self.properties.len() - 1), Vec::new()))
    }

    fn comments(&self) -> Comments {
        Comments::Formula
    }

    fn text(&self, logic: &Logic) -> String {
        match logic {
            Logic::Branching(formula) => in_language(formula),
            _ => logic.to_string(),
        }
    }

    fn print(&self) -> Option<String> {
        Some(self.model.to_string())
    }

    fn system(&self) -> Option<&dyn OffersSystem> {
        Some(self)
    }

    fn program(&self) -> Option<&dyn OffersProgram> {
        Some(self)
    }

    fn terms(&self) -> Option<&dyn OffersTerms> {
        Some(self)
    }

    fn symbolic(&self) -> Option<&dyn OffersSymbolic> {
        self.is_finite.then_some(self as _)
    }

    fn queries(&self) -> Option<&dyn OffersQueries> {
        Some(self)
    }

    fn states(&self) -> Option<&dyn OffersStates> {
        Some(self)
    }

    fn runs(&self) -> Option<&dyn OffersRuns> {
        Some(self)
    }
}

impl OffersSystem for Commands {
    fn system(&self, context: &Context, properties: &[PropertyId], most: usize) -> Result<FoundSystem, Halt> {
        let found = reachable(context, &self.model.program, most)?;
        let system = match properties {
            [] => {
                let named = self.model.program.propositions.iter();
                let named = named.map(|(name, &term): (&String, &Term)| (name.as_str(), term));
                found.to_system(&self.model.program, named)
            }
            _ => found.to_system(&self.model.program, self.atoms(properties)),
        };
        let left_out = left_out(&self.model, &found);
        let system = Arc::new(system);
        let names = self.names(Arc::clone(&system), found);
        Ok(FoundSystem { system, names, origin: Origin::Model, left_out })
    }

    fn is_given(&self) -> bool {
        false
    }

    fn is_bounded(&self) -> bool {
        self.model.program.variables().iter().all(|own| own.domain.is_finite())
    }

    fn is_wide(&self) -> bool {
        let is_wide = |domain: &Domain| matches!(domain, Domain::Bits(width) if *width > u64::BITS);
        self.is_bounded() && self.model.program.variables().iter().any(|own| is_wide(&own.domain))
    }
}

/// A formula as the user could write it. Conditions are its propositions, and stand in quotation marks where they are
/// more than a name; these become parentheses.
pub(super) fn in_language(formula: &Formula) -> String {
    let names = formula.propositions();
    let quoted = names.iter().map(|(name, _)| (format!("\"{name}\""), format!("({name})")));
    quoted.fold(formula.to_string(), |text, (quoted, plain)| text.replace(&quoted, &plain))
}

/// The states that a search found, by the values of their variables.
struct StatesOfProgram {
    system: Arc<PartialSystem>,
    found: Exploration,
    variables: Vec<String>,
    /// By action of the system: the command, if there is only one with this action.
    steps: Vec<StepName>,
    /// By command.
    commands: Vec<StepName>,
    /// By command and way: the variables that take the values of its inputs, by which these are known.
    takers: Vec<Vec<Vec<usize>>>,
}

impl StatesOfProgram {
    fn new(own: &Commands, system: Arc<PartialSystem>, found: Exploration) -> Self {
        let program = &own.model.program;
        let commands: Vec<StepName> =
            CommandId::first(program.commands().len()).map(|command| own.step_name(command)).collect();
        let mut by_action: FxHashMap<&str, Option<&StepName>> = FxHashMap::default();
        for command in &commands {
            by_action.entry(&command.action).and_modify(|only| *only = None).or_insert(Some(command));
        }
        let steps = system.actions().ids().map(|action| {
            let action = system.actions().name(action);
            let only = by_action.get(action).copied().flatten();
            only.cloned().unwrap_or_else(|| StepName { action: action.to_owned(), ..StepName::default() })
        });
        let steps = steps.collect();
        let variables: Vec<String> =
            program.variables().iter().map(|own| program.terms.name(own.variable)).collect();
        let takers = |way: &Step| {
            let names = input_names(program, way).into_iter();
            names.filter_map(|name| variables.iter().position(|own| *own == name)).collect()
        };
        let takers =
            program.commands().iter().map(|command| command.steps.iter().map(takers).collect()).collect();
        Self { system, found, variables, steps, commands, takers }
    }
}

impl Names for StatesOfProgram {
    fn state(&self, state: StateId) -> String {
        if state.index() < self.found.n_states() {
            String::new()
        } else {
            self.system.state_name(state).into_owned()
        }
    }

    fn values(&self, state: StateId) -> Vec<NamedValue> {
        if state.index() >= self.found.n_states() {
            return Vec::new();
        }
        let state = self.found.state(state.index());
        let values = self.variables.iter().zip(&state.0);
        values.map(|(name, value)| NamedValue::of_variable(name, value.to_string())).collect()
    }

    fn step(&self, step: ActionId) -> StepName {
        self.steps[step.index()].clone()
    }

    fn step_between(&self, source: StateId, step: ActionId, target: StateId) -> StepName {
        let general = &self.steps[step.index()];
        let end = Some(target.index()).filter(|&number| number < self.found.n_states());
        let mut taken = self.found.ways_between(source.index(), end);
        let own = taken.find(|(command, _)| self.commands[command.index()].action == general.action);
        let Some((command, way)) = own else { return general.clone() };
        let takers = &self.takers[command.index()][way];
        let values = end.filter(|_| !takers.is_empty()).map(|number| self.found.state(number).0);
        let input = |&taker: &usize| {
            values.as_ref().map(|values| (self.variables[taker].clone(), values[taker].to_string()))
        };
        let inputs = takers.iter().filter_map(input).collect();
        StepName { inputs, ..self.commands[command.index()].clone() }
    }

    fn proposition(&self, proposition: PropId) -> String {
        self.system.labels().names().name(proposition).to_owned()
    }

    fn concrete(&self, concrete: ConcreteId) -> String {
        Names::concrete(self.system.as_ref(), concrete)
    }

    fn system(&self) -> Option<&PartialSystem> {
        Some(&self.system)
    }
}

/// What a search left out, in a sentence each.
pub(crate) fn left_out(model: &tertium_front_gcl::Model, found: &Exploration) -> Vec<String> {
    let n = found.n_states();
    let states = if n == 1 { "1 state was".to_owned() } else { format!("{n} states were") };
    let text = |gap: &Gap| match gap {
        Gap::Initial => "there are more initial states".to_owned(),
        Gap::Bound => "there are more states".to_owned(),
        Gap::Stopped(_) => "the search was stopped".to_owned(),
        Gap::Input(command) => {
            let written = model.command_text(&model.commands[command.index()]);
            format!("an input without bounds is not followed, in `{written}`")
        }
    };
    found.gaps.iter().map(|gap| format!("{states} looked at; {}", text(gap))).collect()
}

impl OffersTerms for Commands {
    fn with_claim(&self, property: PropertyId, logic: &Logic, work: &mut dyn FnMut(TermClaim<'_>)) {
        let program = &self.model.program;
        // In linear time a state that violates the claim refutes nothing if no infinite path leads through it.
        let is_exact = !matches!(logic, Logic::Linear(_));
        if let Some(claim) = self.claim(property, logic).filter(|_| is_exact) {
            let system = program.term_system().system;
            work(TermClaim { terms: &program.terms, system: &system, claim: &claim });
        }
    }
}

impl OffersProgram for Commands {
    fn program(&self) -> &Program {
        &self.model.program
    }

    fn propositions(&self, property: PropertyId) -> Vec<(String, Term)> {
        let atoms = self.meaning(property).atoms();
        atoms.iter().map(|(name, &term)| (name.clone(), term)).collect()
    }

    fn read_predicates(&self, source: &Source) -> Result<Vec<(Term, Vec<LocId>)>, Diagnostics> {
        self.model.predicates(source)
    }

    fn names(&self, system: Arc<PartialSystem>, found: Exploration) -> Arc<dyn Names> {
        Arc::new(StatesOfProgram::new(self, system, found))
    }

    fn step_name(&self, command: CommandId) -> StepName {
        let own = &self.model.commands[command.index()];
        let line = Some(self.source.line(own.guard_span.start));
        let process = self.model.program.taker(command).map(str::to_owned);
        let (action, command) = (own.action.clone(), Some(command.index() + 1));
        StepName { process, action, command, line, ..StepName::default() }
    }
}
