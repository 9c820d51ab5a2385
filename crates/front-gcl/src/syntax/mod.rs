//! Text to a tree with places.
//!
//! By hand, with the expression reader of `tertium-expr` called where expressions stand. Formulas are only delimited
//! here: they are read once all names are known. A mistake costs the item it stands in; reading goes on after its `;`.

mod foreign;
mod item;
mod reader;
mod tree;

pub(crate) use foreign::instead_of_type;
pub(crate) use tree::{
    Alternative, Assignment, CommandTree, Declaration, EnumTree, IndexTree, Item, Name, Named, ProcessTree,
    PropertyTree, TypeTree, ValueTree,
};

use reader::Reader;
use tertium_support::{Context, Diagnostics, StopReason};

/// After this many complaints the rest of a text is not looked at.
pub(crate) const MOST_COMPLAINTS: usize = 50;

/// The items of a text that could be read, and what is wrong with the others.
pub(crate) fn read(context: &Context, text: &str) -> Result<(Vec<Item>, Diagnostics), StopReason> {
    let mut reader = Reader::new(context, text);
    let items = reader.items(None);
    reader.cursor.check()?;
    Ok((items, reader.cursor.complaints.into_list()))
}

/// Words that have a meaning of their own, in models or in formulas, and can name nothing.
pub(crate) const RESERVED: [&str; 35] = [
    "const",
    "enum",
    "control",
    "var",
    "init",
    "prop",
    "process",
    "property",
    "invariant",
    "reach",
    "either",
    "or",
    "input",
    "skip",
    "int",
    "bool",
    "array",
    "of",
    "true",
    "false",
    "in",
    "mod",
    "div",
    "forall",
    "exists",
    "mu",
    "nu",
    "EX",
    "EF",
    "EG",
    "AX",
    "AF",
    "AG",
    "delay",
    "yaled",
];
