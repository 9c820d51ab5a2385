//! From a set of states as a diagram to the same set as terms with definitions.
//!
//! The bits of the encoding that the diagram reads are defined from the variables, and every node is defined from its bit and the two nodes
//! below it. So there is one definition per node, each of constant size. A function and its complement share a definition, as they share a node.

use super::{Lowered, slot};
use crate::{Encoded, VarId};
use rustc_hash::FxHashMap;
use tertium_dd::{Bdd, Var};
use tertium_expr::{Sort, Term, Terms, Variable};
use tertium_program::DefinedSet;
use tertium_support::Id;

impl Lowered<'_> {
    /// A set of states of the encoding as terms. Nothing if the diagram reads bits that are not those of current states. Both are of
    /// one flat model, of which the encoding may be a part.
    pub fn set(&self, encoded: &Encoded<'_>, states: &Bdd) -> Option<DefinedSet> {
        let terms = self.terms();
        let (mut definitions, bits) = self.bits_of(encoded, &states.support())?;
        let holds =
            Nodes { terms, bits, definitions: &mut definitions, done: FxHashMap::default() }.define(states);
        Some(DefinedSet { definitions, holds })
    }

    /// Definitions of the bits of all variables of which the diagram reads one, and the bits by their numbers.
    fn bits_of(&self, encoded: &Encoded<'_>, support: &[Var]) -> Option<Bits> {
        let terms = self.terms();
        let mut owners: FxHashMap<Var, VarId> = FxHashMap::default();
        for (&id, variable) in encoded.variables().iter().zip(&encoded.model.variables) {
            if !variable.is_input {
                owners.extend(variable.current.iter().map(|&bit| (bit, id)));
            }
        }
        let mut read: Vec<VarId> = Vec::new();
        for bit in support {
            read.push(*owners.get(bit)?);
        }
        read.sort_unstable();
        read.dedup();
        let (mut definitions, mut bits) = (Vec::new(), FxHashMap::default());
        for id in read {
            let own = slot::of(&self.evaluator.slots, id);
            let variable = &encoded.model.variables[encoded.symbolic(id)?];
            // No variable of a model has blanks in its name.
            let declare = |k: usize| terms.declare(&format!("bit {k} of {}", variable.name), &Sort::Bool);
            let ty = &self.flat().variables[id.index()].ty;
            let term = terms.variable(own.now);
            definitions.extend(slot::code_bits(terms, ty, term, variable.current.len(), declare));
            bits.extend(
                variable.current.iter().enumerate().map(|(k, &bit)| (bit, terms.variable(declare(k)))),
            );
        }
        Some((definitions, bits))
    }
}

/// Definitions, and what stands for each bit.
type Bits = (Vec<(Variable, Term)>, FxHashMap<Var, Term>);

struct Nodes<'a> {
    terms: &'a Terms,
    bits: FxHashMap<Var, Term>,
    definitions: &'a mut Vec<(Variable, Term)>,
    done: FxHashMap<Bdd, Term>,
}

impl Nodes<'_> {
    /// The term that stands for a diagram; defines what is below it first.
    fn define(&mut self, root: &Bdd) -> Term {
        let mut waiting = vec![root.clone()];
        while let Some(at) = waiting.last() {
            if self.known(at).is_some() {
                waiting.pop();
                continue;
            }
            let (low, high) = at.halves();
            match (self.known(&low), self.known(&high)) {
                (Some(no), Some(yes)) => {
                    let bit = self.bits[&at.top().expect("constants are known")];
                    let body = choice(self.terms, bit, yes, no);
                    let name = format!("node {}", self.done.len());
                    let variable = self.terms.declare(&name, &Sort::Bool);
                    self.definitions.push((variable, body));
                    self.done.insert(at.clone(), self.terms.variable(variable));
                    waiting.pop();
                }
                (no, yes) => {
                    waiting
                        .extend(no.is_none().then_some(low).into_iter().chain(yes.is_none().then_some(high)));
                }
            }
        }
        self.known(root).expect("it was defined")
    }

    /// What stands for a diagram that is a constant, or defined, or the complement of one that is.
    fn known(&self, diagram: &Bdd) -> Option<Term> {
        if diagram.is_true() || diagram.is_false() {
            return Some(self.terms.boolean(diagram.is_true()));
        }
        let complement = || self.done.get(&diagram.not()).map(|&term| self.terms.not(term));
        self.done.get(diagram).copied().or_else(complement)
    }
}

/// `if bit then yes else no`, as few connectives as constants allow.
fn choice(terms: &Terms, bit: Term, yes: Term, no: Term) -> Term {
    match (terms.as_bool(yes), terms.as_bool(no)) {
        (Some(false), _) => terms.and([terms.not(bit), no]),
        (_, Some(false)) => terms.and([bit, yes]),
        (_, Some(true)) => terms.or([terms.not(bit), yes]),
        _ => terms.ite(bit, yes, no),
    }
}
