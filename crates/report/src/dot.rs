//! Evidence as a picture: the states that it speaks of, once each, with its steps in colour.
//!
//! Steps are bold, green in a proof and red in a refutation. States without a name say what changed since the state they were
//! first reached from. Claims of a tree are notes at their states. Of a system with may and must, the other steps between these
//! states are thin and grey, and may-only steps dashed. What leaves an answer open is orange.

use crate::answer::one_line;
use crate::blocking::way;
use crate::evidence::Role;
use crate::names::{changed, plain, step_text, texts};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tertium_evidence::{
    Answer, Blocking, By, Claim, Culprit, Evidence, Names, PositionId, Ranking, Strategy, Support, Trace,
};
use tertium_support::Id;
use tertium_system::format::dot_string;
use tertium_system::{Modality, PartialSystem, StateId, Step, ranks_of};

const PROOF: &str = "darkgreen";
const REFUTATION: &str = "red";
const OPEN: &str = "orange";
/// More values than this are counted, not shown.
const MOST_VALUES: usize = 12;

/// The evidence as a DOT graph with a title. Evidence that speaks of no states has no picture.
pub fn answer_dot(answer: &Answer, title: &str) -> Option<String> {
    let evidence = answer.outcome.evidence.as_ref()?;
    let colour = match Role::of(evidence, answer.outcome.verdict) {
        Role::Counterexample => REFUTATION,
        Role::Witness | Role::Relevance => PROOF,
    };
    let names = answer.names.as_ref();
    let mut picture = Picture::default();
    if let Some(system) = names.system() {
        system.initial().iter().for_each(|&state| picture.begin(state));
    }
    match evidence {
        Evidence::Trace(trace) => {
            picture.begin(trace.states[0]);
            picture.trace(trace, colour);
        }
        Evidence::Tree(claim) => {
            picture.begin(claim.state);
            picture.claim(names, claim, colour);
        }
        Evidence::Proof(strategy) | Evidence::Refutation(strategy) => picture.strategy(strategy, colour),
        Evidence::Contradiction { proof, refutation } => {
            picture.strategy(proof, PROOF);
            picture.strategy(refutation, REFUTATION);
        }
        Evidence::Open(blocking) => picture.blocking(blocking),
        Evidence::Invariant(_)
        | Evidence::InductiveSet { .. }
        | Evidence::Summaries(_)
        | Evidence::WholeRun { .. }
        | Evidence::Enumeration { .. } => return None,
    }
    let mut out = String::new();
    picture.draw(names, title, &mut out).expect("strings take all text");
    Some(out)
}

/// What is drawn.
#[derive(Default)]
struct Picture {
    /// The states, each with its place in the order in which they were met and with the state before it.
    states: BTreeMap<StateId, (usize, Option<StateId>)>,
    initial: BTreeSet<StateId>,
    coloured_states: BTreeSet<(StateId, &'static str)>,
    steps: BTreeSet<(Step, &'static str)>,
    /// The ranks that fall on steps, where a strategy relies on ranks.
    falls: BTreeMap<Step, Vec<String>>,
    notes: Vec<(StateId, String)>,
}

impl Picture {
    /// A state with nothing before it.
    fn state(&mut self, state: StateId, before: Option<StateId>) {
        let place = self.states.len();
        self.states.entry(state).or_insert((place, before));
    }

    fn begin(&mut self, state: StateId) {
        self.state(state, None);
        self.initial.insert(state);
    }

    fn step(&mut self, step: Step, colour: &'static str) {
        self.state(step.0, None);
        self.state(step.2, Some(step.0));
        self.steps.insert((step, colour));
    }

    fn trace(&mut self, trace: &Trace, colour: &'static str) {
        for (index, &action) in trace.steps.iter().enumerate() {
            self.step((trace.states[index], action, trace.states[trace.target(index)]), colour);
        }
    }

    fn claim(&mut self, names: &dyn Names, claim: &Claim, colour: &'static str) {
        let all = match claim.support {
            Support::AllPaths | Support::Omitted => "\n(as computed; nothing is shown)",
            Support::Here | Support::Parts(_) | Support::Path { .. } => "",
        };
        let formula = one_line(&names.formula(&claim.formula));
        self.notes.push((claim.state, format!("{formula}{all}")));
        match &claim.support {
            Support::Here | Support::AllPaths | Support::Omitted => {}
            Support::Parts(parts) => parts.iter().for_each(|part| self.claim(names, part, colour)),
            Support::Path { trace, at } => {
                self.trace(trace, colour);
                at.iter().for_each(|(_, claim)| self.claim(names, claim, colour));
            }
        }
    }

    fn strategy(&mut self, strategy: &Strategy, colour: &'static str) {
        for id in PositionId::first(strategy.n_positions()) {
            let source = strategy.position(id).state;
            self.state(source, None);
            for step in strategy.moves(id) {
                if let By::Step(action) = step.by {
                    self.step((source, action, strategy.position(step.to).state), colour);
                }
            }
        }
        let roots = strategy.roots().iter().map(|&root| (strategy.position(root).state, colour));
        self.coloured_states.extend(roots);
        strategy.ranking().into_iter().for_each(|ranking| self.ranking(ranking));
    }

    fn ranking(&mut self, ranking: &Ranking) {
        let used = ranking.uses.iter().flat_map(|(_, ranks)| ranks).fold(0u64, |set, rank| set | 1 << rank);
        for &(step, _) in &self.steps {
            let falls = ranking.steps.of(step.0, step.1, step.2).falls & used;
            let names: Vec<String> =
                ranks_of(falls).map(|rank| ranking.steps.name(rank).to_owned()).collect();
            if !names.is_empty() {
                self.falls.insert(step, names);
            }
        }
    }

    fn blocking(&mut self, blocking: &Blocking) {
        self.begin(blocking.start);
        self.trace(&way(blocking), "black");
        match blocking.culprit {
            Culprit::MayOnly { source, action, target } => self.step((source, action, target), OPEN),
            Culprit::Label { state, .. } | Culprit::MissingProposition { state } => {
                self.state(state, None);
                self.coloured_states.insert((state, OPEN));
            }
        }
    }

    fn draw(&self, names: &dyn Names, title: &str, out: &mut String) -> std::fmt::Result {
        writeln!(out, "digraph evidence {{")?;
        writeln!(out, "  label={};\n  labelloc=t;\n  node [shape=ellipse];", dot_string(title))?;
        for (&state, &(place, before)) in &self.states {
            self.draw_state(names, state, place, before, out)?;
        }
        for (step, style) in self.edges(names.system()) {
            self.draw_edge(names, step, style, out)?;
        }
        for (note, (state, text)) in self.notes.iter().enumerate() {
            writeln!(out, "  n{note} [shape=note, label={}];", dot_string(text))?;
            writeln!(out, "  s{} -> n{note} [style=dotted, arrowhead=none];", state.index())?;
        }
        writeln!(out, "}}")
    }

    /// All steps that are drawn, with their style.
    fn edges(&self, system: Option<&PartialSystem>) -> BTreeMap<Step, &'static str> {
        let mut edges: BTreeMap<Step, &'static str> = BTreeMap::new();
        let Some(system) = system else {
            return self.steps.iter().map(|&(step, _)| (step, "solid")).collect();
        };
        for &state in self.states.keys() {
            for (action, targets) in system.hyper_musts().of(state) {
                edges.extend(targets.iter().map(|&target| ((state, action, target), "bold")));
            }
            for edge in system.edges(state) {
                let style = if edge.modality == Modality::May { "dashed" } else { "solid" };
                edges.insert((state, edge.action, edge.other), style);
            }
        }
        edges.retain(|step, _| self.states.contains_key(&step.2));
        edges
    }

    fn draw_state(
        &self,
        names: &dyn Names,
        state: StateId,
        place: usize,
        before: Option<StateId>,
        out: &mut String,
    ) -> std::fmt::Result {
        let name = names.state(state);
        let before = before.filter(|_| name.is_empty());
        let mut lines = vec![if name.is_empty() { place.to_string() } else { plain(&name).into_owned() }];
        let values = texts(&changed(names, before, state));
        lines.extend(values.iter().take(MOST_VALUES).cloned());
        if values.len() > MOST_VALUES {
            lines.push(format!("… {} more", values.len() - MOST_VALUES));
        }
        let colour = self.coloured_states.range((state, "")..).next().filter(|(other, _)| *other == state);
        let colour = colour.map_or(String::new(), |(_, colour)| format!(", color={colour}, penwidth=2"));
        let n = state.index();
        writeln!(out, "  s{n} [label={}{colour}];", dot_string(&lines.join("\n")))?;
        if self.initial.contains(&state) {
            writeln!(out, "  i{n} [shape=none, label=\"\", width=0, height=0];\n  i{n} -> s{n};")?;
        }
        Ok(())
    }

    fn draw_edge(&self, names: &dyn Names, step: Step, style: &str, out: &mut String) -> std::fmt::Result {
        let name = names.step_between(step.0, step.1, step.2);
        let mut lines = vec![step_text(&name)];
        lines.extend(name.inputs.iter().map(|(input, value)| format!("{} = {}", plain(input), plain(value))));
        let falls = self.falls.get(&step).into_iter().flatten();
        lines.extend(falls.map(|rank| format!("{} falls", plain(rank))));
        lines.retain(|line| !line.is_empty());
        let label = if lines.is_empty() {
            String::new()
        } else {
            format!(", label={}", dot_string(&lines.join("\n")))
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
