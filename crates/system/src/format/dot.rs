//! Drawing systems in the DOT language of Graphviz.
//!
//! May-only edges are dashed, edges that are both solid, must-only edges solid and bold with an open head. A
//! hyper-must is one line from its source to a small point, and from there one line to each target. What every mark
//! means stands in docs/formats/dot.md.
//!
//! States are the nodes `s0`, `s1`, … whatever they are called, so that nothing depends on odd names; every label is
//! quoted and escaped. Deterministic: the same system gives the same text.

use crate::{ActionId, Modality, PartialSystem, StateId};
use std::collections::BTreeSet;
use std::fmt::Write;
use tertium_support::{Id, is_unprintable};
use tertium_truth::Belnap;

/// What to draw beside the system itself.
#[derive(Clone, Debug, Default)]
pub struct DotOptions {
    /// The name of the graph.
    pub name: Option<String>,
    /// States to draw in red, such as those of a counterexample.
    pub states: BTreeSet<StateId>,
    /// Edges to draw in red: source, action, target. A hyper-must is red towards these targets.
    pub edges: BTreeSet<(StateId, ActionId, StateId)>,
}

const RED: &str = ", color=red, fontcolor=red, penwidth=2";

/// The system as a DOT graph.
pub fn print_dot(system: &PartialSystem, options: &DotOptions) -> String {
    let mut out = String::new();
    draw(system, options, &mut out).expect("writing to a string does not fail");
    out
}

fn draw(system: &PartialSystem, options: &DotOptions, out: &mut String) -> std::fmt::Result {
    writeln!(out, "digraph {} {{", dot_string(options.name.as_deref().unwrap_or("system")))?;
    writeln!(out, "  node [shape=ellipse];")?;
    for state in system.states() {
        let red = if options.states.contains(&state) { RED } else { "" };
        writeln!(out, "  s{} [label={}{red}];", state.index(), dot_string(&node_label(system, state)))?;
    }
    for state in system.initial() {
        let n = state.index();
        writeln!(out, "  i{n} [shape=none, label=\"\", width=0, height=0];")?;
        writeln!(out, "  i{n} -> s{n};")?;
    }
    for source in system.states() {
        for edge in system.edges(source) {
            let style = match edge.modality {
                Modality::May => "style=dashed",
                Modality::Both => "style=solid",
                Modality::Must => "style=bold, arrowhead=empty",
            };
            let red = red_edge(options, source, edge.action, edge.other);
            let (s, t, label) = (source.index(), edge.other.index(), edge_label(system, edge.action));
            writeln!(out, "  s{s} -> s{t} [{style}{label}{red}];")?;
        }
    }
    let mut point = 0;
    for source in system.states() {
        for (action, targets) in system.hyper_musts().of(source) {
            let (s, label) = (source.index(), edge_label(system, action));
            writeln!(out, "  h{point} [shape=point];")?;
            writeln!(out, "  s{s} -> h{point} [style=bold, arrowhead=none{label}];")?;
            for &target in targets {
                let red = red_edge(options, source, action, target);
                writeln!(out, "  h{point} -> s{} [style=bold, arrowhead=empty{red}];", target.index())?;
            }
            point += 1;
        }
    }
    writeln!(out, "}}")
}

fn red_edge(options: &DotOptions, source: StateId, action: ActionId, target: StateId) -> &'static str {
    if options.edges.contains(&(source, action, target)) { RED } else { "" }
}

/// The name of a state, and below it the literals that hold; what is unknown is marked `?`, what is inconsistent `#`.
fn node_label(system: &PartialSystem, state: StateId) -> String {
    let labels = system.labels();
    let literals: Vec<String> = labels
        .names()
        .ids()
        .zip(labels.names().names())
        .map(|(prop, name)| match labels.get(prop, state) {
            Belnap::True => name.to_owned(),
            Belnap::False => format!("!{name}"),
            Belnap::Unknown => format!("{name}?"),
            Belnap::Inconsistent => format!("{name}#"),
        })
        .collect();
    let mut label = system.state_name(state).into_owned();
    if let Some(domain) = system.domain() {
        let names: Vec<&str> = domain.gamma(state).iter().map(|c| domain.concrete().name(c)).collect();
        label.push_str(&format!("\n{{{}}}", names.join(", ")));
    }
    if !literals.is_empty() {
        label.push_str(&format!("\n{}", literals.join(", ")));
    }
    label
}

fn edge_label(system: &PartialSystem, action: ActionId) -> String {
    match system.actions().name(action) {
        crate::UNLABELLED => String::new(),
        name => format!(", label={}", dot_string(name)),
    }
}

/// A DOT string. A backslash would start an escape of the layout program, so it is doubled; line breaks become `\n`. What
/// does not show itself is shown as an escape: a NUL would end the text for the layout program.
pub fn dot_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            _ if is_unprintable(c) => out.push_str(&c.escape_default().to_string().replace('\\', "\\\\")),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemBuilder;

    #[test]
    fn every_mark_is_drawn_and_odd_names_are_escaped() {
        let mut builder = SystemBuilder::named();
        let (s, t) = (builder.state("s \"1\"\\"), builder.state("t"));
        let (step, act) = (builder.action(crate::UNLABELLED), builder.action("a\nb"));
        let p = builder.proposition("p", Belnap::Unknown);
        builder.label(t, p, Belnap::Inconsistent);
        builder.initial(s);
        builder.edge(s, step, t, Modality::May);
        builder.edge(t, act, t, Modality::Both);
        builder.edge(t, step, s, Modality::Must);
        builder.hyper_must(s, act, vec![s, t]);
        let system = builder.build();
        let options = DotOptions {
            name: None,
            states: BTreeSet::from([t]),
            edges: BTreeSet::from([(t, step, s), (s, act, t)]),
        };
        let drawn = print_dot(&system, &options);
        for line in [
            r#"  s0 [label="s \"1\"\\\np?"];"#,
            r#"  s1 [label="t\np#", color=red, fontcolor=red, penwidth=2];"#,
            "  i0 -> s0;",
            "  s0 -> s1 [style=dashed];",
            r#"  s1 -> s1 [style=solid, label="a\nb"];"#,
            "  s1 -> s0 [style=bold, arrowhead=empty, color=red, fontcolor=red, penwidth=2];",
            r#"  s0 -> h0 [style=bold, arrowhead=none, label="a\nb"];"#,
            "  h0 -> s0 [style=bold, arrowhead=empty];",
            "  h0 -> s1 [style=bold, arrowhead=empty, color=red, fontcolor=red, penwidth=2];",
        ] {
            assert!(drawn.lines().any(|drawn| drawn == line), "{line}\nin\n{drawn}");
        }
    }
}
