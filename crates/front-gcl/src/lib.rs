//! The guarded-command language `.gcl`: programs over integers, ranges, truth values and named values, with their properties.
//!
//! [`read`] makes a [`Model`] of a text: a [`tertium_program::Program`] with the properties of the file, or everything
//! that is wrong, located. The grammar stands in docs/formats/gcl.md.
//!
//! | file | holds |
//! |---|---|
//! | `syntax` | text to a tree with places, with recovery at `;` |
//! | `elaborate` | names and types: the tree to a model |
//! | `formula` | properties: formulas whose propositions are terms of the program |
//! | `predicates` | predicates in a text of their own, with the locations where they count |
//! | `query` | formulas with a placeholder that is about variables |
//! | `code` | the values of variables as numbers, for queries |
//! | `warnings` | what the solver finds suspicious in a model that is right |
//! | `print` | a model as text that is read back to the same model |

mod code;
mod elaborate;
mod formula;
mod model;
mod predicates;
mod print;
mod query;
mod syntax;
mod warnings;

pub use code::Coded;
pub use formula::{PropertyMeaning, Resolved, ResolvedLinear};
pub use model::{Model, ModelCommand, Property, PropertyKind, Update};
pub use query::{ResolvedQuery, Subject, SubjectKind};
pub use warnings::warnings;

use tertium_support::{Context, Diagnostics, ReadError, Severity, Source};

/// A value for a constant of a model, in place of the one that is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the constant.
    pub name: String,
    /// The value, as text.
    pub value: String,
    /// How the user gave it, for complaints.
    pub written: String,
}

/// Reads a model within the limits of a run, and says what is suspicious about it.
pub fn read(context: &Context, source: &Source) -> Result<(Model, Diagnostics), ReadError> {
    let (model, mut complaints) = read_plainly(context, source, &[])?;
    complaints.extend(warnings(context, &model)?);
    Ok((model, complaints))
}

/// Reads a model with these values of its constants, without asking the solver for [`warnings()`]. Names that it does not have are not
/// complained about: there is no place to point at.
pub fn read_plainly(
    context: &Context,
    source: &Source,
    parameters: &[Parameter],
) -> Result<(Model, Diagnostics), ReadError> {
    let (items, mut complaints) = syntax::read(context, source.text())?;
    let model = elaborate::elaborate(context, source, parameters, &items, &mut complaints)?;
    match model {
        Some(model) if !complaints.iter().any(|complaint| complaint.severity == Severity::Error) => {
            Ok((model, complaints))
        }
        _ => {
            complaints.sort_by_key(|complaint| complaint.span);
            Err(ReadError::Faulty(complaints))
        }
    }
}
