//! Programs in C as plain programs, for formulas that ask for more than a goal.
//!
//! A program without recursion that is followed exactly is one of commands: every instruction, branch, call and return is a step. Where
//! the program has ended it stays for ever, so that runs which end are runs like others. Runs that an assumption or undefined behaviour
//! blocks have no next step, and do not count as runs without end. What the propositions of all properties mean is made with it.

use super::doubts::doubts_on;
use super::goal::{Asked, asked, unseen};
use super::meaning::{Atom, Meaning, ends, points_of, read_meaning};
use super::recorder::RunNames;
use super::{CProgram, Graph, UNSUPPORTED, shown};
use crate::{FoundSystem, Halt, Logic, OffersProgram, OffersSystem, PropertyId};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tertium_evidence::{Evidence, NamedValue, Names, Origin, StepName};
use tertium_explore::{Exploration, Gap, Run, reachable};
use tertium_expr::{Sort, Term, Transplant, Variable};
use tertium_front_c::lower::{Granularity, LowerOptions, lower};
use tertium_logic::{Formula, FormulaKind};
use tertium_program::{
    Action, CommandId, Icfg, Inlined, LocId, NotPlain, PointId, Program, ProgramVariable, Statement, Step,
    inlined_showing,
};
use tertium_recursion::{IcfgRun, Move, RunStep};
use tertium_support::{Context, Diagnostic, Diagnostics, Id, Source, Span};
use tertium_system::{ActionId, ConcreteId, PartialSystem, PropId, StateId};

/// So many reasons are told.
const MOST_REASONS: usize = 3;
/// A variable with more values is none of a program whose states can be listed.
const MOST_VALUES: usize = 1 << 16;
/// What the steps are called that a program takes where it has ended.
const STAYS: &str = "end";

/// A program as commands, with what leads back.
pub(super) struct Plain {
    graph: Graph,
    inlined: Inlined,
    /// By property.
    propositions: Vec<Vec<(String, Term)>>,
    /// What commands are called.
    steps: Vec<StepName>,
}

/// Why there is none, in sentences; none where a limit ended the work.
pub(super) type NoPlain = Vec<String>;

impl CProgram {
    /// The program as commands, where a property asks for more than whether a place can be reached.
    pub(super) fn plain(&self) -> Option<Result<&Plain, &NoPlain>> {
        let asks = self.properties.iter().any(|own| !matches!(asked(&own.logic), Asked::Reach { .. }));
        asks.then(|| self.plain.get_or_init(|| self.make_plain(&self.context)).as_ref())
    }

    fn make_plain(&self, context: &Context) -> Result<Plain, NoPlain> {
        let how = LowerOptions { granularity: Granularity::Instructions, ..self.how };
        let lowered = lower(context, &self.unit, &how).map_err(|_| Vec::new())?;
        let graph = Graph::new(lowered);
        let icfg = &graph.icfg;
        let meanings: Vec<Meaning> = self
            .properties
            .iter()
            .map(|own| read_meaning(icfg, &self.unit, &own.source).map_err(|_| Vec::new()))
            .collect::<Result<_, _>>()?;
        let mut looked_at: BTreeSet<Variable> = BTreeSet::new();
        for atom in meanings.iter().flat_map(|meaning| meaning.atoms.values()) {
            if let Atom::Condition(condition, _) = atom {
                looked_at.extend(icfg.terms.variables_of(*condition));
            }
        }
        let mut inlined = inlined_showing(icfg, &looked_at).map_err(|why| self.why_not_plain(&graph, why))?;
        let mut reached = points_of(icfg, [UNSUPPORTED]);
        reached.retain(|point| inlined.points.contains(point));
        if !reached.is_empty() {
            return Err(shown::unsupported(&self.source, &self.unit, &graph.unsupported, &reached));
        }
        let propositions =
            meanings.iter().map(|meaning| propositions(icfg, &inlined, &meaning.atoms)).collect();
        let mut steps = Vec::new();
        for (&edge, command) in inlined.edges.iter().zip(inlined.program.commands()) {
            let line = shown::line_of(&self.source, &self.unit, icfg.edge(edge).span);
            steps.push(StepName { action: command.action.clone(), line, ..StepName::default() });
        }
        for point in ends(icfg) {
            let Some(number) = inlined.points.iter().position(|&own| own == point) else { continue };
            let guard = is_at(&inlined, &[number]);
            let step = Step { guard, inputs: Vec::new(), updates: BTreeMap::new() };
            inlined.program.add_command(STAYS, Statement::Step(step), icfg.point(point).span);
            steps.push(StepName { action: STAYS.to_owned(), ..StepName::default() });
        }
        Ok(Plain { graph, inlined, propositions, steps })
    }

    fn why_not_plain(&self, graph: &Graph, why: NotPlain) -> NoPlain {
        let icfg = &graph.icfg;
        let only = "only whether places can be reached and whether runs end is asked";
        match why {
            NotPlain::Recursion(procedure) => {
                let name = &icfg.procedure(procedure).name;
                vec![format!("{name} can call itself: {only} of programs with recursion")]
            }
            NotPlain::Inexact(edge) => {
                let doubts = doubts_on(graph, [edge]).into_iter().take(MOST_REASONS);
                let mut reasons: Vec<String> = doubts
                    .map(|doubt| format!("{} is not followed exactly", self.doubt_text(doubt)))
                    .collect();
                reasons.push(format!("where something is not followed exactly, {only}"));
                reasons
            }
            NotPlain::Edges(n) => vec![format!("the program has {n} steps: {only} of programs that large")],
        }
    }
}

/// Control is at one of these points, by their numbers.
fn is_at(inlined: &Inlined, numbers: &[usize]) -> Term {
    let terms = &inlined.program.terms;
    let at = terms.variable(inlined.program.variables()[inlined.at.index()].variable);
    let here = numbers.iter().map(|&number| terms.equal(at, terms.integer(number)));
    terms.or(here.collect::<Vec<Term>>())
}

/// What propositions mean in the program. A condition on variables of a function holds nowhere else.
fn propositions(icfg: &Icfg, inlined: &Inlined, atoms: &IndexMap<String, Atom>) -> Vec<(String, Term)> {
    let terms = &inlined.program.terms;
    let where_points = |wanted: &dyn Fn(PointId) -> bool| {
        let numbers = inlined.points.iter().enumerate().filter(|(_, point)| wanted(**point));
        is_at(inlined, &numbers.map(|(number, _)| number).collect::<Vec<usize>>())
    };
    let meaning = |atom: &Atom| match atom {
        Atom::Points(points) => where_points(&|point| points.binary_search(&point).is_ok()),
        Atom::Condition(condition, owner) => {
            let condition = Transplant::new(&icfg.terms, terms).term(*condition);
            match owner {
                None => condition,
                Some(owner) => {
                    terms.and([where_points(&|point| icfg.point(point).procedure == *owner), condition])
                }
            }
        }
    };
    atoms.iter().map(|(name, atom)| (name.clone(), meaning(atom))).collect()
}

/// Why a formula that asks for more than a goal cannot be asked: a condition on variables of a function is not tied to places there.
pub(super) fn untied(icfg: &Icfg, meaning: &Meaning) -> Option<String> {
    let is_local = |atom: &Atom| matches!(atom, Atom::Condition(_, Some(_)));
    if !meaning.atoms.values().any(is_local) {
        return None;
    }
    let mut roots = vec![&meaning.formula];
    let mut at = 0;
    while let Some(&root) = roots.get(at) {
        at += 1;
        let mut n_open = 0;
        inner(root, &mut |part| roots.push(part));
        for number in 0..icfg.points().len() {
            let point = PointId::new(number);
            let said = said_at(icfg, meaning, root, point, &mut n_open);
            if let Some(why) = unseen(icfg, point, said) {
                return Some(why);
            }
        }
    }
    None
}

/// Hands on the formulas below the outermost operators of a formula that speak of other states.
fn inner<'f>(formula: &'f Formula, found: &mut dyn FnMut(&'f Formula)) {
    match &formula.kind {
        FormulaKind::True | FormulaKind::False | FormulaKind::Proposition(_) | FormulaKind::Variable(_) => {}
        FormulaKind::Not(part) => inner(part, found),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().for_each(|part| inner(part, found)),
        FormulaKind::Implies(left, right) | FormulaKind::Iff(left, right) => {
            inner(left, found);
            inner(right, found);
        }
        FormulaKind::Modal(_, _, part) | FormulaKind::Fixpoint(_, _, part) => found(part),
        FormulaKind::Path(_, operator) => operator.operands().into_iter().for_each(found),
    }
}

/// What a formula says of states at a point, where what it says of other states can be anything.
fn said_at(icfg: &Icfg, meaning: &Meaning, formula: &Formula, point: PointId, n_open: &mut usize) -> Term {
    let terms = &icfg.terms;
    let mut inside = |part: &Formula| said_at(icfg, meaning, part, point, n_open);
    match &formula.kind {
        FormulaKind::True => terms.boolean(true),
        FormulaKind::False => terms.boolean(false),
        FormulaKind::Proposition(name) => match meaning.atoms.get(name) {
            Some(Atom::Points(points)) => terms.boolean(points.binary_search(&point).is_ok()),
            Some(Atom::Condition(condition, _)) => *condition,
            None => terms.boolean(false),
        },
        FormulaKind::Not(part) => terms.not(inside(part)),
        FormulaKind::And(parts) => terms.and(parts.iter().map(inside).collect::<Vec<Term>>()),
        FormulaKind::Or(parts) => terms.or(parts.iter().map(inside).collect::<Vec<Term>>()),
        FormulaKind::Implies(left, right) => {
            let left = inside(left);
            terms.implies(left, inside(right))
        }
        FormulaKind::Iff(left, right) => {
            let left = inside(left);
            terms.equal(left, inside(right))
        }
        FormulaKind::Variable(_)
        | FormulaKind::Modal(..)
        | FormulaKind::Fixpoint(..)
        | FormulaKind::Path(..) => {
            *n_open += 1;
            terms.variable(terms.declare(&format!("open.{n_open}"), &Sort::Bool))
        }
    }
}

impl Plain {
    fn program(&self) -> &Program {
        &self.inlined.program
    }

    /// A run of the program as one of its graph, as far as it does not stay where the program has ended.
    fn run_of_graph(&self, run: &Run) -> Option<IcfgRun> {
        let (program, icfg) = (self.program(), &self.graph.icfg);
        let by_name: BTreeMap<String, Variable> = icfg
            .globals()
            .iter()
            .chain(icfg.procedures().iter().flat_map(|own| &own.variables))
            .map(|&variable| (icfg.terms.name(variable), variable))
            .collect();
        let first = run.states.first()?;
        let mut found = IcfgRun::default();
        let in_main: BTreeSet<Variable> = icfg.in_scope(icfg.main).collect();
        for (own, value) in program.variables().iter().zip(&first.0) {
            let variable = by_name.get(&program.terms.name(own.variable));
            if let Some(&variable) = variable.filter(|variable| in_main.contains(variable)) {
                found.initial.insert(variable, value.clone());
            }
        }
        let mut depth = 1;
        for taken in &run.steps {
            let Some(&edge) = self.inlined.edges.get(taken.command.index()) else { break };
            let way = taken.way(program)?;
            let action = &program.commands()[taken.command.index()].action;
            let (what, inputs) = match &icfg.edge(edge).action {
                Action::Step(step) => {
                    let inputs = step.inputs.iter().map(|input| input.variable);
                    (Move::Step, inputs.zip(taken.inputs.iter().cloned()).collect())
                }
                Action::Call(_) if action.starts_with("return.") => (Move::Return, Vec::new()),
                Action::Call(_) => {
                    let names = crate::model::input_names(program, way);
                    let inputs = names.iter().map(|name| by_name.get(name).copied());
                    let inputs: Option<Vec<Variable>> = inputs.collect();
                    (Move::Call, inputs?.into_iter().zip(taken.inputs.iter().cloned()).collect())
                }
            };
            found.steps.push(RunStep { edge, what, depth, inputs });
            match what {
                Move::Call => depth += 1,
                Move::Return => depth -= 1,
                Move::Step => {}
            }
        }
        Some(found)
    }
}

impl OffersProgram for CProgram {
    fn program(&self) -> &Program {
        self.made_plain().program()
    }

    fn propositions(&self, property: PropertyId) -> Vec<(String, Term)> {
        self.made_plain().propositions[property.index()].clone()
    }

    fn read_predicates(&self, source: &Source) -> Result<Vec<(Term, Vec<LocId>)>, Diagnostics> {
        let all = Span::new(0, source.text().len());
        Err(vec![Diagnostic::error(all, "predicates cannot be given for programs in C")])
    }

    fn names(&self, system: Arc<PartialSystem>, found: Exploration) -> Arc<dyn Names> {
        Arc::new(PlainNames::new(self, self.made_plain(), system, found))
    }

    fn step_name(&self, command: CommandId) -> StepName {
        self.made_plain().steps[command.index()].clone()
    }

    fn abstract_names(&self, system: Arc<PartialSystem>) -> Arc<dyn Names> {
        Arc::new(AbstractNames::new(self, self.made_plain(), system))
    }

    fn show_run(&self, run: &Run) -> Option<(Arc<dyn Names>, Evidence)> {
        let own = self.made_plain();
        let found = own.run_of_graph(run)?;
        let graph = &own.graph.icfg;
        let (names, evidence) = RunNames::of_graph(&self.source, &self.unit, graph, &found, None)?;
        Some((Arc::new(names), evidence))
    }
}

impl OffersSystem for CProgram {
    fn system(&self, context: &Context, properties: &[PropertyId], most: usize) -> Result<FoundSystem, Halt> {
        let own = self.made_plain();
        let found = reachable(context, own.program(), most)?;
        let atoms = properties.iter().flat_map(|property| &own.propositions[property.index()]);
        let system =
            Arc::new(found.to_system(own.program(), atoms.map(|(name, term)| (name.as_str(), *term))));
        let left_out = found.gaps.iter().map(|gap| self.gap(own, found.n_states(), gap)).collect();
        let names = self.names(Arc::clone(&system), found);
        Ok(FoundSystem { system, names, origin: Origin::Model, left_out })
    }

    fn is_given(&self) -> bool {
        false
    }

    /// The integers of a machine are finitely many, but too many to be listed.
    fn is_bounded(&self) -> bool {
        let is_small = |own: &ProgramVariable| own.domain.count(MOST_VALUES).is_some();
        self.made_plain().program().variables().iter().all(is_small)
    }
}

impl CProgram {
    /// The program as commands. Nobody asks for more before it is there.
    fn made_plain(&self) -> &Plain {
        let made = self.plain().and_then(Result::ok);
        made.expect("a model offers its program only if there is one")
    }

    /// Whether there is a program of commands, and a property that needs it.
    pub(super) fn has_plain(&self) -> bool {
        matches!(self.plain(), Some(Ok(_)))
    }

    /// Why a question that is no goal has no answer, in sentences.
    pub(super) fn beyond(&self, logic: &Logic) -> Option<NoPlain> {
        match (asked(logic), self.plain()) {
            (Asked::Else, Some(Err(why))) => Some(why.clone()),
            _ => None,
        }
    }

    fn gap(&self, own: &Plain, n: usize, gap: &Gap) -> String {
        let states = if n == 1 { "1 state was".to_owned() } else { format!("{n} states were") };
        let text = match gap {
            Gap::Initial => "there are more initial states".to_owned(),
            Gap::Bound => "there are more states".to_owned(),
            Gap::Stopped(_) => "the search was stopped".to_owned(),
            Gap::Input(command) => {
                let line = own.steps[command.index()].line;
                let place = line.map_or(String::new(), |line| format!(", in line {line}"));
                format!("an input with so many values is not followed{place}")
            }
        };
        format!("{states} looked at; {text}")
    }
}

/// A function, and the line in it if there is one.
type Place = (String, Option<usize>);

/// What states of an abstraction are called: where control is, and the predicates.
struct AbstractNames {
    system: Arc<PartialSystem>,
    /// What the name of a state says of the control variable, up to the number of the point.
    at: String,
    /// By number of the point.
    places: Vec<Place>,
}

impl AbstractNames {
    fn new(program: &CProgram, own: &Plain, system: Arc<PartialSystem>) -> Self {
        let icfg = &own.graph.icfg;
        let at = own.program().variables()[own.inlined.at.index()].variable;
        let at = format!("{} = ", own.program().terms.name(at));
        let place = |&point: &PointId| {
            let procedure = icfg.procedure(icfg.point(point).procedure);
            let line = shown::line_of(&program.source, &program.unit, icfg.point(point).span);
            (procedure.name.clone(), line.filter(|_| point != procedure.exit))
        };
        let places = own.inlined.points.iter().map(place).collect();
        Self { system, at, places }
    }

    /// The place of a state, with the parts of its name before and after what says it.
    fn place<'n>(&self, name: &'n str) -> Option<(&'n str, &Place, &'n str)> {
        let begins = |&(at, _): &(usize, &str)| {
            let before = name[..at].chars().next_back();
            before.is_none_or(|before| before == '(' || before == ' ')
        };
        let (start, _) = name.match_indices(&self.at).find(begins)?;
        let number = &name[start + self.at.len()..];
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        let place = self.places.get(number[..end].parse::<usize>().ok()?)?;
        Some((&name[..start], place, &number[end..]))
    }
}

impl Names for AbstractNames {
    fn state(&self, state: StateId) -> String {
        let name = self.system.state_name(state);
        let Some((before, (function, line), after)) = self.place(&name) else { return name.into_owned() };
        let line = line.map_or(", at its end".to_owned(), |line| format!(" :{line}"));
        format!("{before}{function}{line}{after}").replace("::", ".")
    }

    fn values(&self, state: StateId) -> Vec<NamedValue> {
        Names::values(self.system.as_ref(), state)
    }

    fn step(&self, step: ActionId) -> StepName {
        Names::step(self.system.as_ref(), step)
    }

    fn step_between(&self, source: StateId, step: ActionId, _: StateId) -> StepName {
        let name = self.system.state_name(source);
        let line = self.place(&name).and_then(|(_, (_, line), _)| *line);
        StepName { line, ..self.step(step) }
    }

    fn proposition(&self, proposition: PropId) -> String {
        Names::proposition(self.system.as_ref(), proposition)
    }

    fn concrete(&self, concrete: ConcreteId) -> String {
        Names::concrete(self.system.as_ref(), concrete)
    }

    fn system(&self) -> Option<&PartialSystem> {
        Some(&self.system)
    }
}

/// What states are called that a search found: where control is, and the values that are seen there.
struct PlainNames {
    system: Arc<PartialSystem>,
    found: Exploration,
    /// By state that was found.
    places: Vec<String>,
    /// By state that was found: the values that are seen.
    values: Vec<Vec<NamedValue>>,
    /// By action of the system: the command, if there is only one with this action.
    steps: Vec<StepName>,
    /// By command.
    commands: Vec<StepName>,
}

impl PlainNames {
    fn new(program: &CProgram, own: &Plain, system: Arc<PartialSystem>, found: Exploration) -> Self {
        let (icfg, variables) = (&own.graph.icfg, own.program().variables());
        let index: BTreeMap<String, usize> = variables
            .iter()
            .enumerate()
            .map(|(number, variable)| (own.program().terms.name(variable.variable), number))
            .collect();
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for state in found.states() {
            let Some((point, _)) = own.inlined.position(icfg, &state.0) else {
                places.push(String::new());
                values.push(Vec::new());
                continue;
            };
            let procedure = icfg.point(point).procedure;
            let line = shown::line_of(&program.source, &program.unit, icfg.point(point).span);
            let is_exit = point == icfg.procedure(procedure).exit;
            let line = line.filter(|_| !is_exit).map_or(String::new(), |line| format!(" :{line}"));
            let end = if is_exit { ", at its end" } else { "" };
            places.push(format!("{}{line}{end}", icfg.procedure(procedure).name));
            let seen = icfg.in_scope(procedure).filter_map(|variable| {
                let cell = icfg.cell(variable)?;
                let value = &state.0[*index.get(&icfg.terms.name(variable))?];
                let own = icfg.procedure(procedure);
                let is_result = own.results.contains(&variable) && !own.formals.contains(&variable);
                let is_told = !cell.name.starts_with('.') && !is_result;
                is_told.then(|| NamedValue::of_variable(&cell.name, value.to_string()))
            });
            values.push(seen.collect());
        }
        let steps = system.actions().ids().map(|action| {
            let action = system.actions().name(action);
            let mut same = own.steps.iter().filter(|step| step.action == action);
            match (same.next(), same.next()) {
                (Some(only), None) => only.clone(),
                _ => StepName { action: action.to_owned(), ..StepName::default() },
            }
        });
        let steps = steps.collect();
        Self { system, found, places, values, steps, commands: own.steps.clone() }
    }
}

impl Names for PlainNames {
    fn state(&self, state: StateId) -> String {
        match self.places.get(state.index()) {
            Some(place) => place.clone(),
            None => self.system.state_name(state).into_owned(),
        }
    }

    fn values(&self, state: StateId) -> Vec<NamedValue> {
        self.values.get(state.index()).cloned().unwrap_or_default()
    }

    fn changes(&self, before: Option<StateId>, state: StateId) -> Vec<NamedValue> {
        let old = before.map(|before| self.values(before)).unwrap_or_default();
        self.values(state).into_iter().filter(|value| !old.contains(value)).collect()
    }

    fn step(&self, step: ActionId) -> StepName {
        self.steps[step.index()].clone()
    }

    fn step_between(&self, source: StateId, step: ActionId, target: StateId) -> StepName {
        let general = &self.steps[step.index()];
        let end = Some(target.index()).filter(|&number| number < self.found.n_states());
        let mut taken = self.found.ways_between(source.index(), end);
        let own = taken.find(|(command, _)| self.commands[command.index()].action == general.action);
        own.map_or_else(|| general.clone(), |(command, _)| self.commands[command.index()].clone())
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
