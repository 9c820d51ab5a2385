//! Where a program begins, and where propositions hold, as sets of minterms.

use crate::PredicateAbstraction;
use crate::site::Union;
use crate::sources::{Sources, domains, vectors};
use crate::state::{at_control, control_variables};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_dd::{Bdd, Manager};
use tertium_expr::{Substitution, Term, TermKind, Value, Variable};
use tertium_program::Program;
use tertium_support::{Context, Id, StopReason};
use tertium_system::monomials::{MintermLabel, MonomialFrame};
use tertium_truth::Kleene;

/// The valuations of control for which the initial condition is not plainly false.
pub(super) fn initial_controls(
    context: &Context,
    program: &Program,
) -> Result<Vec<Box<[Value]>>, StopReason> {
    let terms = &program.terms;
    let mut chosen: Vec<(Vec<Value>, Term)> = vec![(Vec::new(), program.initial)];
    for variable in control_variables(program) {
        let id = program.id_of(variable).expect("it is a variable of the program");
        let domain = &program.variables()[id.index()].domain;
        let values = domain.values(usize::MAX).expect("control variables have finitely many values");
        let mut longer = Vec::new();
        for (before, condition) in &chosen {
            for value in &values {
                context.poll()?;
                let mut here = Substitution::new([(variable, terms.value(value))]);
                let condition = here.apply(terms, *condition);
                if terms.as_bool(condition) != Some(false) {
                    longer.push(([before.clone(), vec![value.clone()]].concat(), condition));
                }
            }
        }
        chosen = longer;
    }
    Ok(chosen.into_iter().map(|(values, _)| values.into()).collect())
}

/// The initial minterms of a location.
pub(super) struct Initial {
    /// Those that may stand for an initial state.
    pub(super) possible: Bdd,
    /// Those that certainly do.
    pub(super) certain: Bdd,
}

impl Initial {
    pub(super) fn empty(manager: &Manager) -> Self {
        Self { possible: manager.constant(false), certain: manager.constant(false) }
    }
}

/// Where the program begins with this control.
pub(super) fn initial(
    context: &Context,
    abstraction: &mut PredicateAbstraction<'_>,
    frame: &MonomialFrame,
    sources: &Sources,
    control: &[Value],
) -> Result<Initial, StopReason> {
    let program = abstraction.program();
    let terms = &program.terms;
    let condition = at_control(program, control).apply(terms, program.initial);
    let conditions = terms.conjuncts(condition);
    // What conditions connect is asked about together.
    let mut union = Union::default();
    conditions.iter().chain(&sources.before).for_each(|&term| union.join(terms, term));
    let mut parts: Vec<Part> = Vec::new();
    let mut numbers: FxHashMap<Variable, usize> = FxHashMap::default();
    let mut part_of = |union: &mut Union, parts: &mut Vec<Part>, variables: &BTreeSet<Variable>| {
        let fresh = parts.len();
        let number = match variables.first() {
            Some(&first) => *numbers.entry(union.root(first)).or_insert(fresh),
            None => fresh,
        };
        if number == fresh {
            parts.push(Part::default());
        }
        parts[number].variables.extend(variables);
        number
    };
    for &condition in &conditions {
        let variables = terms.variables_of(condition);
        let number = part_of(&mut union, &mut parts, &variables);
        parts[number].conditions.push(condition);
    }
    for component in &sources.components {
        let number = part_of(&mut union, &mut parts, &component.variables);
        parts[number].members.extend(&component.members);
    }
    let mut possible = frame.manager().constant(true);
    let mut all_exact = true;
    // From the end of the order, so that each conjunction only adds nodes on top.
    parts.sort_by_key(|part| {
        std::cmp::Reverse(
            part.members.iter().map(|&member| frame.manager().level(frame.get(member).value)).min(),
        )
    });
    for part in &parts {
        let within = domains(program, &part.variables);
        let condition: Vec<Term> = part.conditions.iter().chain(&within).copied().collect();
        let posts: Vec<Term> = part.members.iter().map(|&member| sources.before[member]).collect();
        let found = abstraction.feasible(context, &condition, &posts)?;
        possible = possible.and(&vectors(frame, &part.members, &found.0)?)?;
        all_exact &= found.1;
    }
    let certain = if all_exact { possible.clone() } else { frame.manager().constant(false) };
    Ok(Initial { possible, certain })
}

#[derive(Default)]
struct Part {
    variables: BTreeSet<Variable>,
    conditions: Vec<Term>,
    members: Vec<usize>,
}

/// Where a truth value holds, which has no control variables any more.
pub(super) fn label(
    context: &Context,
    abstraction: &mut PredicateAbstraction<'_>,
    frame: &MonomialFrame,
    sources: &Sources,
    term: Term,
) -> Result<MintermLabel, StopReason> {
    let mut labels = Labels { context, abstraction, frame, sources };
    match labels.by_predicates(term, false)? {
        Some(label) => Ok(label),
        // Not a matter of predicates alone: all at once if that can be asked, else as far as its parts are known.
        None => match labels.asked(term)? {
            Some(label) => Ok(label),
            None => {
                labels.abstraction.left_out.labels += 1;
                Ok(labels.by_predicates(term, true)?.unwrap_or_else(|| labels.unknown()))
            }
        },
    }
}

struct Labels<'a, 'p> {
    context: &'a Context,
    abstraction: &'a mut PredicateAbstraction<'p>,
    frame: &'a MonomialFrame,
    sources: &'a Sources,
}

impl Labels<'_, '_> {
    fn unknown(&self) -> MintermLabel {
        let manager = self.frame.manager();
        MintermLabel { must: manager.constant(false), may: manager.constant(true) }
    }

    /// From the values of predicates. Other parts are asked about if `rough`; otherwise there is no answer then.
    fn by_predicates(&mut self, term: Term, rough: bool) -> Result<Option<MintermLabel>, StopReason> {
        let terms = &self.abstraction.program().terms;
        let manager = self.frame.manager();
        let plain = |set: Bdd| Ok(Some(MintermLabel { must: set.clone(), may: set }));
        if let Some(value) = terms.as_bool(term) {
            return plain(manager.constant(value));
        }
        if let Some((predicate, positive)) = self.sources.find_literal(terms, term) {
            let set = manager.var(self.frame.get(predicate).value)?;
            return plain(if positive { set } else { set.not() });
        }
        let (parts, all) = match terms.kind(term) {
            TermKind::Not(inner) => {
                let inner = self.by_predicates(inner, rough)?;
                return Ok(inner.map(|label| MintermLabel { must: label.may.not(), may: label.must.not() }));
            }
            TermKind::And(parts) => (parts, true),
            TermKind::Or(parts) => (parts, false),
            _ if rough => return Ok(Some(self.asked(term)?.unwrap_or_else(|| self.unknown()))),
            _ => return Ok(None),
        };
        let join = |one: &Bdd, other: &Bdd| if all { one.and(other) } else { one.or(other) };
        let mut label = MintermLabel { must: manager.constant(all), may: manager.constant(all) };
        for &part in &parts {
            let Some(part) = self.by_predicates(part, rough)? else { return Ok(None) };
            label = MintermLabel { must: join(&label.must, &part.must)?, may: join(&label.may, &part.may)? };
        }
        Ok(Some(label))
    }

    /// From what the solver says for each valuation of the predicates that the term has to do with, unless there are too many.
    fn asked(&mut self, term: Term) -> Result<Option<MintermLabel>, StopReason> {
        let program = self.abstraction.program();
        let terms = &program.terms;
        let mut variables = terms.variables_of(term);
        let components = self.sources.about(&variables);
        variables.extend(components.iter().flat_map(|&number| &self.sources.components[number].variables));
        let within = domains(program, &variables);
        let most = self.abstraction.most_asked.valuations;
        let Some(valuations) = self.sources.valuations(&components, most) else { return Ok(None) };
        let manager = self.frame.manager();
        let mut label = MintermLabel { must: manager.constant(false), may: manager.constant(false) };
        for valuation in &valuations {
            self.context.poll()?;
            let literals = self.sources.literals(terms, valuation);
            let psi = terms.and(literals.into_iter().chain(within.iter().copied()));
            let value = self.abstraction.decided(self.context, psi, term);
            let here = self.frame.minterms(valuation.iter().copied())?;
            if value == Kleene::True {
                label.must = label.must.or(&here)?;
            }
            if value != Kleene::False {
                label.may = label.may.or(&here)?;
            }
        }
        Ok(Some(label))
    }
}
