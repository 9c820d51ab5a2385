//! Trees of claims as text.
//!
//! States are numbered as they are shown, through the whole tree, and claims refer to the numbers; so no state is shown twice. A
//! path inside the tree goes on from the state that its claim is about.

use crate::Detail;
use crate::answer::one_line;
use crate::names::{count, plain};
use crate::page::Page;
use crate::trace::{ROOM, Walk, trace_length};
use tertium_evidence::{Claim, Names, Support, Trace};

/// So many lines a claim may take.
const LINES_OF_A_CLAIM: usize = 3;

/// Writes the tree below a claim about an initial state.
pub(crate) fn write_tree(names: &dyn Names, claim: &Claim, detail: Detail, page: &mut Page) {
    let start = Trace::at(claim.state);
    let end = page.n_lines() + ROOM;
    Walk::new(names, &start, detail).write(page, 4);
    let mut writer = Writer { names, detail, page, end, next: 1, left_out: 0 };
    writer.claim(4, claim, Place { number: 0, shown: true });
    if writer.left_out > 0 {
        let line = format!("… {} (--full shows all)", count(writer.left_out, "more claim"));
        page.raw(4, &line);
    }
}

/// The state of a claim.
#[derive(Clone, Copy)]
struct Place {
    number: usize,
    shown: bool,
}

struct Writer<'a> {
    names: &'a dyn Names,
    detail: Detail,
    page: &'a mut Page,
    /// Claims beyond this line are counted, not shown, if all is to fit a screen.
    end: usize,
    /// The number of the next state.
    next: usize,
    left_out: usize,
}

impl Writer<'_> {
    fn claim(&mut self, indent: usize, claim: &Claim, place: Place) {
        if self.detail == Detail::Screen && self.page.n_lines() + LINES_OF_A_CLAIM > self.end {
            self.left_out += claim.n_claims();
            return;
        }
        let formula = self.names.formula(&claim.formula);
        let formula = if self.detail == Detail::Full { formula } else { one_line(&formula) };
        let how = match &claim.support {
            Support::Here => String::new(),
            Support::Parts(_) => ", because".to_owned(),
            Support::Path { trace, .. } => format!(", shown by {}", trace_length(self.names, trace)),
            Support::AllPaths => ", as computed: no single path shows it".to_owned(),
            Support::Omitted => ", as computed: what shows it is left out".to_owned(),
        };
        self.page.line(indent, &format!("{}  holds at {}{how}", plain(&formula), place.number));
        match &claim.support {
            Support::Here | Support::AllPaths | Support::Omitted => {}
            Support::Parts(parts) => parts.iter().for_each(|part| self.claim(indent + 2, part, place)),
            Support::Path { trace, at } => self.path(indent + 2, trace, at, place),
        }
    }

    fn path(&mut self, indent: usize, trace: &Trace, claims: &[(usize, Claim)], place: Place) {
        let walk = Walk {
            names: self.names,
            trace,
            first: place.number,
            second: self.next,
            start: (!place.shown).then_some("from"),
            detail: self.detail,
            room: self.end.saturating_sub(self.page.n_lines()),
        };
        self.next += trace.states.len() - 1;
        let hidden = walk.write(self.page, indent);
        for (index, claim) in claims {
            let shown = if *index == 0 { place.shown } else { !hidden.contains(index) };
            self.claim(indent, claim, Place { number: walk.number(*index), shown });
        }
    }
}
