//! Strategies in the user's names: graphs of claims that support each other.

use crate::State;
use std::fmt;
use tertium_evidence::{By, Names, PositionId, Stage, Strategy};
use tertium_logic::{ActionFormula, Node, Sign};
use tertium_support::Id;

/// A graph of claims about a formula in positive normal form. It shows its roots if every claim is supported and on
/// every cycle the outermost fixpoint that occurs is a greatest one, or a rank excludes that anybody goes round for ever.
///
/// ```
/// use tertium::{Model, Verdict, check};
///
/// let model = Model::read(
///     "shop.pts",
///     "system shop : kmts; propositions open; state day : open; state night : !open; init day;
///      both day -> night; both night -> day; may day -> day;",
/// )?;
/// let answer = check(&model, &model.property("AG EF open")?)?;
/// assert_eq!(answer.verdict(), Verdict::True);
/// let proof = answer.proof().expect("a strategy proves it");
/// let root = proof.roots().next().expect("one initial state");
/// assert_eq!((root.state().name().as_str(), root.text().as_str()), ("day", "nu Z"));
/// // The claims that support it, one after the other.
/// let facts = proof.positions().filter(|claim| claim.text() == "open").count();
/// assert_eq!(facts, 1);
/// # Ok::<(), tertium::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ClaimGraph<'a> {
    names: &'a dyn Names,
    strategy: &'a Strategy,
}

impl<'a> ClaimGraph<'a> {
    pub(crate) fn new(names: &'a dyn Names, strategy: &'a Strategy) -> Self {
        Self { names, strategy }
    }

    /// The claims that answer the question, about initial states.
    pub fn roots(self) -> impl Iterator<Item = Position<'a>> {
        self.strategy.roots().iter().map(move |&id| Position { graph: self, id })
    }

    /// The names of the ranks that it relies on, if it needs any.
    pub fn ranks(self) -> Vec<&'a str> {
        let Some(ranking) = self.strategy.ranking() else { return Vec::new() };
        let mut ranks: Vec<usize> = ranking.uses.iter().flat_map(|(_, ranks)| ranks.clone()).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks.into_iter().map(|rank| ranking.steps.name(rank)).collect()
    }

    /// All claims.
    pub fn positions(self) -> impl Iterator<Item = Position<'a>> {
        PositionId::first(self.strategy.n_positions()).map(move |id| Position { graph: self, id })
    }
}

impl fmt::Debug for ClaimGraph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.positions()).finish()
    }
}

/// One claim of a graph.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    graph: ClaimGraph<'a>,
    id: PositionId,
}

impl<'a> Position<'a> {
    /// Its number: equal claims have equal numbers.
    pub fn number(self) -> usize {
        self.id.index()
    }

    /// The state that it is about.
    pub fn state(self) -> State<'a> {
        State::new(self.graph.names, self.graph.strategy.position(self.id).state)
    }

    /// The outermost operator of what is claimed: `p`, `!p`, `&&`, `||`, `<a>`, `[a]`, `mu X` or `nu X`. The operands
    /// are claimed by what supports it.
    pub fn text(self) -> String {
        let formula = self.graph.strategy.formula();
        let actions = |index: usize| match &formula.actions()[index] {
            ActionFormula::True => String::new(),
            actions => actions.to_string(),
        };
        match self.graph.strategy.node(self.id) {
            Node::True => "true".to_owned(),
            Node::False => "false".to_owned(),
            Node::Literal { proposition, negated } => {
                let sign = if *negated { "!" } else { "" };
                format!("{sign}{}", formula.propositions().name(*proposition))
            }
            Node::And(_) => "&&".to_owned(),
            Node::Or(_) => "||".to_owned(),
            Node::Diamond(index, _) => format!("<{}>", actions(*index)),
            Node::Box(index, _) => format!("[{}]", actions(*index)),
            Node::Fixpoint { sign: Sign::Least, name, .. } => format!("mu {name}").trim_end().to_owned(),
            Node::Fixpoint { sign: Sign::Greatest, name, .. } => format!("nu {name}").trim_end().to_owned(),
        }
    }

    /// Which part of a modality it is about; only reduced semantics has parts.
    pub fn stage(self) -> Stage {
        self.graph.strategy.position(self.id).stage
    }

    /// The claims that support it, each with what leads there.
    pub fn supports(self) -> impl Iterator<Item = (Reason, Position<'a>)> {
        let graph = self.graph;
        let state = move |position| graph.strategy.position(position).state;
        let source = state(self.id);
        graph.strategy.moves(self.id).iter().map(move |step| {
            let reason = match step.by {
                By::Unfolding => Reason::Operand,
                By::Step(action) => Reason::Step(graph.names.step_between(source, action, state(step.to))),
                By::Standing(concrete) => Reason::StandsFor(graph.names.concrete(concrete)),
            };
            (reason, Position { graph, id: step.to })
        })
    }
}

impl fmt::Debug for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({} at {})", self.text(), self.state())
    }
}

/// What leads from a claim to one that supports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is an operand of the formula, at the same state.
    Operand,
    /// A step of the system.
    Step(tertium_evidence::StepName),
    /// Both states stand for this concrete state.
    StandsFor(String),
}
