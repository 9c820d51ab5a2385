//! A copy of a system in which some of what it leaves open is settled.

use crate::{ActionId, Modality, PackedLabel, PartialSystem, PropId, StateId, Transitions};
use tertium_truth::Belnap;

/// A may-only step, or a label that is unknown, with what it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The step is there, as a must, or it is not there.
    Step(StateId, ActionId, StateId, bool),
    /// The label is true, or false.
    Label(StateId, PropId, bool),
}

impl PartialSystem {
    /// The copy. Choices about what is not open are ignored. Costs as much as the system is large.
    #[must_use]
    pub fn settled(&self, choices: &[Choice]) -> Self {
        let mut settled = self.clone();
        let choice = |source, action, target| {
            choices.iter().find_map(|&choice| match choice {
                Choice::Step(s, a, t, is_there) if (s, a, t) == (source, action, target) => Some(is_there),
                _ => None,
            })
        };
        if choices.iter().any(|choice| matches!(choice, Choice::Step(..))) {
            let rows = self.states().map(|source| {
                self.edges(source).filter_map(move |edge| {
                    let modality = match (edge.modality, choice(source, edge.action, edge.other)) {
                        (Modality::May, Some(false)) => return None,
                        (Modality::May, Some(true)) => Modality::Both,
                        (modality, _) => modality,
                    };
                    Some((PackedLabel::new(edge.action, modality), edge.other))
                })
            });
            settled.transitions = Transitions::from_rows(self.transitions.len(), rows);
        }
        for &choice in choices {
            if let Choice::Label(state, prop, value) = choice
                && self.labels.get(prop, state) == Belnap::Unknown
            {
                settled.labels.set(prop, state, if value { Belnap::True } else { Belnap::False });
            }
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SystemBuilder, UNLABELLED};

    #[test]
    fn only_what_is_open_is_settled() {
        let mut builder = SystemBuilder::named();
        let (s, t) = (builder.state("s"), builder.state("t"));
        let step = builder.action(UNLABELLED);
        let p = builder.proposition("p", Belnap::Unknown);
        builder.initial(s);
        builder.label(s, p, Belnap::True);
        builder.edge(s, step, t, Modality::May);
        builder.edge(t, step, t, Modality::Both);
        let system = builder.build();
        let no = system.settled(&[
            Choice::Step(s, step, t, false),
            Choice::Step(t, step, t, false),
            Choice::Label(t, p, true),
            Choice::Label(s, p, false),
        ]);
        assert_eq!((no.edges(s).count(), no.edges(t).count()), (0, 1));
        assert_eq!((no.labels().get(p, s), no.labels().get(p, t)), (Belnap::True, Belnap::True));
        let yes = system.settled(&[Choice::Step(s, step, t, true)]);
        assert_eq!(yes.transitions().find(s, step, t), Some(Modality::Both));
        assert_eq!(system.settled(&[]), system);
    }
}
