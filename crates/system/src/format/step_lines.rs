//! Where the steps of a system stand in its file, for whoever shows paths.
//!
//! Kept beside the system, not in it: a system is the same wherever it was written down. 16 bytes for each step, in the order of
//! source, action and target; a look is a binary search. A step that is written several times stands where it is written first.

use crate::{ActionId, StateId};

/// The lines of steps, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepLines(Vec<(StateId, ActionId, StateId, u32)>);

impl StepLines {
    /// The lines of these steps.
    pub(super) fn new(mut steps: Vec<(StateId, ActionId, StateId, u32)>) -> Self {
        steps.sort_unstable();
        steps.dedup_by_key(|(source, action, target, _)| (*source, *action, *target));
        Self(steps)
    }

    /// The line of a step, if it is known.
    pub fn line(&self, source: StateId, action: ActionId, target: StateId) -> Option<usize> {
        let wanted = (source, action, target);
        let found = self.0.binary_search_by_key(&wanted, |&(from, by, to, _)| (from, by, to)).ok()?;
        Some(self.0[found].3 as usize)
    }
}

#[cfg(test)]
mod tests {
    use crate::format::{AutMode, StepLines, read_aut_with_lines, read_pts};
    use crate::{ActionId, PartialSystem};
    use tertium_support::{Context, Source};

    fn lines(system: &PartialSystem, lines: &StepLines) -> Vec<(String, String, usize)> {
        let states = system.states();
        let edges =
            states.flat_map(|from| system.edges(from).map(move |edge| (from, edge.action, edge.other)));
        let name = |action: ActionId| system.actions().name(action).to_owned();
        edges
            .map(|(from, by, to)| {
                let line = lines.line(from, by, to).expect("every step stands somewhere");
                (system.state_name(from).into_owned(), name(by), line)
            })
            .collect()
    }

    #[test]
    fn steps_stand_where_they_are_written_whatever_ends_a_line() {
        let text = "des (0, 3, 2)\n(0, \"b\", 1)\n\n(1, \"a\", 0)\n(0, \"a\", 0)\n";
        let expected = [("0", "a", 5), ("0", "b", 2), ("1", "a", 4)];
        let expected = expected.map(|(from, by, line)| (from.to_owned(), by.to_owned(), line));
        for end in ["\n", "\r\n"] {
            let bytes = text.replace('\n', end).into_bytes();
            let read = read_aut_with_lines(&Context::default(), &bytes, AutMode::Plain, 1_000);
            let (system, own) = read.expect("a system");
            let mut found = lines(&system, &own);
            found.sort();
            assert_eq!(found, expected, "{end:?}");
        }
        let (_, none) =
            read_aut_with_lines(&Context::default(), text.as_bytes(), AutMode::Plain, 10).expect("a system");
        assert_eq!(none, StepLines::default(), "nobody looks things up in a large file");
    }

    #[test]
    fn a_declaration_of_several_steps_has_lines_of_its_own() {
        let text = "propositions p;\nstate s; state t;\ninit s;\nboth s -a-> t,\n  s;\nmust t -> {s, t};\n";
        let file = read_pts(&Context::default(), &Source::new("m.pts", text)).expect("a system");
        let mut found = lines(&file.system, &file.lines);
        found.sort();
        let [to_t, to_s] = [4, 5].map(|line| ("s".to_owned(), "a".to_owned(), line));
        assert_eq!(found, [to_t, to_s]);
        let t = file.system.state_named("t").expect("t");
        let step = file.system.actions().get(crate::UNLABELLED).expect("steps without a name");
        assert_eq!(file.lines.line(t, step, t), Some(6));
    }
}
