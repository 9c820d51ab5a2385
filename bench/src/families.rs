//! Families of labelled transition systems, written as `.aut` text of about a given number of transitions.
//!
//! | family | shape |
//! |--------|-------|
//! | random | 5 random transitions per state, 8 actions: no locality at all |
//! | grid   | a square torus, 4 steps per state with 4 actions: diameter √n, perfect locality |
//! | ring   | interleaving of components on a ring passing a token, each with a local loop: what products look like |
//! | lattice| chains of diamonds that end in a trap: long dependency chains (n steps deep) with a fan of backward edges |

use std::fmt::Write;
use tertium_support::Rng;

/// One generated system.
pub(crate) struct Generated {
    pub(crate) family: &'static str,
    pub(crate) text: String,
}

/// The four families at about `transitions` transitions.
pub(crate) fn all(transitions: usize) -> [Generated; 4] {
    [random(transitions), grid(transitions), ring(transitions), lattice(transitions)]
}

struct Writer {
    body: String,
    n_transitions: usize,
}

impl Writer {
    fn new(transitions: usize) -> Self {
        Self { body: String::with_capacity(transitions * 20), n_transitions: 0 }
    }

    fn edge(&mut self, source: usize, label: &str, target: usize) {
        writeln!(self.body, "({source},\"{label}\",{target})").expect("writing to a string");
        self.n_transitions += 1;
    }

    fn finish(self, family: &'static str, n_states: usize) -> Generated {
        let mut text = String::with_capacity(self.body.len() + 64);
        writeln!(text, "des (0,{},{n_states})", self.n_transitions).expect("writing to a string");
        text.push_str(&self.body);
        Generated { family, text }
    }
}

fn random(transitions: usize) -> Generated {
    let n = transitions / 5;
    let mut rng = Rng::seeded(1);
    let mut writer = Writer::new(transitions);
    let labels: Vec<String> = (0..8).map(|i| format!("act{i}")).collect();
    for source in 0..n {
        for _ in 0..5 {
            let label = &labels[rng.below(labels.len())];
            writer.edge(source, label, rng.below(n));
        }
    }
    writer.finish("random", n)
}

fn grid(transitions: usize) -> Generated {
    let side = ((transitions / 4) as f64).sqrt() as usize;
    let mut writer = Writer::new(transitions);
    for row in 0..side {
        for column in 0..side {
            let at = |r: usize, c: usize| (r % side) * side + c % side;
            let here = at(row, column);
            writer.edge(here, "north", at(row + side - 1, column));
            writer.edge(here, "south", at(row + 1, column));
            writer.edge(here, "west", at(row, column + side - 1));
            writer.edge(here, "east", at(row, column + 1));
        }
    }
    writer.finish("grid", side * side)
}

/// k components with 3 local states each; the holder of the token works and passes it on.
fn ring(transitions: usize) -> Generated {
    let mut k = 1;
    while 3usize.pow(k) * k as usize * (k as usize + 1) < transitions {
        k += 1;
    }
    let k = k as usize;
    let local = 3usize.pow(k as u32);
    let mut writer = Writer::new(transitions);
    let labels: Vec<[String; 3]> =
        (0..k).map(|i| [format!("request({i})"), format!("work({i})"), format!("rest({i})")]).collect();
    let mut used = local * k;
    'all: for token in 0..k {
        for state in 0..local {
            let source = token * local + state;
            for (component, labels) in labels.iter().enumerate() {
                let weight = 3usize.pow(component as u32);
                let phase = state / weight % 3;
                let next = state - phase * weight + (phase + 1) % 3 * weight;
                if phase != 1 || token == component {
                    writer.edge(source, &labels[phase], token * local + next);
                }
            }
            writer.edge(source, "pass", (token + 1) % k * local + state);
            if writer.n_transitions >= transitions {
                used = (source + 1).max(used.min(local * k));
                break 'all;
            }
        }
    }
    writer.finish("ring", used)
}

fn lattice(transitions: usize) -> Generated {
    let n = transitions / 5;
    let mut writer = Writer::new(transitions);
    for source in 0..n {
        let next = (source + 1).min(n - 1);
        writer.edge(source, "step", next);
        writer.edge(source, "skip", (source + 2).min(n - 1));
        writer.edge(source, "back", source / 2);
        writer.edge(source, "home", 0);
        if source + 1 < n {
            writer.edge(source, "ready", source / 3);
        }
    }
    writer.finish("lattice", n)
}
