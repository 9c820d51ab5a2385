//! What is asked of a C program, as the tools of SV-COMP write it: property files and task definitions.
//!
//! Both are read into plain data; nothing here looks at a program, and no files are opened. The page docs/formats/tasks.md tells the
//! formats.
//!
//! | file | holds |
//! |---|---|
//! | `asked` | what a task asks: a program, properties, verdicts that are right |
//! | `prp` | property files: lines `CHECK( init(main()), LTL(G ! call(reach_error())) )` |
//! | `task` | task definitions `.yml`: inputs, properties with expected verdicts, data model |

mod asked;
mod prp;
mod task;

pub use asked::{TaskAsked, is_task, task_asked};
pub use prp::{PropertyLine, is_property_text, read_formula, read_properties, standard_properties};
pub use task::{TaskDefinition, TaskInput, TaskProperty, is_task_text, read_task};

/// What is asked of a C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Specification {
    /// A function is never called: `G ! call(reach_error())`.
    UnreachCall {
        /// Its name.
        function: String,
    },
    /// A label is never reached: `G ! label(ERROR)`.
    UnreachLabel {
        /// Its name.
        label: String,
    },
    /// The program ends: `F end`.
    Termination,
    /// One of the other properties with names.
    Named(NamedProperty),
    /// A formula over C expressions, labels and calls, as its text.
    Formula {
        /// Its logic.
        logic: SpecificationLogic,
        /// What stands between the parentheses.
        text: String,
    },
}

/// The logic of a formula in a property file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecificationLogic {
    /// `LTL(...)`.
    Ltl,
    /// `CTL(...)`, which is ours.
    Ctl,
    /// `MU(...)`, which is ours.
    Mu,
}

impl SpecificationLogic {
    /// The word in property files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ltl => "LTL",
            Self::Ctl => "CTL",
            Self::Mu => "MU",
        }
    }
}

/// Properties of C programs that have names and that Tertium knows, but does not check yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedProperty {
    /// No signed arithmetic overflows.
    NoOverflow,
    /// No two threads race for data.
    NoDataRace,
    /// No threads wait for each other for ever.
    NoDeadlock,
    /// Only what was allocated is freed, once.
    ValidFree,
    /// Only valid pointers are dereferenced.
    ValidDeref,
    /// All memory that is allocated can be reached or is freed.
    ValidMemtrack,
    /// All memory is freed when the program ends.
    ValidMemcleanup,
    /// Nothing undefined happens.
    DefBehavior,
}

impl NamedProperty {
    /// All of them, with their names and what stands in their `LTL(...)`, without blanks.
    const ALL: [(Self, &'static str, &'static str); 8] = [
        (Self::NoOverflow, "no-overflow", "G!overflow"),
        (Self::NoDataRace, "no-data-race", "G!data-race"),
        (Self::NoDeadlock, "no-deadlock", "G!deadlock"),
        (Self::ValidFree, "valid-free", "Gvalid-free"),
        (Self::ValidDeref, "valid-deref", "Gvalid-deref"),
        (Self::ValidMemtrack, "valid-memtrack", "Gvalid-memtrack"),
        (Self::ValidMemcleanup, "valid-memcleanup", "Gvalid-memcleanup"),
        (Self::DefBehavior, "def-behavior", "Gdef-behavior"),
    ];

    /// The name, as verdicts have it.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|entry| entry.0 == self).expect("all are listed").1
    }
}

impl Specification {
    /// The name, as verdicts have it: `unreach-call`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::UnreachCall { .. } => "unreach-call",
            Self::UnreachLabel { .. } => "unreach-label",
            Self::Termination => "termination",
            Self::Named(property) => property.name(),
            Self::Formula { logic: SpecificationLogic::Ltl, .. } => "ltl",
            Self::Formula { logic: SpecificationLogic::Ctl, .. } => "ctl",
            Self::Formula { logic: SpecificationLogic::Mu, .. } => "mu",
        }
    }

    /// Why it cannot be checked, if that is known from its name alone.
    pub fn not_supported(&self) -> Option<String> {
        match self {
            Self::Named(property) => Some(format!("the property `{}` is not supported yet", property.name())),
            _ => None,
        }
    }

    /// What stands between the parentheses of its logic.
    pub fn formula(&self) -> String {
        match self {
            Self::UnreachCall { function } => format!("G ! call({function}())"),
            Self::UnreachLabel { label } => format!("G ! label({label})"),
            Self::Termination => "F end".to_owned(),
            Self::Named(property) => {
                let (_, _, form) =
                    NamedProperty::ALL.iter().find(|entry| entry.0 == *property).expect("all are listed");
                form.replacen("G!", "G ! ", 1).replacen("Gv", "G v", 1).replacen("Gd", "G d", 1)
            }
            Self::Formula { text, .. } => text.clone(),
        }
    }

    /// The line of a property file.
    pub fn line(&self) -> String {
        let logic = match self {
            Self::Formula { logic, .. } => logic.name(),
            _ => "LTL",
        };
        format!("CHECK( init(main()), {logic}({}) )", self.formula())
    }
}
