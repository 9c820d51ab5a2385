//! From the graph back to a formula in positive normal form, for people to read.

use crate::{Formula, FormulaGraph, FormulaKind, Node, NodeId, PathQuantifier, Regular};
use rustc_hash::FxHashMap;

/// The formula in positive normal form that a graph stands for. Shared nodes are written as often as they are
/// referred to: the formula can be exponentially larger than the graph, so this is for formulas that people write.
/// Variables keep their names where these do not clash.
pub fn to_formula(graph: &FormulaGraph) -> Formula {
    Unravel { graph, around: FxHashMap::default() }.formula(graph.root())
}

struct Unravel<'a> {
    graph: &'a FormulaGraph,
    /// The fixpoints around the current place with the names of their variables.
    around: FxHashMap<NodeId, String>,
}

impl Unravel<'_> {
    fn formula(&mut self, id: NodeId) -> Formula {
        if let Some(name) = self.around.get(&id) {
            return Formula::variable(name.clone());
        }
        match self.graph.node(id) {
            Node::True => FormulaKind::True.into(),
            Node::False => FormulaKind::False.into(),
            Node::Literal { proposition, negated } => {
                let literal = Formula::proposition(self.graph.propositions().name(*proposition));
                if *negated { literal.negated() } else { literal }
            }
            Node::And(parts) => Formula::all(parts.iter().map(|&part| self.formula(part)).collect()),
            Node::Or(parts) => Formula::any(parts.iter().map(|&part| self.formula(part)).collect()),
            Node::Diamond(actions, body) => self.step(PathQuantifier::Some, *actions, *body),
            Node::Box(actions, body) => self.step(PathQuantifier::All, *actions, *body),
            Node::Fixpoint { sign, body, name, .. } => {
                let name = self.fresh(name);
                self.around.insert(id, name.clone());
                let body = self.formula(*body);
                self.around.remove(&id);
                Formula::fixpoint(*sign, name, body)
            }
        }
    }

    fn step(&mut self, quantifier: PathQuantifier, actions: usize, body: NodeId) -> Formula {
        let actions = self.graph.actions()[actions].clone();
        FormulaKind::Modal(quantifier, Regular::Step(actions), Box::new(self.formula(body))).into()
    }

    /// `wanted`, or `wanted` with a number if it is taken.
    fn fresh(&self, wanted: &str) -> String {
        let taken = |name: &str| {
            self.graph.propositions().get(name).is_some() || self.around.values().any(|own| own == name)
        };
        let numbered = (1..).map(|number| format!("{wanted}{number}"));
        std::iter::once(wanted.to_owned())
            .chain(numbered)
            .find(|name| !taken(name))
            .expect("finitely many names are taken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use tertium_support::Source;

    fn formula(text: &str) -> Formula {
        parse(&Source::new("test", text)).unwrap()
    }

    /// Puts `text` in normal form.
    fn check(text: &str, expected: &str) {
        assert_eq!(to_formula(&FormulaGraph::new(&formula(text))), formula(expected), "{text}");
    }

    #[test]
    fn negation_dualises_fixpoints_together_with_their_variables() {
        check("!mu Z. (p || <>Z)", "nu Z. !p && []Z");
        check("!nu Z. mu Y. [a]Z && (p || <b>Y)", "mu Z. nu Y. <a>Z || (!p && [b]Y)");
        check("!!mu Z. p || <>Z", "mu Z. p || <>Z");
        check("!(p => q)", "p && !q");
        check("!(p <=> q)", "(p && !q) || (q && !p)");
        check("mu X. !nu Y. !(X || <a>!Y)", "mu X. mu Y. X || <a>Y");
    }

    #[test]
    fn ctl_is_these_fixpoints() {
        check("EX p", "<>p");
        check("AX p", "[]p");
        check("EF p", "mu Z. p || <>Z");
        check("AF p", "mu Z. p || []Z");
        check("EG p", "nu Z. p && <>Z");
        check("AG p", "nu Z. p && []Z");
        check("E[p U q]", "mu Z. q || (p && <>Z)");
        check("A[p U q]", "mu Z. q || (p && []Z)");
        check("E[p W q]", "nu Z. q || (p && <>Z)");
        check("A[p W q]", "nu Z. q || (p && []Z)");
        check("E[p R q]", "nu Z. q && (p || <>Z)");
        check("A[p R q]", "nu Z. q && (p || []Z)");
        check("!A[p U q]", "nu Z. !q && (!p || <>Z)");
        check("AG EF p", "nu Z. (mu Z1. p || <>Z1) && []Z");
    }

    #[test]
    fn regular_modalities_are_these_fixpoints() {
        check("<a.b>p", "<a><b>p");
        check("[a + b]p", "[a]p && [b]p");
        check("<a*>p", "mu Z. p || <a>Z");
        check("[a*]p", "nu Z. p && [a]Z");
        check("<a+>p", "mu Z. <a>(p || Z)");
        check("![a+ . b]p", "mu Z. <a>(<b>!p || Z)");
        check("<(a . b*)*>p", "mu Z. p || <a>mu Z1. Z || <b>Z1");
    }

    #[test]
    fn constants_and_idle_binders_vanish_but_unguarded_recursion_stays() {
        check("p && true", "p");
        check("p && <a>false", "p && <a>false");
        check("[a](true || p)", "[a]true");
        check("<false>p || q", "<false>p || q");
        check("mu X. p", "p");
        check("mu X. X", "mu X. X");
        check("nu X. X || p", "nu X. X || p");
        // unknown && !unknown is unknown, so this must stay
        check("p && !p", "p && !p");
    }

    #[test]
    fn names_that_clash_are_numbered() {
        check("\"X\" && mu X. X || <>X", "\"X\" && mu X1. X1 || <>X1");
        check("mu X. (nu X. <a>X && p) && <b>X", "mu X. (nu X1. <a>X1 && p) && <b>X");
    }
}
