//! A family of models: processes in a ring with bounded counters.
//!
//! Process i wakes up, counts, and sleeps again with what it has or with nothing. It may count while it is at most
//! `SLACK` ahead of its neighbour. The counters are data, so predicates matter; where the processes are is control. The
//! same model as text for Tertium, as Promela for Spin, and as a step function for a plain search.

/// How far a process may be ahead of its neighbour.
const SLACK: u64 = 3;

/// `n` processes that count up to `most`, which is at most 15.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    pub(crate) n: usize,
    pub(crate) most: u64,
}

impl Counters {
    fn neighbour(self, i: usize) -> usize {
        (i + 1) % self.n
    }

    /// As guarded commands.
    pub(crate) fn gcl(self) -> String {
        let mut text = String::new();
        for i in 0..self.n {
            text += &format!("control p{i}: 0..2 = 0;\nvar c{i}: 0..{} = 0;\n", self.most);
        }
        for i in 0..self.n {
            let (j, most) = (self.neighbour(i), self.most);
            text += &format!("[wake] p{i} = 0 -> p{i} := 1;\n");
            text +=
                &format!("[count] p{i} = 1 && c{i} < {most} && c{i} < c{j} + {SLACK} -> c{i} := c{i} + 1;\n");
            text += &format!("[tire] p{i} = 1 && c{i} > 0 -> p{i} := 2;\n");
            text += &format!("[keep] p{i} = 2 && c{i} < {most} -> p{i} := 0;\n");
            text += &format!("[drop] p{i} = 2 -> p{i} := 0, c{i} := 0;\n");
        }
        text
    }

    /// As Promela: one process with one place that does it all, each step as one.
    pub(crate) fn promela(self) -> String {
        let n = self.n;
        let mut text = format!("byte p[{n}];\nbyte c[{n}];\n\nactive proctype all() {{\n  do\n");
        for i in 0..n {
            let (j, most) = (self.neighbour(i), self.most);
            for step in [
                format!("p[{i}] == 0 -> p[{i}] = 1"),
                format!("p[{i}] == 1 && c[{i}] < {most} && c[{i}] < c[{j}] + {SLACK} -> c[{i}]++"),
                format!("p[{i}] == 1 && c[{i}] > 0 -> p[{i}] = 2"),
                format!("p[{i}] == 2 && c[{i}] < {most} -> p[{i}] = 0"),
                format!("p[{i}] == 2 -> p[{i}] = 0; c[{i}] = 0"),
            ] {
                text += &format!("  :: d_step {{ {step} }}\n");
            }
        }
        text + "  od\n}\n"
    }

    /// Whether a state fits into a word, and neighbours are others.
    pub(crate) fn is_valid(self) -> bool {
        (2..=10).contains(&self.n) && self.most <= 15
    }

    /// The successors of a state in which each process has six bits: four for the counter, two for where it is.
    pub(crate) fn successors(self, state: u64, mut found: impl FnMut(u64)) {
        for i in 0..self.n {
            let (at, other) = (6 * i, 6 * self.neighbour(i));
            let (count, place) = (state >> at & 15, state >> (at + 4) & 3);
            match place {
                0 => found(state + (16 << at)),
                1 => {
                    if count < self.most && count < (state >> other & 15) + SLACK {
                        found(state + (1 << at));
                    }
                    if count > 0 {
                        found(state + (16 << at));
                    }
                }
                _ => {
                    if count < self.most {
                        found(state - (32 << at));
                    }
                    found(state - (32 << at) - (count << at));
                }
            }
        }
    }

    /// Predicates that compare each counter with every `step`-th value.
    pub(crate) fn predicates(self, step: usize) -> String {
        let atoms =
            (0..self.n).flat_map(|i| (1..=self.most).step_by(step).map(move |k| format!("c{i} >= {k};")));
        atoms.collect::<Vec<_>>().join(" ")
    }
}
