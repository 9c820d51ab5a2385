//! Evidence about a model with variables as a picture: the states of its runs, and what is claimed of them.
//!
//! A run is a row of states; each says what changed, the first one everything. The last step of a lasso goes back to where its loop
//! starts. Claims are notes at their states, and the run that shows a claim begins at the state of its note, so a
//! tree of claims becomes a tree of runs.

use crate::dot::quoted;
use crate::variable_run::{Claim, Shown, Valuation, VariableEvidence, VariableRun};
use std::fmt::{Result, Write};
use tertium_truth::Verdict;

/// The evidence as a DOT graph, labelled with the verdict and the formula.
pub fn variable_evidence_dot(evidence: &VariableEvidence, verdict: Verdict, title: &str) -> String {
    let colour = if verdict == Verdict::False { "red" } else { "darkgreen" };
    let mut picture = Picture { out: String::new(), colour, states: 0, notes: 0 };
    picture.draw(evidence, title).expect("strings take all text");
    picture.out
}

struct Picture {
    out: String,
    colour: &'static str,
    states: usize,
    notes: usize,
}

impl Picture {
    fn draw(&mut self, evidence: &VariableEvidence, title: &str) -> Result {
        writeln!(self.out, "digraph evidence {{")?;
        writeln!(self.out, "  label={};\n  labelloc=t;\n  node [shape=ellipse];", quoted(title))?;
        match evidence {
            VariableEvidence::Run(run) => {
                let first = run.states.first();
                let start = self.state(None, first.map_or(&[], Vec::as_slice))?;
                self.initial(start)?;
                self.run(run, &[], start)?;
            }
            VariableEvidence::Tree(state, claim) => {
                let start = self.state(None, state)?;
                self.initial(start)?;
                self.claim(claim, start)?;
            }
        }
        writeln!(self.out, "}}")
    }

    /// An arrow from nowhere.
    fn initial(&mut self, node: usize) -> Result {
        writeln!(self.out, "  i{node} [shape=none, label=\"\", width=0, height=0];\n  i{node} -> s{node};")
    }

    /// A new state with what changed.
    fn state(
        &mut self,
        before: Option<&Valuation>,
        state: &[(String, String)],
    ) -> std::result::Result<usize, std::fmt::Error> {
        let node = self.states;
        self.states += 1;
        let changed = |index: usize, value: &str| before.is_none_or(|before| before[index].1 != value);
        let mut lines = vec![format!("state {}", node + 1)];
        for (index, (name, value)) in state.iter().enumerate() {
            if changed(index, value) {
                lines.push(format!("{name} = {value}"));
            }
        }
        writeln!(self.out, "  s{node} [label={}];", quoted(&lines.join("\n")))?;
        Ok(node)
    }

    /// A run whose first state is drawn already, with claims about its states.
    fn run(&mut self, run: &VariableRun, claims: &[(usize, Claim)], start: usize) -> Result {
        let mut nodes = vec![start];
        for pair in run.states.windows(2) {
            let node = self.state(Some(&pair[0]), &pair[1])?;
            nodes.push(node);
        }
        let back = run.loop_start.and_then(|start| nodes.get(start).copied());
        let targets: Vec<usize> = nodes[1..].iter().copied().chain(back).collect();
        for (index, (from, to)) in nodes.iter().zip(targets).enumerate() {
            let inputs = run.inputs.get(index).map_or(String::new(), |inputs| {
                let written: Vec<String> =
                    inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                if written.is_empty() {
                    String::new()
                } else {
                    format!(", label={}", quoted(&written.join("\n")))
                }
            });
            writeln!(self.out, "  s{from} -> s{to} [color={}, penwidth=2{inputs}];", self.colour)?;
        }
        for (at, claim) in claims {
            if let Some(&node) = nodes.get(*at) {
                self.claim(claim, node)?;
            }
        }
        Ok(())
    }

    /// A claim about a state as a note, and the run that shows it.
    fn claim(&mut self, claim: &Claim, node: usize) -> Result {
        let note = self.notes;
        self.notes += 1;
        let all = if claim.shown == Shown::AllRuns { "\n(on all runs; none is shown)" } else { "" };
        let text = quoted(&format!("{}{all}", claim.formula));
        writeln!(self.out, "  n{note} [shape=note, label={text}];")?;
        writeln!(self.out, "  s{node} -> n{note} [style=dotted, arrowhead=none];")?;
        match &claim.shown {
            Shown::Values | Shown::AllRuns => Ok(()),
            Shown::Parts(parts) => parts.iter().try_for_each(|part| self.claim(part, node)),
            Shown::Run(run, claims) => self.run(run, claims, node),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valuation(values: &[(&str, &str)]) -> Valuation {
        values.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn lasso() -> VariableRun {
        VariableRun {
            states: vec![valuation(&[("x", "0"), ("y", "a")]), valuation(&[("x", "1"), ("y", "a")])],
            inputs: vec![valuation(&[("go", "TRUE")]), Vec::new()],
            loop_start: Some(1),
        }
    }

    #[test]
    fn a_lasso_goes_back_to_the_start_of_its_loop() {
        let picture =
            variable_evidence_dot(&VariableEvidence::Run(lasso()), Verdict::False, "FALSE  G x = 0");
        assert!(picture.contains("s0 [label=\"state 1\\nx = 0\\ny = a\"]"), "{picture}");
        assert!(picture.contains("s1 [label=\"state 2\\nx = 1\"]"), "{picture}");
        assert!(
            picture.contains("s0 -> s1 [color=red, penwidth=2, label=\"go = TRUE\"]")
                && picture.contains("s1 -> s1 [color=red, penwidth=2];"),
            "{picture}"
        );
    }

    #[test]
    fn the_run_of_a_claim_begins_at_the_state_of_its_note() {
        let inner = Claim { formula: "EG y = a".to_owned(), shown: Shown::Run(lasso(), Vec::new()) };
        let run = VariableRun { loop_start: None, inputs: vec![Vec::new()], ..lasso() };
        let outer = Claim { formula: "EF EG y = a".to_owned(), shown: Shown::Run(run, vec![(1, inner)]) };
        let evidence = VariableEvidence::Tree(valuation(&[("x", "0"), ("y", "a")]), outer);
        let picture = variable_evidence_dot(&evidence, Verdict::True, "TRUE  EF EG y = a");
        for line in
            ["s0 -> n0 [style=dotted", "s0 -> s1 [color=darkgreen", "s1 -> n1", "s1 -> s2", "s2 -> s2"]
        {
            assert!(picture.contains(line), "{line}\n{picture}");
        }
    }
}
