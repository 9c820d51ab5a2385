//! Strategies as text: a table of stations, about a screenful, and the count of the rest.

use crate::Detail;
use crate::formula_text::FormulaText;
use crate::names::{count, half_step, plain, state_text};
use crate::page::Page;
use crate::station::{Exit, Station, exit_kind, station, station_claims};
use tertium_evidence::{By, Move, Names, PositionId, Stage, Strategy};
use tertium_logic::Node;

/// More steps than this on one line are counted, not shown.
const STEPS_ON_A_LINE: usize = 6;

/// So many definitions of fixpoints are shown on a screen.
const MOST_DEFINITIONS: usize = 6;

/// For so many fixpoints, a screen shows the ranks of their cycles.
const MOST_RANKED: usize = 3;

/// Writes the lines of a strategy.
pub(crate) fn write_strategy(names: &dyn Names, strategy: &Strategy, detail: Detail, page: &mut Page) {
    Stations { names, strategy, text: FormulaText::new(strategy.formula()), detail }.write(page);
}

/// Writes which ranks a strategy relies on: `ranked by n - i, then m - j: every cycle of mu X. …`.
pub(crate) fn write_ranks(strategy: &Strategy, detail: Detail, page: &mut Page) {
    let Some(ranking) = strategy.ranking() else { return };
    let text = FormulaText::new(strategy.formula());
    let shown = if detail == Detail::Full { ranking.uses.len() } else { MOST_RANKED };
    for (fixpoint, ranks) in ranking.uses.iter().take(shown) {
        let names: Vec<_> = ranks.iter().map(|&rank| plain(ranking.steps.name(rank))).collect();
        page.line(
            4,
            &format!("ranked by {}: every cycle of {}", names.join(", then "), text.definition(*fixpoint)),
        );
    }
    if ranking.uses.len() > shown {
        let more = count(ranking.uses.len() - shown, "more fixpoint");
        page.raw(4, &format!("… {more} (--full shows all)"));
    }
}

/// `12 claims`.
pub(crate) fn strategy_length(strategy: &Strategy) -> String {
    count(station_claims(strategy).len(), "claim")
}

struct Stations<'a> {
    names: &'a dyn Names,
    strategy: &'a Strategy,
    text: FormulaText<'a>,
    detail: Detail,
}

impl Stations<'_> {
    fn write(&self, page: &mut Page) {
        let before = page.n_lines();
        let definitions: Vec<_> = self.text.fixpoints().collect();
        let shown = if self.detail == Detail::Full { definitions.len() } else { MOST_DEFINITIONS };
        for (index, &fixpoint) in definitions.iter().enumerate().take(shown) {
            let word = if index == 0 { "where" } else { "  and" };
            page.line(4, &format!("{word} {}", self.text.definition(fixpoint)));
        }
        if definitions.len() > shown {
            let more = count(definitions.len() - shown, "more definition");
            page.raw(4, &format!("… {more} (--full shows all)"));
        }
        let claims = station_claims(self.strategy);
        for (index, &claim) in claims.iter().enumerate() {
            let mut entry = Page::default();
            self.write_entry(&station(self.strategy, claim), &mut entry);
            if index > 0 && page.n_lines() - before + entry.n_lines() > self.detail.limit() {
                let more = count(claims.len() - index, "more claim");
                page.raw(4, &format!("… {more} (--full shows all)"));
                return;
            }
            page.append(entry);
        }
    }

    fn write_entry(&self, station: &Station, page: &mut Page) {
        page.line(4, &self.claim(station.claim));
        if !station.facts.is_empty() {
            let facts: Vec<String> = station.facts.iter().map(|&fact| self.fact(fact)).collect();
            page.line(6, &format!("since {}", facts.join(", ")));
        }
        station.exits.iter().for_each(|&exit| page.line(6, &self.exit(exit)));
    }

    /// `s |= X`.
    fn claim(&self, claim: PositionId) -> String {
        let state = self.strategy.position(claim).state;
        format!("{} |= {}", state_text(self.names, state), self.goal(claim))
    }

    /// What a claim says of its state.
    fn goal(&self, claim: PositionId) -> String {
        let position = self.strategy.position(claim);
        match (position.stage, self.strategy.node(claim)) {
            (Stage::Argument, Node::Diamond(_, body) | Node::Box(_, body)) => self.text.node(*body),
            _ => self.text.node(position.node),
        }
    }

    fn fact(&self, fact: PositionId) -> String {
        let Node::Literal { proposition, negated } = self.strategy.node(fact) else {
            return self.claim(fact);
        };
        let name = self.strategy.formula().propositions().name(*proposition);
        format!("{}{}", if *negated { "!" } else { "" }, plain(name))
    }

    fn exit(&self, exit: PositionId) -> String {
        let moves = self.strategy.moves(exit);
        let word = match exit_kind(self.strategy, exit) {
            Exit::Chosen if moves.len() > 1 => "guaranteed one of",
            Exit::Chosen => "choose",
            Exit::Every if moves.is_empty() => {
                return format!(
                    "no step to show for {}",
                    self.text.modality(self.strategy.position(exit).node)
                );
            }
            Exit::Every => "every step",
            Exit::Cover if moves.is_empty() => return "it stands for nothing".to_owned(),
            Exit::Cover => "whichever it stands for",
        };
        let mut shown: Vec<String> =
            moves.iter().take(STEPS_ON_A_LINE).map(|step| self.way(exit, step)).collect();
        if moves.len() > STEPS_ON_A_LINE && self.detail == Detail::Full {
            shown.extend(moves[STEPS_ON_A_LINE..].iter().map(|step| self.way(exit, step)));
        } else if moves.len() > STEPS_ON_A_LINE {
            shown.push(format!("… {} more", moves.len() - STEPS_ON_A_LINE));
        }
        format!("{word}: {}", shown.join("; "))
    }

    fn way(&self, from: PositionId, step: &Move) -> String {
        let target = self.strategy.position(step.to);
        let goal = match self.strategy.node(step.to) {
            Node::True => String::new(),
            _ => format!(" |= {}", self.goal(step.to)),
        };
        match step.by {
            By::Step(action) => {
                let source = self.strategy.position(from).state;
                format!("{}{goal}", half_step(self.names, source, action, target.state))
            }
            By::Standing(concrete) => {
                let state = state_text(self.names, target.state);
                format!("{} as {state}{goal}", plain(&self.names.concrete(concrete)))
            }
            By::Unfolding => self.claim(step.to),
        }
    }
}
