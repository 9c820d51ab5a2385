//! Nodes of formula graphs as short text.
//!
//! A fixpoint is shown by the name of its variable, and what it unfolds to stands in a legend; so the text of a node
//! never loops. Fixpoints that share a name, or were given none by the user, are numbered apart. Shared nodes are
//! written out each time, so deep ones are cut.

use std::collections::{BTreeMap, BTreeSet};
use tertium_logic::{ActionFormula, FormulaGraph, Node, NodeId, Sign};
use tertium_support::Id;

/// Deeper parts of a formula are not written out.
const DEPTH: usize = 8;

/// The names for the fixpoints of a graph.
pub(crate) struct FormulaText<'a> {
    graph: &'a FormulaGraph,
    names: Vec<Option<String>>,
}

impl<'a> FormulaText<'a> {
    /// Finds a name for every fixpoint.
    pub(crate) fn new(graph: &'a FormulaGraph) -> Self {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for wanted in graph.nodes().filter_map(|(_, node)| variable(node)) {
            *uses.entry(wanted).or_default() += 1;
        }
        let mut taken: BTreeSet<String> = graph.propositions().names().map(str::to_owned).collect();
        let mut choose = |wanted: &str| {
            let plain = (uses[wanted] == 1).then(|| wanted.to_owned());
            let numbered = (1..).map(|number| format!("{wanted}{number}"));
            let name = plain.into_iter().chain(numbered).find(|name| !taken.contains(name));
            let name = name.expect("there are endlessly many names");
            taken.insert(name.clone());
            name
        };
        let names = graph.nodes().map(|(_, node)| variable(node).map(&mut choose)).collect();
        Self { graph, names }
    }

    /// A node, fixpoints by name.
    pub(crate) fn node(&self, id: NodeId) -> String {
        self.write(id, DEPTH, Place::Top)
    }

    /// `nu X. …` for a fixpoint; the same as [`Self::node`] otherwise.
    pub(crate) fn definition(&self, id: NodeId) -> String {
        match (self.graph.node(id), &self.names[id.index()]) {
            (Node::Fixpoint { sign, body, .. }, Some(name)) => {
                let word = match sign {
                    Sign::Least => "mu",
                    Sign::Greatest => "nu",
                };
                format!("{word} {name}. {}", self.write(*body, DEPTH, Place::Top))
            }
            _ => self.node(id),
        }
    }

    /// `<a>` or `[a]` for a modality, without what follows it; steps with any action are `<>` and `[]`.
    pub(crate) fn modality(&self, id: NodeId) -> String {
        let actions = |index: usize| match &self.graph.actions()[index] {
            ActionFormula::True => String::new(),
            actions => actions.to_string(),
        };
        match self.graph.node(id) {
            Node::Diamond(index, _) => format!("<{}>", actions(*index)),
            Node::Box(index, _) => format!("[{}]", actions(*index)),
            _ => String::new(),
        }
    }

    /// The fixpoints of the graph.
    pub(crate) fn fixpoints(&self) -> impl Iterator<Item = NodeId> + '_ {
        NodeId::first(self.names.len()).filter(|id| self.names[id.index()].is_some())
    }

    fn write(&self, id: NodeId, depth: usize, place: Place) -> String {
        if let Some(name) = &self.names[id.index()] {
            return name.clone();
        }
        if depth == 0 {
            return "…".to_owned();
        }
        let inside = |text: String| if place == Place::Operand { format!("({text})") } else { text };
        let join = |operands: &[NodeId], operator: &str| {
            operands
                .iter()
                .map(|&operand| self.write(operand, depth - 1, Place::Operand))
                .collect::<Vec<_>>()
                .join(operator)
        };
        match self.graph.node(id) {
            Node::True => "true".to_owned(),
            Node::False => "false".to_owned(),
            Node::Literal { proposition, negated } => {
                let sign = if *negated { "!" } else { "" };
                format!("{sign}{}", self.graph.propositions().name(*proposition))
            }
            Node::And(operands) => inside(join(operands, " && ")),
            Node::Or(operands) => inside(join(operands, " || ")),
            Node::Diamond(_, body) | Node::Box(_, body) => {
                format!("{}{}", self.modality(id), self.write(*body, depth - 1, Place::Operand))
            }
            Node::Fixpoint { body, .. } => self.write(*body, depth - 1, place),
        }
    }
}

/// Whether brackets are needed around an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Operand,
}

/// The variable of a fixpoint as the user wrote it.
fn variable(node: &Node) -> Option<&str> {
    match node {
        Node::Fixpoint { name, .. } => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_logic::parse;
    use tertium_support::Source;

    fn definitions(formula: &str) -> Vec<String> {
        let graph = FormulaGraph::new(&parse(&Source::new("f", formula)).unwrap());
        let text = FormulaText::new(&graph);
        text.fixpoints().map(|id| text.definition(id)).collect()
    }

    #[test]
    fn a_fixpoint_is_shown_by_name_with_one_unfolding() {
        assert_eq!(definitions("nu X. p && [a]X"), ["nu X. p && [a]X"]);
    }

    #[test]
    fn fixpoints_of_the_same_name_are_told_apart() {
        let found = definitions("(mu X. p || <>X) && (nu X. q && <>X)");
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("X1") && found[1].contains("X2"), "{found:?}");
    }
}
