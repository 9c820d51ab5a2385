//! What a `.pts` file says, before names are looked up: a state may be used before it is declared, so ids are handed
//! out at the first mention and brought into the order of declaration at the end.

use super::Family;
use crate::{ActionId, ConcreteId, Modality, PropId, StateId};
use std::borrow::Cow;
use tertium_support::{Id, Interner, Span};
use tertium_truth::Belnap;

/// A name as it stands in the file.
#[derive(Clone, Debug)]
pub(super) struct Name<'s> {
    pub(super) text: Cow<'s, str>,
    pub(super) span: Span,
}

/// All names of one kind: in order of first mention, with the place of that, and the place of the declaration.
#[derive(Debug)]
pub(super) struct Names<I> {
    pub(super) names: Interner<I>,
    pub(super) mentioned: Vec<Span>,
    pub(super) declared: Vec<Option<Span>>,
    /// The declared ones, in order of declaration.
    pub(super) order: Vec<I>,
}

impl<I> Default for Names<I> {
    fn default() -> Self {
        Self { names: Interner::default(), mentioned: Vec::new(), declared: Vec::new(), order: Vec::new() }
    }
}

impl<I: Id> Names<I> {
    /// The id of a name, declared or not.
    pub(super) fn mention(&mut self, name: &Name<'_>) -> I {
        let id = self.names.intern(&name.text);
        if id.index() == self.mentioned.len() {
            self.mentioned.push(name.span);
            self.declared.push(None);
        }
        id
    }

    /// Declares a name; `Err` holds where that was done before.
    pub(super) fn declare(&mut self, name: &Name<'_>) -> Result<I, Span> {
        let id = self.mention(name);
        match self.declared[id.index()] {
            Some(first) => Err(first),
            None => {
                self.declared[id.index()] = Some(name.span);
                self.order.push(id);
                Ok(id)
            }
        }
    }

    /// Declares every name in order of mention, for kinds whose declaration is optional and was left out.
    pub(super) fn declare_all(&mut self) {
        self.declared = self.mentioned.iter().copied().map(Some).collect();
        self.order = self.names.ids().collect();
    }

    /// The names that are used but not declared.
    pub(super) fn undeclared(&self) -> impl Iterator<Item = I> + '_ {
        self.names.ids().filter(|id| self.declared[id.index()].is_none())
    }

    /// For each name its place in the order of declaration.
    pub(super) fn ranks(&self) -> Vec<I> {
        let mut ranks: Vec<I> = self.names.ids().collect();
        self.order.iter().enumerate().for_each(|(rank, id)| ranks[id.index()] = I::new(rank));
        ranks
    }
}

/// `both s -a-> t`.
#[derive(Clone, Copy, Debug)]
pub(super) struct DraftEdge {
    pub(super) source: StateId,
    pub(super) action: ActionId,
    pub(super) target: StateId,
    pub(super) modality: Modality,
    pub(super) span: Span,
}

/// `must s -a-> {t, u}` with two targets or more.
#[derive(Clone, Debug)]
pub(super) struct DraftHyperMust {
    pub(super) source: StateId,
    pub(super) action: ActionId,
    pub(super) targets: Vec<StateId>,
    pub(super) span: Span,
}

/// One literal of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct DraftLabel {
    pub(super) state: StateId,
    pub(super) prop: PropId,
    pub(super) value: Belnap,
    pub(super) span: Span,
}

/// A concretisation: a state, its set, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct DraftGamma {
    pub(super) state: StateId,
    pub(super) set: Vec<ConcreteId>,
    pub(super) span: Span,
}

/// All statements of a file.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) name: Option<String>,
    pub(super) family: Option<Family>,
    /// The place of the `system` statement.
    pub(super) header: Option<Span>,
    /// `states n;`: the states are called 0 to n - 1.
    pub(super) numbered: Option<(usize, Span)>,
    pub(super) states: Names<StateId>,
    pub(super) actions: Names<ActionId>,
    /// The place of the first `actions` statement.
    pub(super) actions_declared: Option<Span>,
    pub(super) props: Names<PropId>,
    /// The value of each declared proposition where no label is given, with its place, if the file says one.
    pub(super) defaults: Vec<Option<(Belnap, Span)>>,
    pub(super) concretes: Names<ConcreteId>,
    /// The place of the first `concrete` statement.
    pub(super) concretes_declared: Option<Span>,
    pub(super) initial: Vec<StateId>,
    pub(super) gamma: Vec<DraftGamma>,
    pub(super) labels: Vec<DraftLabel>,
    pub(super) edges: Vec<DraftEdge>,
    pub(super) hyper_musts: Vec<DraftHyperMust>,
}
