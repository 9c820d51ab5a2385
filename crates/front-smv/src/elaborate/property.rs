//! A property that is given beside the model, read with the names of the flat model.
//!
//! The tree of instances is made anew from the full names of variables and definitions, so that a property can be read
//! for any flat model, whatever it was made from. Parameters of instances that only name something are not among them.

use super::define::{Definition, State};
use super::instance::{Entry, Instance};
use super::{DefinitionId, Elaborator, InstanceId};
use crate::syntax::parse_property;
use crate::{FlatModel, Specification, Type, Value, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use tertium_support::{Diagnostic, Id, Severity, Source};

/// Reads one property in the context of `main`. It may begin with its keyword (`SPEC`, `CTLSPEC`, `LTLSPEC`,
/// `INVARSPEC`, `COMPUTE`); without one it is CTL, or LTL if it has operators of LTL only. Places in what is wrong
/// belong to the text of the property.
pub fn read_property(model: &FlatModel, source: &Source) -> Result<Specification, Vec<Diagnostic>> {
    let tree = parse_property(source.text())?;
    let mut elaborator = Elaborator::of_model(model);
    let specification = elaborator.specification(InstanceId::new(0), &tree);
    let mut errors = elaborator.diagnostics;
    errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
    match specification {
        Some(specification) if errors.is_empty() => Ok(specification),
        _ => Err(errors),
    }
}

/// A tree of names: what the full names of a model spell.
#[derive(Default)]
struct Branch {
    leaf: Option<Leaf>,
    members: BTreeMap<String, Branch>,
    elements: BTreeMap<i64, Branch>,
}

#[derive(Clone, Copy)]
enum Leaf {
    Variable(VarId),
    Definition(DefinitionId),
}

impl Branch {
    fn add(&mut self, name: &str, leaf: Leaf) {
        let mut branch = self;
        for part in name.split('.') {
            let mut pieces = part.split('[');
            let first = pieces.next().unwrap_or_default();
            branch = branch.members.entry(first.to_owned()).or_default();
            for index in pieces {
                let Ok(index) = index.trim_end_matches(']').parse() else { return };
                branch = branch.elements.entry(index).or_default();
            }
        }
        branch.leaf = Some(leaf);
    }
}

impl Elaborator<'_> {
    /// The names of a finished model.
    pub(super) fn of_model(model: &FlatModel) -> Self {
        let mut elaborator = Elaborator {
            symbols: model.symbols.clone(),
            variables: model.variables.clone(),
            defines: model.defines.clone(),
            selector: model.selector,
            ..Elaborator::default()
        };
        elaborator.facts_of_model(model);
        let mut root = Branch::default();
        for id in VarId::first(model.variables.len()) {
            root.add(&model.variables[id.index()].name, Leaf::Variable(id));
        }
        for id in crate::DefineId::first(model.defines.len()) {
            let name = model.defines[id.index()].name.clone();
            root.add(&name, Leaf::Definition(DefinitionId::new(id.index())));
            let (scope, state) = (InstanceId::new(0), State::Done(id));
            elaborator.definitions.push(Definition { name, body: None, scope, state });
        }
        let processes = elaborator.processes(&mut root);
        // Any symbol may be compared with, but the names of processes go by their instances.
        elaborator.constants = model.symbols.ids().collect();
        elaborator.instance_of(root, String::new(), &processes);
        elaborator
    }

    /// The processes by name; their instances are there even if they have no variables.
    fn processes(&self, root: &mut Branch) -> FxHashMap<String, crate::SymbolId> {
        let Some(selector) = self.selector else { return FxHashMap::default() };
        let Type::Enumeration(values) = &self.variables[selector.index()].ty else {
            return FxHashMap::default();
        };
        let mut processes = FxHashMap::default();
        for value in values {
            let Value::Symbol(symbol) = *value else { continue };
            let name = self.symbols.name(symbol);
            if name == "main" {
                processes.insert(String::new(), symbol);
                continue;
            }
            processes.insert(name.to_owned(), symbol);
            let mut branch = &mut *root;
            for part in name.split('.') {
                let mut pieces = part.split('[');
                branch = branch.members.entry(pieces.next().unwrap_or_default().to_owned()).or_default();
                for index in pieces.filter_map(|index| index.trim_end_matches(']').parse().ok()) {
                    branch = branch.elements.entry(index).or_default();
                }
            }
        }
        processes
    }

    fn instance_of(
        &mut self,
        branch: Branch,
        path: String,
        processes: &FxHashMap<String, crate::SymbolId>,
    ) -> InstanceId {
        let id = InstanceId::new(self.instances.len());
        let process = processes.get(&path).copied();
        self.instances.push(Instance::new(path.clone(), process));
        for (name, branch) in branch.members {
            let full = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if let Some(entry) = self.entry_of(branch, full, processes) {
                let span = tertium_support::Span::default();
                self.instances[id.index()].names.insert(name, (entry, span));
            }
        }
        id
    }

    fn entry_of<'e>(
        &mut self,
        branch: Branch,
        full: String,
        processes: &FxHashMap<String, crate::SymbolId>,
    ) -> Option<Entry<'e>> {
        match branch.leaf {
            Some(Leaf::Variable(id)) => return Some(Entry::Variable(id)),
            Some(Leaf::Definition(id)) => return Some(Entry::Definition(id)),
            None => {}
        }
        if branch.elements.is_empty() {
            return Some(Entry::Instance(self.instance_of(branch, full, processes)));
        }
        let (low, high) = (*branch.elements.keys().next()?, *branch.elements.keys().next_back()?);
        if i128::from(high) - i128::from(low) + 1 != branch.elements.len() as i128 {
            // Elements that were declared one by one, with gaps between them.
            for (index, branch) in branch.elements {
                let full = format!("{full}[{index}]");
                let entry = self.entry_of(branch, full.clone(), processes)?;
                self.add_path(full, entry, tertium_support::Span::default());
            }
            return None;
        }
        let elements = branch
            .elements
            .into_iter()
            .map(|(index, branch)| self.entry_of(branch, format!("{full}[{index}]"), processes))
            .collect::<Option<Vec<_>>>()?;
        Some(Entry::Array(low, Rc::new(elements)))
    }
}
