//! The steps of a bounded program as disjuncts of a relation.
//!
//! A step becomes a conjunction of parts: the conjuncts of its guard, and an equation between new bits and the bits of
//! the term that is assigned. What a step leaves alone is not mentioned: the relation knows which variables each
//! disjunct changes, so the cost is that of what steps say. Steps that change the same variables are joined while that
//! stays small.
//!
//! A step that writes some elements of an array changes these places only: where the new element is the old one for every index that
//! the step can have, the place is left alone.
//!
//! An input that is assigned to a variable as it is needs no bits of its own: it is the new value of that variable. Other inputs get bits
//! for a moment, last in the order, and are quantified in the step.

use super::{EncodeError, Encoder, Form, Placed, conjoin, equations};
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
    /// By place.
    pub(super) variables: &'a [SymbolicVariable],
    /// By variable.
    pub(super) forms: &'a [Form],
}

/// What a step demands, and the places that it changes, ascending.
struct Demands {
    parts: Vec<Bdd>,
    changed: Vec<usize>,
}

/// A variable of the program: which one, and its first place.
#[derive(Clone, Copy)]
struct Own {
    at: usize,
    first: usize,
}

impl Steps<'_, '_> {
    /// The disjuncts of the relation.
    pub(super) fn changes(&mut self) -> Result<Vec<Change>, EncodeError> {
        let mut own: FxHashMap<Variable, Own> = FxHashMap::default();
        let mut first = 0;
        for (at, (variable, form)) in self.program.variables().iter().zip(self.forms).enumerate() {
            own.insert(variable.variable, Own { at, first });
            first += form.n_places();
        }
        debug_assert_eq!(first, self.variables.len(), "each place has bits");
        // The first bit of each place in the frame.
        let mut starts = Vec::with_capacity(self.variables.len());
        let mut n_bits = 0;
        for variable in self.variables {
            starts.push(n_bits);
            n_bits += variable.current.len();
        }
        let mut groups: IndexMap<Vec<usize>, Vec<Vec<Bdd>>> = IndexMap::new();
        let program = self.program;
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let Demands { parts, changed } = self.demands(step, &own)?;
            debug_assert!(changed.is_sorted_by(|one, other| one < other), "a step assigns a place once");
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
    fn next(&self, own: Own) -> Placed {
        let mut places = self.variables[own.first..].iter();
        Placed::new(&self.forms[own.at], &mut |_| {
            places.next().map_or_else(Vec::new, |place| place.next.clone())
        })
    }

    /// What a step demands: where it can be taken, and what the new values are.
    fn demands(&mut self, step: &Step, own: &FxHashMap<Variable, Own>) -> Result<Demands, EncodeError> {
        let terms = &self.program.terms;
        let manager = self.encoder.manager().clone();
        let mut quantified: Vec<Var> = Vec::new();
        let (mut parts, mut changed) = (Vec::new(), Vec::new());
        for input in &step.inputs {
            let term = terms.variable(input.variable);
            let stored = step.updates.iter().find(|(_, assigned)| **assigned == term);
            let placed = match stored {
                Some((variable, _)) => self.next(own[variable]),
                None => {
                    let placed = fresh(&manager, input)?;
                    quantified.extend(placed.bits());
                    placed
                }
            };
            parts.push(placed.valid(&manager)?);
            self.encoder.place(input.variable, placed);
        }
        for conjunct in terms.conjuncts(step.guard) {
            parts.push(self.encoder.truth(conjunct)?);
        }
        for (variable, &term) in &step.updates {
            let Own { at, first } = own[variable];
            let form = &self.forms[at];
            let codes = self.encoder.codes(term, form)?;
            parts.push(self.encoder.outside(term, form)?.not());
            for (place, code) in codes.iter().enumerate() {
                let variable = &self.variables[first + place];
                let [now, next] = [&variable.current, &variable.next]
                    .map(|bits| bits.iter().map(|&bit| manager.var(bit)).collect::<Result<Vec<Bdd>, _>>());
                if matches!(form, Form::Array(_)) && *code == now? {
                    continue;
                }
                changed.push(first + place);
                parts.extend(equations(&manager, &next?, code)?);
            }
        }
        changed.sort_unstable();
        parts.retain(|part| !part.is_true());
        if quantified.is_empty() {
            return Ok(Demands { parts, changed });
        }
        // What reads inputs is taken together, for the quantifier.
        let reads = |part: &Bdd| part.support().iter().any(|var| quantified.contains(var));
        let (reading, mut others): (Vec<Bdd>, Vec<Bdd>) = parts.into_iter().partition(reads);
        let together = conjoin(&manager, &reading)?;
        others.push(together.exists(&manager.var_set(quantified)?)?);
        Ok(Demands { parts: others, changed })
    }
}

/// Bits of its own for an input.
pub(super) fn fresh(manager: &Manager, input: &Input) -> Result<Placed, EncodeError> {
    let form = Form::of_domain(&input.domain).ok_or(EncodeError::Unbounded(input.variable))?;
    Ok(Placed::new(&form, &mut |values| (0..values.width()).map(|_| manager.add_var()).collect()))
}
