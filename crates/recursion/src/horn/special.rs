//! Clauses with copies of relations for constant values of their arguments \[JGS93\].
//!
//! Constants are followed forwards from the clauses without body. Where an argument is constant, there is a copy of the relation for
//! each constant, without that argument: so loops with known bounds are unrolled, and calls with other constants have other
//! summaries. Variables with too many values at one relation are followed no more, and all begins anew; so there are few copies,
//! whatever the program does. Copies with one way in and on are then taken out, as in [large blocks](super::blocks).
//!
//! A solution for the copies is one for the relations: where arguments have the constants of a copy, what holds of the copy.
//!
//! Cost: a few thousand substitutions in clauses.

use super::blocks::{joined, variables};
use super::{Application, Clause, Horn, Relation};
use crate::{Entries, Invariants};
use indexmap::{IndexMap, IndexSet};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Sort, Substitution, Term, TermKind, Terms, Variable};
use tertium_program::Icfg;
use tertium_support::{Context, StopReason, Ticker};

/// A relation has at most so many copies.
const MOST_OF_ONE: usize = 128;
/// And all together so many more than there are relations.
const MOST: usize = 1024;
/// So many instances of clauses are made, at all.
const MOST_INSTANCES: usize = 20_000;
/// Variables with no more values are given up one at a time.
const FEW: usize = 8;
/// Units of work for an instance.
const INSTANCE_UNITS: usize = 20_000;
/// Two clauses are joined if what comes out is no longer.
const LONGEST: usize = 6_000;

/// Clauses with copies of relations.
#[derive(Debug)]
pub struct Special {
    /// The copies.
    pub relations: Vec<Relation>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// The copies that clauses still speak of, by number.
    pub left: Vec<usize>,
    copies: Vec<Known>,
    /// Copies that were taken out, the last one last, with what followed from them.
    inside: Vec<(usize, Vec<Clause>)>,
}

/// Which relation, and the constants of arguments where they are known.
type Known = (usize, Vec<Option<Term>>);

impl Horn {
    /// Copies of relations for constants. Nothing if that tells no relation apart, or takes too many instances.
    pub fn special(&self, context: &Context, icfg: &Icfg) -> Result<Option<Special>, StopReason> {
        let mut by_body: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.relations.len()];
        for (number, clause) in self.clauses.iter().enumerate() {
            for (at, application) in clause.body.iter().enumerate() {
                by_body[application.relation].push((number, at));
            }
        }
        let ticker = context.ticker("telling apart constants in clauses");
        let (terms, ignored) = (&icfg.terms, BTreeSet::new());
        let mut making = Making { horn: self, terms, by_body, ignored, ticker, n_instances: 0 };
        let made = loop {
            match making.made()? {
                Made::All(made) => break made,
                Made::TooMany(variables) => making.ignored.extend(variables),
                Made::TooLong => return Ok(None),
            }
        };
        let reached: BTreeSet<usize> = made.copies.iter().map(|(relation, _)| *relation).collect();
        Ok((made.copies.len() > reached.len()).then(|| made.with_large_blocks(icfg)))
    }
}

struct Making<'a> {
    horn: &'a Horn,
    terms: &'a Terms,
    /// By relation: the clauses that it is in the body of, and at which place.
    by_body: Vec<Vec<(usize, usize)>>,
    /// Variables that are not followed.
    ignored: BTreeSet<Variable>,
    ticker: Ticker<'a>,
    n_instances: usize,
}

enum Made {
    All(Special),
    /// There were too many copies because of these variables.
    TooMany(Vec<Variable>),
    /// It took too many instances.
    TooLong,
}

/// A clause where arguments of the body are known.
struct Instance {
    body: Vec<Vec<Term>>,
    condition: Term,
    head: Option<Vec<Term>>,
}

impl Making<'_> {
    /// All copies that can be reached.
    fn made(&mut self) -> Result<Made, StopReason> {
        let mut copies: IndexSet<Known> = IndexSet::new();
        let mut of_relation: Vec<Vec<usize>> = vec![Vec::new(); self.horn.relations.len()];
        let mut clauses = Vec::new();
        let mut seen: BTreeSet<(usize, Vec<usize>)> = BTreeSet::new();
        let mut n_done = 0;
        let facts = self.horn.clauses.iter().enumerate().filter(|(_, clause)| clause.body.is_empty());
        let mut open: Vec<(usize, Vec<usize>)> = facts.map(|(number, _)| (number, Vec::new())).collect();
        loop {
            for (number, body) in std::mem::take(&mut open) {
                self.ticker.tick(INSTANCE_UNITS)?;
                self.n_instances += 1;
                if self.n_instances > MOST_INSTANCES {
                    return Ok(Made::TooLong);
                }
                let clause = &self.horn.clauses[number];
                let known: Vec<&Known> = body.iter().map(|&copy| &copies[copy]).collect();
                let Some(instance) = self.instance(clause, &known) else { continue };
                let head = clause.head.as_ref().zip(instance.head.as_ref()).map(|(head, values)| {
                    let known = self.known(head.relation, values);
                    let (copy, is_new) = copies.insert_full((head.relation, known));
                    if is_new {
                        of_relation[head.relation].push(copy);
                    }
                    self.applied(&copies[copy], copy, values)
                });
                let applied = body.iter().zip(&instance.body);
                let body = applied.map(|(&copy, values)| self.applied(&copies[copy], copy, values)).collect();
                clauses.push(Clause { body, condition: instance.condition, head, note: clause.note.clone() });
            }
            if let Some(most) = of_relation.iter().max_by_key(|own| own.len())
                && (most.len() > MOST_OF_ONE || copies.len() > MOST + self.horn.relations.len())
            {
                return Ok(Made::TooMany(self.most_varied(&copies, most)));
            }
            if n_done == copies.len() {
                break;
            }
            // What is new, with all others that were there before.
            let relation = copies[n_done].0;
            for &(number, at) in &self.by_body[relation] {
                let clause = &self.horn.clauses[number];
                let mut bodies: Vec<Vec<usize>> = vec![Vec::new()];
                for (place, application) in clause.body.iter().enumerate() {
                    let known = of_relation[application.relation].iter().copied();
                    let others: Vec<usize> = match place == at {
                        true => vec![n_done],
                        false => known.filter(|&copy| copy <= n_done).collect(),
                    };
                    if bodies.len().saturating_mul(others.len()) > MOST_INSTANCES {
                        return Ok(Made::TooLong);
                    }
                    let longer = |body: Vec<usize>| {
                        let longer = others.iter().map(|&copy| [&body[..], &[copy]].concat());
                        longer.collect::<Vec<_>>()
                    };
                    bodies = bodies.into_iter().flat_map(longer).collect();
                }
                let new = bodies.into_iter().map(|body| (number, body));
                open.extend(new.filter(|own| seen.insert(own.clone())));
            }
            n_done += 1;
        }
        let copies: Vec<Known> = copies.into_iter().collect();
        let relations = copies.iter().enumerate().map(|(number, own)| self.relation(number, own)).collect();
        let left = (0..copies.len()).collect();
        Ok(Made::All(Special { relations, clauses, left, copies, inside: Vec::new() }))
    }

    /// The arguments that have the most values among some copies of one relation, and those that have half as many.
    fn most_varied(&self, copies: &IndexSet<Known>, some: &[usize]) -> Vec<Variable> {
        let values = |at: usize| some.iter().map(|&copy| copies[copy].1[at]).collect::<BTreeSet<_>>().len();
        let arguments = &self.horn.relations[copies[some[0]].0].arguments;
        let varied: Vec<usize> = (0..arguments.len()).map(values).collect();
        let most = varied.iter().copied().max().unwrap_or(0);
        let is_varied = |&(_, &n): &(&Variable, &usize)| n > 1 && 2 * n >= most;
        let varied = arguments.iter().zip(&varied).filter(is_varied);
        if most > FEW {
            varied.map(|(&own, _)| own).collect()
        } else {
            varied.map(|(&own, _)| own).take(1).collect()
        }
    }

    /// Which values of arguments are constants that are followed.
    fn known(&self, relation: usize, values: &[Term]) -> Vec<Option<Term>> {
        let arguments = &self.horn.relations[relation].arguments;
        let is_followed = |variable: &Variable, value: Term| {
            !self.ignored.contains(variable)
                && !matches!(self.terms.sort(value), Sort::Array(..))
                && self.terms.as_value(value).is_some()
        };
        arguments
            .iter()
            .zip(values)
            .map(|(variable, &value)| is_followed(variable, value).then_some(value))
            .collect()
    }

    fn applied(&self, known: &Known, copy: usize, values: &[Term]) -> Application {
        let open = values.iter().zip(&known.1).filter(|(_, known)| known.is_none());
        Application { relation: copy, values: open.map(|(&value, _)| value).collect() }
    }

    fn relation(&self, number: usize, (of, known): &Known) -> Relation {
        let of = &self.horn.relations[*of];
        let open = of.arguments.iter().zip(known).filter(|(_, known)| known.is_none());
        let arguments = open.map(|(&variable, _)| variable).collect();
        Relation {
            name: format!("{}@copy{number}", of.name),
            point: of.point,
            arguments,
            unchanged: Vec::new(),
        }
    }

    /// A clause with what is known of its body; nothing if that cannot be.
    fn instance(&self, clause: &Clause, body: &[&Known]) -> Option<Instance> {
        let terms = self.terms;
        let mut known: BTreeMap<Variable, Term> = BTreeMap::new();
        let mut conditions = vec![clause.condition];
        for (application, (_, constants)) in clause.body.iter().zip(body) {
            for (&value, &constant) in application.values.iter().zip(constants) {
                let Some(constant) = constant else { continue };
                match terms.kind(value) {
                    TermKind::Variable(variable) if !known.contains_key(&variable) => {
                        known.insert(variable, constant);
                    }
                    _ => conditions.push(terms.equal(value, constant)),
                }
            }
        }
        let mut condition = terms.and(conditions);
        loop {
            condition = Substitution::new(known.clone()).apply(terms, condition);
            if terms.as_bool(condition) == Some(false) {
                return None;
            }
            let before = known.len();
            for part in terms.conjuncts(condition) {
                if let Some((variable, value)) = constant(terms, part) {
                    known.entry(variable).or_insert(value);
                }
            }
            if known.len() == before {
                break;
            }
        }
        let mut known = Substitution::new(known);
        let mut all = |values: &[Term]| values.iter().map(|&value| known.apply(terms, value)).collect();
        let body = clause.body.iter().map(|application| all(&application.values)).collect();
        let head = clause.head.as_ref().map(|head| all(&head.values));
        Some(Instance { body, condition, head })
    }
}

/// A variable and its value, if a condition says just that.
fn constant(terms: &Terms, condition: Term) -> Option<(Variable, Term)> {
    let variable = |term| match terms.kind(term) {
        TermKind::Variable(variable) => Some(variable),
        _ => None,
    };
    match terms.kind(condition) {
        TermKind::Variable(own) => Some((own, terms.boolean(true))),
        TermKind::Not(inner) => Some((variable(inner)?, terms.boolean(false))),
        TermKind::Exactly(form, value) => Some((variable(form)?, terms.integer(value))),
        TermKind::Equal(left, right) => match (variable(left), variable(right)) {
            (Some(own), _) if terms.as_value(right).is_some() => Some((own, right)),
            (_, Some(own)) if terms.as_value(left).is_some() => Some((own, left)),
            _ => None,
        },
        _ => None,
    }
}

impl Special {
    /// Takes out copies from which all follows without quantifiers.
    fn with_large_blocks(mut self, icfg: &Icfg) -> Self {
        let terms = &icfg.terms;
        for copy in 0..self.relations.len() {
            let arguments = self.relations[copy].arguments.clone();
            let is_head = |clause: &Clause| clause.head.as_ref().is_some_and(|head| head.relation == copy);
            let is_in_body =
                |clause: &Clause| clause.body.iter().any(|application| application.relation == copy);
            let own: Vec<Term> = arguments.iter().map(|&own| terms.variable(own)).collect();
            let is_plain = |clause: &Clause| {
                clause.body.len() == 1
                    && clause.body[0].values == own
                    && !is_head(clause)
                    && variables(terms, clause).iter().all(|variable| arguments.contains(variable))
            };
            let after: Vec<&Clause> = self.clauses.iter().filter(|clause| is_in_body(clause)).collect();
            let before: Vec<&Clause> = self.clauses.iter().filter(|clause| is_head(clause)).collect();
            let is_small = before.len() * after.len() <= (before.len() + after.len()).max(4);
            if !is_small || !after.iter().all(|clause| is_plain(clause)) {
                continue;
            }
            let pairs = before.iter().flat_map(|first| after.iter().map(move |second| (*first, *second)));
            let joined: Option<Vec<Clause>> =
                pairs.map(|(first, second)| joined(terms, &arguments, first, second, LONGEST)).collect();
            let Some(joined) = joined else { continue };
            let after: Vec<Clause> = after.into_iter().cloned().collect();
            self.clauses.retain(|clause| !is_in_body(clause) && !is_head(clause));
            self.clauses
                .extend(joined.into_iter().filter(|clause| terms.as_bool(clause.condition) != Some(false)));
            self.inside.push((copy, after));
            self.left.retain(|&own| own != copy);
        }
        self
    }

    /// Conditions for all points, from those for the copies that are left, by number, over their arguments. A copy without one may have any
    /// states.
    pub fn completed(
        &self,
        icfg: &Icfg,
        entries: &Entries,
        horn: &Horn,
        found: &BTreeMap<usize, Term>,
    ) -> Invariants {
        let terms = &icfg.terms;
        let mut found = found.clone();
        for (copy, after) in self.inside.iter().rev() {
            let needs = after.iter().map(|clause| {
                let Some(head) = &clause.head else { return terms.not(clause.condition) };
                let arguments = self.relations[head.relation].arguments.iter().copied();
                let there = found.get(&head.relation).copied().unwrap_or_else(|| terms.boolean(true));
                let mut values = Substitution::new(arguments.zip(head.values.iter().copied()));
                terms.implies(clause.condition, values.apply(terms, there))
            });
            let needs = terms.and(needs.collect::<Vec<_>>());
            found.insert(*copy, needs);
        }
        let mut of_relations: IndexMap<usize, Vec<Term>> =
            (0..horn.relations.len()).map(|relation| (relation, Vec::new())).collect();
        for (number, (relation, known)) in self.copies.iter().enumerate() {
            let arguments = horn.relations[*relation].arguments.iter();
            let constants = arguments
                .zip(known)
                .filter_map(|(&own, known)| known.map(|known| terms.equal(terms.variable(own), known)));
            let own = found.get(&number).copied();
            let case = terms.and(constants.chain(own).collect::<Vec<_>>());
            of_relations.entry(*relation).or_default().push(case);
        }
        let found = of_relations.into_iter().map(|(relation, cases)| (relation, terms.or(cases)));
        horn.completed(icfg, entries, &found.collect())
    }
}
