//! What the bits of the encoding into diagrams are among terms.

use super::{Lowered, slot};
use crate::Encoded;
use tertium_dd::Var;
use tertium_expr::Term;
use tertium_support::Id;

impl Lowered<'_> {
    /// Each bit of the current states of an encoding, as a truth value over the current variables. Both are of one flat model, of which the
    /// encoding may be a part.
    pub fn bits(&self, encoded: &Encoded<'_>) -> Vec<(Var, Term)> {
        let terms = self.terms();
        let mut bits = Vec::new();
        for (&id, variable) in encoded.variables().iter().zip(&encoded.model.variables) {
            if !variable.is_input {
                let own = self.evaluator.slot(id);
                let values = slot::values(&self.flat().variables[id.index()].ty, &own.sort);
                let code = values.code_bits(terms, terms.variable(own.now));
                debug_assert_eq!(code.len(), variable.current.len(), "both count the bits of codes");
                bits.extend(variable.current.iter().copied().zip(code));
            }
        }
        bits
    }
}
