//! The steps of a bounded program as disjuncts of a relation.
//!
//! A step becomes a conjunction of parts: the conjuncts of its guard, and an equation between new bits and the bits of
//! the term that is assigned. What a step leaves alone is not mentioned: the relation knows which variables each
//! disjunct changes, so the cost is that of what steps say. Steps that change the same variables are joined while that
//! stays small.
//!
//! An input that is assigned to a variable as it is needs no bits of its own: it is the new value of that variable. Other inputs get bits
//! for a moment, last in the order, and are quantified in the step.

use super::{EncodeError, Encoder, Finite, Values, conjoin, equations};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tertium_dd::{Bdd, Change, Manager, Var};
use tertium_expr::{Terms, Variable};
use tertium_program::{Input, Program, Step};
use tertium_system::SymbolicVariable;

/// Steps that change the same variables are one disjunct up to this many nodes.
const JOINED: usize = 1000;

/// The steps of a program on their way to a relation.
pub(super) struct Steps<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) encoder: &'a mut Encoder<&'p Terms>,
    pub(super) variables: &'a [SymbolicVariable],
    pub(super) values: &'a [Values],
}

impl Steps<'_, '_> {
    /// The disjuncts of the relation.
    pub(super) fn changes(&mut self) -> Result<Vec<Change>, EncodeError> {
        let places: FxHashMap<Variable, usize> =
            self.program.variables().iter().enumerate().map(|(at, own)| (own.variable, at)).collect();
        // The first bit of each variable in the frame.
        let mut starts = Vec::with_capacity(self.variables.len());
        let mut n_bits = 0;
        for variable in self.variables {
            starts.push(n_bits);
            n_bits += variable.current.len();
        }
        let mut groups: IndexMap<Vec<usize>, Vec<Vec<Bdd>>> = IndexMap::new();
        let program = self.program;
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let mut changed: Vec<usize> = step.updates.keys().map(|variable| places[variable]).collect();
            changed.sort_unstable();
            debug_assert!(changed.is_sorted_by(|one, other| one < other), "a step assigns a variable once");
            let parts = self.parts(step, &places)?;
            if !parts.iter().any(Bdd::is_false) {
                groups.entry(changed).or_default().push(parts);
            }
        }
        let mut changes = Vec::new();
        for (changed, steps) in groups {
            let bits =
                changed.iter().flat_map(|&at| starts[at]..starts[at] + self.variables[at].current.len());
            let bits: Vec<usize> = bits.collect();
            debug_assert!(
                bits.last().is_none_or(|&last| last < n_bits),
                "changed bits are bits of variables"
            );
            let parts = self.join(steps)?;
            changes.extend(parts.into_iter().map(|parts| Change { parts, changed: bits.clone() }));
        }
        Ok(changes)
    }

    /// Joins conjunctions, which change the same variables, as long as the result is small.
    fn join(&self, steps: Vec<Vec<Bdd>>) -> Result<Vec<Vec<Bdd>>, EncodeError> {
        let mut joined: Vec<Vec<Bdd>> = Vec::new();
        let mut any: Option<Bdd> = None;
        for parts in steps {
            let Some(whole) = self.small(&parts)? else {
                joined.push(parts);
                continue;
            };
            any = Some(match any {
                None => whole,
                Some(so_far) => {
                    let both = so_far.or(&whole)?;
                    if both.n_nodes() <= JOINED {
                        both
                    } else {
                        joined.push(vec![so_far]);
                        whole
                    }
                }
            });
        }
        joined.extend(any.map(|any| vec![any]));
        Ok(joined)
    }

    /// The conjunction of parts, if it is small on the whole way.
    fn small(&self, parts: &[Bdd]) -> Result<Option<Bdd>, EncodeError> {
        let mut all = self.encoder.manager().constant(true);
        for part in parts {
            all = all.and(part)?;
            if all.n_nodes() > JOINED {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }

    /// A variable after a step.
    fn next(&self, at: usize) -> Finite {
        Finite { values: self.values[at].clone(), bits: self.variables[at].next.clone() }
    }

    /// What a step demands: where it can be taken, and what the new values are.
    fn parts(&mut self, step: &Step, places: &FxHashMap<Variable, usize>) -> Result<Vec<Bdd>, EncodeError> {
        let terms = &self.program.terms;
        let manager = self.encoder.manager().clone();
        let mut quantified: Vec<Var> = Vec::new();
        let mut parts = Vec::new();
        for input in &step.inputs {
            let term = terms.variable(input.variable);
            let stored = step.updates.iter().find(|(_, assigned)| **assigned == term);
            let finite = match stored {
                Some((variable, _)) => self.next(places[variable]),
                None => {
                    let finite = fresh(&manager, input)?;
                    quantified.extend(&finite.bits);
                    finite
                }
            };
            parts.push(finite.valid(&manager)?);
            self.encoder.place(input.variable, finite);
        }
        for conjunct in terms.conjuncts(step.guard) {
            parts.push(self.encoder.truth(conjunct)?);
        }
        for (variable, &term) in &step.updates {
            let at = places[variable];
            let bits = self.next(at).code(&manager)?;
            let code = self.encoder.code(term, &self.values[at])?;
            parts.push(self.encoder.outside(term, &self.values[at])?.not());
            parts.extend(equations(&manager, &bits, &code)?);
        }
        parts.retain(|part| !part.is_true());
        if quantified.is_empty() {
            return Ok(parts);
        }
        // What reads inputs is taken together, for the quantifier.
        let reads = |part: &Bdd| part.support().iter().any(|var| quantified.contains(var));
        let (reading, mut others): (Vec<Bdd>, Vec<Bdd>) = parts.into_iter().partition(reads);
        let together = conjoin(&manager, &reading)?;
        others.push(together.exists(&manager.var_set(quantified)?)?);
        Ok(others)
    }
}

/// Bits of its own for an input.
pub(super) fn fresh(manager: &Manager, input: &Input) -> Result<Finite, EncodeError> {
    let values = Values::of_domain(&input.domain).ok_or(EncodeError::Unbounded(input.variable))?;
    let bits = (0..values.width()).map(|_| manager.add_var()).collect();
    Ok(Finite { values, bits })
}
