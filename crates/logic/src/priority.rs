//! Priorities and alternation depth, by dependency.
//!
//! The header of `graph` says what priorities must satisfy. In a strongly connected component let F be the outermost
//! fixpoint: all others in it stand inside F, and F and they depend on each other. So F takes the least number of
//! its parity that is at least as great as all others, which are those of the components that remain without F.
//!
//! The alternation depth counts along the same recursion: a fixpoint is one level above those of the other sign with
//! which it shares a component, and on the level of those of its own sign \[EL86\] \[Niw86\].
//!
//! Cost: the size of the graph times the nesting depth of fixpoints that depend on each other.

use crate::{Node, NodeId, Sign};
use tertium_support::{ComponentSearch, Id};

/// Sets the priorities of all fixpoints. Gives the alternation depth: 0 without fixpoints, 1 if least and greatest
/// ones do not depend on each other, and so on. Relies on outer fixpoints having smaller ids than inner ones.
pub(crate) fn assign_priorities(nodes: &mut [Node]) -> usize {
    let mut ranking =
        Ranking { search: ComponentSearch::new(nodes.len()), part: vec![0; nodes.len()], n_parts: 1, nodes };
    let all: Vec<NodeId> = NodeId::first(ranking.nodes.len()).collect();
    let rank = ranking.rank_parts_of(&all, 0);
    rank.least.max(rank.greatest)
}

/// The highest priority and the highest levels of either sign in some part of the graph.
#[derive(Clone, Copy, Default)]
struct Rank {
    priority: u32,
    least: usize,
    greatest: usize,
}

struct Ranking<'a> {
    nodes: &'a mut [Node],
    search: ComponentSearch<NodeId>,
    /// The part of the decomposition that a node is currently in.
    part: Vec<u32>,
    n_parts: u32,
}

impl Ranking<'_> {
    /// Ranks all fixpoints among `members`, the nodes of one part.
    fn rank_parts_of(&mut self, members: &[NodeId], part: u32) -> Rank {
        let components = self.search.components(
            members,
            |id| self.nodes[id.index()].children(),
            |id| self.part[id.index()] == part,
        );
        let mut highest = Rank::default();
        for component in components {
            let rank = self.rank_component(component);
            highest.priority = highest.priority.max(rank.priority);
            highest.least = highest.least.max(rank.least);
            highest.greatest = highest.greatest.max(rank.greatest);
        }
        highest
    }

    fn rank_component(&mut self, mut component: Vec<NodeId>) -> Rank {
        let fixpoints = component.iter().copied().filter(|&id| self.sign(id).is_some());
        let Some(outermost) = fixpoints.min() else {
            return Rank::default();
        };
        let part = self.n_parts;
        self.n_parts += 1;
        component.retain(|&id| id != outermost);
        component.iter().for_each(|id| self.part[id.index()] = part);
        let inner = self.rank_parts_of(&component, part);
        let Node::Fixpoint { sign, priority, .. } = &mut self.nodes[outermost.index()] else {
            return inner;
        };
        let wrong_parity = match sign {
            Sign::Least => inner.priority.is_multiple_of(2),
            Sign::Greatest => !inner.priority.is_multiple_of(2),
        };
        *priority = inner.priority + u32::from(wrong_parity);
        let mut rank = Rank { priority: *priority, ..inner };
        match sign {
            Sign::Least => rank.least = inner.least.max(inner.greatest + 1),
            Sign::Greatest => rank.greatest = inner.greatest.max(inner.least + 1),
        }
        rank
    }

    fn sign(&self, id: NodeId) -> Option<Sign> {
        match &self.nodes[id.index()] {
            Node::Fixpoint { sign, .. } => Some(*sign),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{FormulaGraph, Node, parse};
    use tertium_support::Source;

    fn graph(text: &str) -> FormulaGraph {
        FormulaGraph::new(&parse(&Source::new("test", text)).unwrap())
    }

    /// Names and priorities of the fixpoints, outermost first.
    fn priorities(text: &str) -> Vec<(String, u32)> {
        let of = |node: &Node| match node {
            Node::Fixpoint { name, priority, .. } => Some((name.clone(), *priority)),
            _ => None,
        };
        graph(text).nodes().filter_map(|(_, node)| of(node)).collect()
    }

    #[test]
    fn priorities_are_minimal_and_look_at_dependency_only() {
        let named = |names: &[(&str, u32)]| names.iter().map(|&(n, p)| (n.to_owned(), p)).collect::<Vec<_>>();
        assert_eq!(priorities("mu X. <>X || nu Y. p && []Y"), named(&[("X", 1), ("Y", 0)]));
        assert_eq!(priorities("nu X. mu Y. (p && <>X) || <>Y"), named(&[("X", 2), ("Y", 1)]));
        assert_eq!(priorities("mu X. nu Y. (p && <>X) || <>Y"), named(&[("X", 1), ("Y", 0)]));
        assert_eq!(priorities("mu X. nu Y. mu Z. <>X || <>Y || <>Z"), named(&[("X", 3), ("Y", 2), ("Z", 1)]));
        // Z depends on neither X nor Y, so it does not count.
        assert_eq!(
            priorities("mu X. nu Y. <>X || <>Y || mu Z. p || <>Z"),
            named(&[("X", 1), ("Y", 0), ("Z", 1)])
        );
    }

    #[test]
    fn the_alternation_depth_of_well_known_formulas() {
        for (text, depth) in [
            ("p && <a>[b]q", 0),
            ("mu X. p", 0),
            ("EF p", 1),
            ("AG EF p", 1),
            ("A[p U q] && EG r", 1),
            ("mu X. mu Y. <a>X || <b>Y || p", 1),
            ("nu X. mu Y. (p && <>X) || <>Y", 2),
            ("mu X. nu Y. []X && (p || []Y)", 2),
            ("nu X. mu Y. nu Z. <a>X || <b>Y || (p && <c>Z)", 3),
            // The inner fixpoint does not depend on X: the nesting does not alternate.
            ("nu X. <a>X && mu Y. p || <b>Y", 1),
            // mu inside mu counts once, whatever stands between
            ("mu X. <a>X || mu Y. <b>Y || <c>X", 1),
            ("nu X. X", 1),
        ] {
            assert_eq!(graph(text).alternation_depth(), depth, "{text}");
            assert_eq!(
                FormulaGraph::negation_of(&parse(&Source::new("t", text)).unwrap()).alternation_depth(),
                depth
            );
        }
    }
}
