//! Strategies as text: a table of stations, about a screenful, and the count of the rest.

use crate::Detail;
use crate::formula_text::FormulaText;
use crate::names::{count, half_step, literal, state_text};
use crate::station::{Exit, Station, exit_kind, station, station_claims};
use std::fmt::Write;
use tertium_evidence::{By, Move, PositionId, Stage, Strategy};
use tertium_logic::Node;
use tertium_system::PartialSystem;
use tertium_truth::Belnap;

/// More steps than this on one line are counted, not shown.
const STEPS_ON_A_LINE: usize = 6;

/// The lines of a strategy, each ended by a line break.
pub(crate) fn strategy_lines(system: &PartialSystem, strategy: &Strategy, detail: Detail) -> String {
    let page = Page { system, strategy, text: FormulaText::new(strategy.formula()), detail };
    let mut out = String::new();
    page.write(&mut out).expect("strings take all text");
    out
}

/// `12 claims`.
pub(crate) fn strategy_length(strategy: &Strategy) -> String {
    count(station_claims(strategy).len(), "claim")
}

struct Page<'a> {
    system: &'a PartialSystem,
    strategy: &'a Strategy,
    text: FormulaText<'a>,
    detail: Detail,
}

impl Page<'_> {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        for (index, fixpoint) in self.text.fixpoints().enumerate().take(self.detail.limit()) {
            writeln!(
                out,
                "    {} {}",
                if index == 0 { "where" } else { "  and" },
                self.text.definition(fixpoint)
            )?;
        }
        let claims = station_claims(self.strategy);
        let mut lines = 0;
        for (index, &claim) in claims.iter().enumerate() {
            if lines >= self.detail.limit() {
                return writeln!(
                    out,
                    "    … {} (--full shows all)",
                    count(claims.len() - index, "more claim")
                );
            }
            let entry = self.entry(&station(self.strategy, claim));
            lines += entry.lines().count();
            out.push_str(&entry);
        }
        Ok(())
    }

    fn entry(&self, station: &Station) -> String {
        let mut entry = format!("    {}\n", self.claim(station.claim));
        if !station.facts.is_empty() {
            let facts: Vec<String> = station.facts.iter().map(|&fact| self.fact(fact)).collect();
            entry.push_str(&format!("      since {}\n", facts.join(", ")));
        }
        for &exit in &station.exits {
            entry.push_str(&format!("      {}\n", self.exit(exit)));
        }
        entry
    }

    /// `s |= X`.
    fn claim(&self, claim: PositionId) -> String {
        let state = self.strategy.position(claim).state;
        format!("{} |= {}", state_text(self.system, state), self.goal(claim))
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
        literal(name, if *negated { Belnap::False } else { Belnap::True })
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
        let mut shown: Vec<String> = moves.iter().take(STEPS_ON_A_LINE).map(|step| self.way(step)).collect();
        if moves.len() > STEPS_ON_A_LINE && self.detail == Detail::Full {
            shown.extend(moves[STEPS_ON_A_LINE..].iter().map(|step| self.way(step)));
        } else if moves.len() > STEPS_ON_A_LINE {
            shown.push(format!("… {} more", moves.len() - STEPS_ON_A_LINE));
        }
        format!("{word}: {}", shown.join("; "))
    }

    fn way(&self, step: &Move) -> String {
        let target = self.strategy.position(step.to);
        let goal = match self.strategy.node(step.to) {
            Node::True => String::new(),
            _ => format!(" |= {}", self.goal(step.to)),
        };
        match step.by {
            By::Step(action) => format!("{}{goal}", half_step(self.system, action, target.state)),
            By::Standing(concrete) => {
                let domain = self.system.domain_or_flat();
                let state = state_text(self.system, target.state);
                format!("{} as {state}{goal}", domain.concrete().name(concrete))
            }
            By::Unfolding => self.claim(step.to),
        }
    }
}
