//! Processes, and the instances of templates.
//!
//! An instance is a process with a constant, its index, that only it sees. Each item of a template is elaborated once for each instance;
//! so reading costs what is made. How much that may be is bounded before anything is made.

use super::Elaboration;
use crate::syntax::ProcessTree;
use std::rc::Rc;
use tertium_expr::{BigInt, Term};
use tertium_program::{Domain, ProcessId};
use tertium_support::Diagnostic;

/// A template has at most so many instances.
const MOST_INSTANCES: usize = 1 << 16;

/// The texts of all instances of a template together have at most so many bytes.
const MOST_BYTES: usize = 1 << 26;

/// A process from inside.
#[derive(Debug)]
pub(crate) struct Inside {
    /// The name before the dot.
    pub(crate) name: String,
    pub(super) id: ProcessId,
    /// What the index is called, and which number it is.
    pub(crate) index: Option<(String, Term)>,
}

impl Elaboration<'_> {
    /// The processes that a tree stands for: one, or one for each number of a range.
    pub(super) fn instances(&mut self, tree: &ProcessTree) -> Rc<[Inside]> {
        let name = &tree.name.text;
        let Some(index) = &tree.index else {
            let id = self.model.program.add_process(name.clone());
            return Rc::new([Inside { name: name.clone(), id, index: None }]);
        };
        self.refuse_dots(&index.name, "an index");
        let Some(Domain::Range(low, high)) = self.range(&index.low, &index.high, None) else {
            return Rc::new([]);
        };
        let n_instances = usize::try_from(&high - &low).ok().and_then(|more| more.checked_add(1));
        let n_bytes = n_instances.and_then(|n| n.checked_mul(tree.span.range().len()));
        if n_instances.is_none_or(|n| n > MOST_INSTANCES) || n_bytes.is_none_or(|n| n > MOST_BYTES) {
            let complaint = Diagnostic::error(
                index.low.span.to(index.high.span),
                format!("there are too many processes `{name}` to be written out: {low}..{high}"),
            );
            self.complain(complaint.with_note(format!(
                "a process can be there {MOST_INSTANCES} times, and all of them together be {MOST_BYTES} bytes long"
            )));
            return Rc::new([]);
        }
        let program = &mut self.model.program;
        let template = program.add_template(name, &index.name.text, (low.clone(), high), tree.name.span);
        let mut instances = Vec::new();
        for number in 0..n_instances.unwrap_or(0) {
            let id = program.add_instance(template);
            let term = program.terms.integer(&low + BigInt::from(number));
            let name = program.processes()[tertium_support::Id::index(id)].name.clone();
            instances.push(Inside { name, id, index: Some((index.name.text.clone(), term)) });
        }
        instances.into()
    }

    /// Elaborates something of each instance. A mistake is told once, with the first instance that has it.
    pub(super) fn in_each(&mut self, instances: &[Inside], mut elaborate: impl FnMut(&mut Self, &Inside)) {
        for instance in instances {
            if self.is_full() {
                break;
            }
            let before = self.complaints.len();
            elaborate(self, instance);
            if self.complaints.len() > before && instances.len() > 1 {
                let note = format!("this is so in `{}`", instance.name);
                self.complaints[before..].iter_mut().for_each(|complaint| complaint.notes.push(note.clone()));
                self.muted = true;
            }
        }
        self.muted = false;
    }
}
