//! Evidence as a picture: the part of the system that the evidence speaks of, with its choices in colour.
//!
//! States that a strategy passes are drawn, with all edges between them: taken ones bold, in green for a proof and red
//! for a refutation, others thin and grey; may-only edges dashed, as everywhere. What leaves an answer open is orange.

use crate::names::changed_line;
use std::collections::BTreeSet;
use std::fmt::Write;
use tertium_evidence::{Blocking, By, Culprit, Evidence, PositionId, Strategy};
use tertium_support::Id;
use tertium_system::{ActionId, Modality, PartialSystem, StateId, UNLABELLED};

/// The evidence as a DOT graph, labelled with the verdict and the formula. Evidence that speaks of no states gives the
/// initial states only.
pub fn evidence_dot(system: &PartialSystem, evidence: &Evidence, title: &str) -> String {
    let mut picture = Picture::default();
    picture.states.extend(system.initial());
    match evidence {
        Evidence::Proof(strategy) => picture.strategy(strategy, PROOF),
        Evidence::Refutation(strategy) => picture.strategy(strategy, REFUTATION),
        Evidence::Contradiction { proof, refutation } => {
            picture.strategy(proof, PROOF);
            picture.strategy(refutation, REFUTATION);
        }
        Evidence::Open(blocking) => picture.blocking(blocking),
        Evidence::Enumeration { .. } => {}
    }
    let mut out = String::new();
    picture.draw(system, title, &mut out).expect("strings take all text");
    out
}

const PROOF: &str = "darkgreen";
const REFUTATION: &str = "red";
const OPEN: &str = "orange";

type Step = (StateId, ActionId, StateId);

/// What is drawn.
#[derive(Default)]
struct Picture {
    states: BTreeSet<StateId>,
    coloured_states: BTreeSet<(StateId, &'static str)>,
    steps: BTreeSet<(Step, &'static str)>,
}

impl Picture {
    fn strategy(&mut self, strategy: &Strategy, colour: &'static str) {
        for id in PositionId::first(strategy.n_positions()) {
            let source = strategy.position(id).state;
            self.states.insert(source);
            for step in strategy.moves(id) {
                if let By::Step(action) = step.by {
                    let target = strategy.position(step.to).state;
                    self.steps.insert(((source, action, target), colour));
                }
            }
        }
        let roots = strategy.roots().iter().map(|&root| (strategy.position(root).state, colour));
        self.coloured_states.extend(roots);
    }

    fn blocking(&mut self, blocking: &Blocking) {
        let mut at = blocking.start;
        self.states.insert(at);
        for &(action, state) in &blocking.steps {
            self.states.insert(state);
            self.steps.insert(((at, action, state), "black"));
            at = state;
        }
        match blocking.culprit {
            Culprit::MayOnly { source, action, target } => {
                self.states.extend([source, target]);
                self.steps.insert(((source, action, target), OPEN));
            }
            Culprit::Label { state, .. } | Culprit::MissingProposition { state } => {
                self.states.insert(state);
                self.coloured_states.insert((state, OPEN));
            }
        }
    }

    fn draw(&self, system: &PartialSystem, title: &str, out: &mut String) -> std::fmt::Result {
        writeln!(out, "digraph evidence {{")?;
        writeln!(out, "  label={};\n  labelloc=t;\n  node [shape=ellipse];", quoted(title))?;
        for &state in &self.states {
            self.draw_state(system, state, out)?;
        }
        for &state in &self.states {
            for edge in system.edges(state).filter(|edge| self.states.contains(&edge.other)) {
                let style = match edge.modality {
                    Modality::May => "dashed",
                    Modality::Both | Modality::Must => "solid",
                };
                self.draw_edge(system, (state, edge.action, edge.other), style, out)?;
            }
            for (action, targets) in system.hyper_musts().of(state) {
                for &target in targets.iter().filter(|target| self.states.contains(target)) {
                    if system.transitions().find(state, action, target).is_none() {
                        self.draw_edge(system, (state, action, target), "bold", out)?;
                    }
                }
            }
        }
        writeln!(out, "}}")
    }

    fn draw_state(&self, system: &PartialSystem, state: StateId, out: &mut String) -> std::fmt::Result {
        let labels = changed_line(system, None, state);
        let name = system.state_name(state);
        let text = if labels.is_empty() { name.into_owned() } else { format!("{name}\n{labels}") };
        let colour = self.coloured_states.range((state, "")..).next().filter(|(other, _)| *other == state);
        let colour = colour.map_or(String::new(), |(_, colour)| format!(", color={colour}, penwidth=2"));
        let n = state.index();
        writeln!(out, "  s{n} [label={}{colour}];", quoted(&text))?;
        if system.initial().contains(&state) {
            writeln!(out, "  i{n} [shape=none, label=\"\", width=0, height=0];\n  i{n} -> s{n};")?;
        }
        Ok(())
    }

    fn draw_edge(
        &self,
        system: &PartialSystem,
        step: Step,
        style: &str,
        out: &mut String,
    ) -> std::fmt::Result {
        let label = match system.actions().name(step.1) {
            UNLABELLED => String::new(),
            name => format!(", label={}", quoted(name)),
        };
        let taken = self.steps.range((step, "")..).take_while(|(taken, _)| *taken == step);
        let colours: Vec<&str> = taken.map(|&(_, colour)| colour).collect();
        let look = if colours.is_empty() {
            "color=grey, fontcolor=grey".to_owned()
        } else {
            format!("color=\"{}\", penwidth=2", colours.join(":"))
        };
        writeln!(out, "  s{} -> s{} [style={style}, {look}{label}];", step.0.index(), step.2.index())
    }
}

/// A DOT string.
pub(crate) fn quoted(text: &str) -> String {
    let escaped =
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\0', "\u{FFFD}");
    format!("\"{escaped}\"")
}
