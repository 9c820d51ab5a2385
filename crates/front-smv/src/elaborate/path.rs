//! Names that are declared as paths: `VAR p.0 : m; p[3] : boolean;` and `DEFINE q.ready := …;`.
//!
//! Such a name is a whole. What stands before its last `.` or index is the beginning of a name, neither an instance nor an
//! array, though it can be given to a module as a parameter. If there is an instance of that name, the path is one more name
//! in it. All of them are kept under their full names.

use super::instance::Entry;
use super::resolve::Place;
use super::{Elaborator, InstanceId};
use crate::syntax::tree::{Expr, ExprKind};
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_support::{Diagnostic, Id, Span};

/// The names that were declared as paths.
#[derive(Default)]
pub(super) struct Paths<'a> {
    names: FxHashMap<String, (Entry<'a>, Span)>,
    beginnings: FxHashSet<String>,
    /// Where each was declared: the instance, and the first name of the path.
    roots: Vec<(InstanceId, String, Span)>,
}

impl<'a> Elaborator<'a> {
    /// The text of a declared path. Its indices are constants.
    pub(super) fn path_text(&mut self, scope: InstanceId, path: &Expr) -> Option<String> {
        match &path.kind {
            ExprKind::Name(name) => Some(name.clone()),
            ExprKind::Member(base, name) => Some(format!("{}.{}", self.path_text(scope, base)?, name.text)),
            ExprKind::Index(base, index) => {
                let base = self.path_text(scope, base)?;
                Some(format!("{base}[{}]", self.bound(scope, index)?))
            }
            _ => self.refuse(Diagnostic::error(path.span, "this cannot be declared")),
        }
    }

    /// Binds a name that is declared as a path in an instance.
    pub(super) fn bind_path(&mut self, scope: InstanceId, text: &str, path: &Expr, entry: Entry<'a>) {
        let span = path.span;
        let full = self.instances[scope.index()].full_name(text);
        if let Some((_, first)) = self.paths.names.get(&full) {
            let complaint = Diagnostic::error(span, format!("`{text}` is declared twice"));
            let complaint = complaint.with_related(*first, "the first declaration");
            return self.complain(complaint);
        }
        self.add_path(full, entry, span);
        let mut root = path;
        while let ExprKind::Member(base, _) | ExprKind::Index(base, _) = &root.kind {
            root = base;
        }
        if let ExprKind::Name(name) = &root.kind {
            self.paths.roots.push((scope, name.clone(), span));
        }
    }

    /// Keeps a name and its beginnings.
    pub(super) fn add_path(&mut self, full: String, entry: Entry<'a>, span: Span) {
        for (at, _) in full.match_indices(['.', '[']) {
            self.paths.beginnings.insert(full[..at].to_owned());
        }
        self.paths.names.insert(full, (entry, span));
    }

    /// What a name in an instance is among those declared as paths.
    pub(super) fn path_in(
        &mut self,
        instance: InstanceId,
        name: &str,
        steps: u32,
    ) -> Option<Option<Place<'a>>> {
        if self.paths.names.is_empty() {
            return None;
        }
        self.path(self.instances[instance.index()].full_name(name), steps)
    }

    /// What a full name is among those declared as paths: the name of something, or the beginning of one.
    pub(super) fn path(&mut self, full: String, steps: u32) -> Option<Option<Place<'a>>> {
        if let Some((entry, _)) = self.paths.names.get(&full) {
            let entry = entry.clone();
            return Some(self.entry(entry, steps));
        }
        self.paths.beginnings.contains(&full).then_some(Some(Place::Beginning(full)))
    }

    /// A path cannot begin with a name that is declared otherwise, unless that is an instance which does not have it.
    pub(super) fn refuse_paths_into_others(&mut self) {
        if self.paths.names.is_empty() {
            return;
        }
        for (scope, root, span) in std::mem::take(&mut self.paths.roots) {
            match self.instances[scope.index()].names.get(&root) {
                None => {}
                Some((Entry::Instance(_), _)) => {}
                Some((_, first)) => {
                    let message = format!("`{root}` is declared as well, and is no instance of a module");
                    let complaint = Diagnostic::error(span, message);
                    let complaint = complaint.with_related(*first, "the other declaration");
                    self.complain(complaint);
                }
            }
        }
        let mut twice: Vec<(String, Span)> = Vec::new();
        for instance in &self.instances {
            for (name, (_, span)) in &instance.names {
                let full = instance.full_name(name);
                if self.paths.names.contains_key(&full) {
                    twice.push((full, *span));
                }
            }
        }
        twice.sort_by_key(|(_, span)| *span);
        for (full, span) in twice {
            self.complain(Diagnostic::error(span, format!("`{full}` is declared twice")));
        }
    }
}
