//! The explicit engine on models with fairness: all reachable states, one by one. For small models, and to compare.

use crate::{Candidate, Engine, Halt, ListedStates, Opening, PropertyId, Session, Taken, Work};
use tertium_check::symbolic::Options;
use tertium_check::{Record, Semantics};

/// The row of the table.
pub(crate) const LISTED: Engine = Engine {
    name: "explicit",
    title: "reachable states, one by one",
    fits: |model| model.states().is_some(),
    semantics: &[Semantics::Sis],
    takes: &[Taken::Dot],
    rank: None,
    open,
    advise: |_, _| None,
};

struct Listed<'m> {
    opening: Opening<'m>,
    states: Box<dyn ListedStates + 'm>,
}

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = opening.model.states().ok_or_else(|| Halt::Bug("the model lists no states".to_owned()))?;
    let states = offer.explore(opening.context)?;
    work(&mut Listed { opening, states });
    Ok(())
}

impl Session for Listed<'_> {
    fn ask(&mut self, property: PropertyId, _: Option<&str>) -> Result<Candidate<'_>, Halt> {
        let collect = self.opening.options.record == Record::Moves;
        let most_claims = if collect { Options::default().evidence } else { 0 };
        let (mut outcome, shown) = self.states.check(property, most_claims)?;
        if outcome.length.is_none() {
            outcome.reachable = Some(self.states.size().0.to_string());
        }
        let mut candidate = Candidate::plain("explicit", outcome);
        if let Some(shown) = shown {
            candidate.names = shown.names;
            candidate.outcome.evidence = Some(shown.evidence);
            candidate.replays.push(shown.replay);
        }
        Ok(candidate)
    }
}
