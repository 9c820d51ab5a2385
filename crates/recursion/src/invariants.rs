//! Invariants of programs with procedures, relative to the beginning of an activation \[Wei09\].
//!
//! A condition at a point of a procedure speaks of the globals and the variables of that procedure, and of the values that its formals
//! and the globals had when the activation began: these are *ghosts*, one variable `x@entry` for each formal and each global. So the
//! condition at an exit is a summary: it relates what a caller gives with what it gets back. No step changes a ghost.
//!
//! What makes such conditions a proof is in `validate`.

use std::collections::BTreeMap;
use tertium_expr::{Substitution, Term, Variable};
use tertium_program::{Icfg, PointId, ProcedureId};

/// The ghosts of a program: what variables were at the beginning of the activation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    ghosts: BTreeMap<Variable, Variable>,
    originals: BTreeMap<Variable, Variable>,
}

impl Entries {
    /// One for each global and each formal. They are the same whenever they are made for the same program.
    pub fn new(icfg: &Icfg) -> Self {
        let formals = icfg.procedures().iter().flat_map(|procedure| &procedure.formals);
        let mut entries = Self::default();
        for &variable in icfg.globals().iter().chain(formals) {
            let name = format!("{}@entry", icfg.terms.name(variable));
            let ghost = icfg.terms.declare(&name, &icfg.terms.sort_of(variable));
            entries.ghosts.insert(variable, ghost);
            entries.originals.insert(ghost, variable);
        }
        entries
    }

    /// The ghost of a global or a formal.
    pub fn ghost(&self, variable: Variable) -> Option<Variable> {
        self.ghosts.get(&variable).copied()
    }

    /// What a variable is the ghost of.
    pub fn original(&self, ghost: Variable) -> Option<Variable> {
        self.originals.get(&ghost).copied()
    }

    /// The globals, then the formals of a procedure, each with its ghost.
    pub fn of_procedure<'a>(
        &'a self,
        icfg: &'a Icfg,
        procedure: ProcedureId,
    ) -> impl Iterator<Item = (Variable, Variable)> + 'a {
        let formals = &icfg.procedure(procedure).formals;
        icfg.globals().iter().chain(formals).map(|&variable| (variable, self.ghosts[&variable]))
    }

    /// The replacement of the ghosts of a procedure by what they are ghosts of: true at its entry.
    pub fn forgotten(&self, icfg: &Icfg, procedure: ProcedureId) -> Substitution {
        let pairs = self.of_procedure(icfg, procedure);
        Substitution::new(pairs.map(|(variable, ghost)| (ghost, icfg.terms.variable(variable))))
    }
}

/// A condition for each point, over the ghosts and the variables in scope there. Where there is none, it is false: the point is not
/// reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariants {
    /// The conditions.
    pub at: BTreeMap<PointId, Term>,
}

impl Invariants {
    /// The condition at a point.
    pub fn get(&self, icfg: &Icfg, point: PointId) -> Term {
        self.at.get(&point).copied().unwrap_or_else(|| icfg.terms.boolean(false))
    }

    /// What is known of a procedure as a whole.
    pub fn summary(&self, icfg: &Icfg, entries: &Entries, procedure: ProcedureId) -> Summary {
        let of = icfg.procedure(procedure);
        let mut forgotten = entries.forgotten(icfg, procedure);
        let entry = forgotten.apply(&icfg.terms, self.get(icfg, of.entry));
        Summary { procedure, entry, exit: self.get(icfg, of.exit) }
    }

    /// What is known of each procedure, in their order.
    pub fn summaries(&self, icfg: &Icfg, entries: &Entries) -> Vec<Summary> {
        let procedures = icfg.procedures().iter().map(|procedure| icfg.point(procedure.entry).procedure);
        procedures.map(|procedure| self.summary(icfg, entries, procedure)).collect()
    }
}

/// What is known of a procedure: when it is called, and what it then does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Holds whenever it is called; over globals and variables of the procedure. False if it is never called.
    pub entry: Term,
    /// Holds whenever it comes to its exit; over these and ghosts. False if it never does.
    pub exit: Term,
}
