//! The reader: text of C to a [`Unit`].
//!
//! | file | holds |
//! |---|---|
//! | `scan`, `prepare`, `directive`, `attribute` | the pass before the parser |
//! | `parse` | the parser, in a thread with stack enough, and its complaints |
//! | `types`, `declare`, `composite` | types, how they are written, layout |
//! | `scope`, `unit` | names; declarations, definitions, the whole program |
//! | `draft`, `statement` | functions while they are read; statements |
//! | `expression`, `conditional`, `operator`, `assign`, `call`, `size`, `literal` | expressions |
//! | `survey`, `effects` | what writes instructions; order of evaluation |
//! | `constant` | conversions and constants |
//! | `plan`, `initial` | initialisers |
//! | `library` | functions with a meaning of their own |
//! | `fix` | calls of functions that were not known yet |
//!
//! Depth: brackets are limited by `prepare`, everything else that the parser and the reader walk down is counted there, and the thread
//! gets the stack that this takes. Expressions of the result are low, whatever the text; see `survey`.

mod assign;
mod attribute;
mod call;
mod compiler;
mod composite;
mod conditional;
mod constant;
mod declare;
mod directive;
mod draft;
mod effects;
mod elaborate;
mod expression;
mod fix;
mod initial;
mod library;
mod linkage;
mod literal;
mod operator;
mod parse;
mod plan;
mod prepare;
mod scan;
mod scope;
mod size;
mod statement;
mod survey;
mod types;
mod unit;

pub use directive::needs_preprocessor;
pub(crate) use types::show_type;

use crate::ir::{DataModel, Unit};
use tertium_support::{Context, Diagnostics, ReadError, Source};

/// How a program is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// How large types are.
    pub data_model: DataModel,
    /// The function where the program begins.
    pub main: String,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { data_model: DataModel::default(), main: "main".to_owned() }
    }
}

/// Reads a preprocessed program; gives warnings beside it. A text that [`needs_preprocessor`] is refused.
pub fn read(
    context: &Context,
    source: &Source,
    options: &ReadOptions,
) -> Result<(Unit, Diagnostics), ReadError> {
    let prepared = {
        let mut ticker = context.ticker("preparing the program");
        prepare::prepare(&mut ticker, source.text())?.map_err(ReadError::Faulty)?
    };
    parse::with_stack(&prepared, || {
        let tree = parse::parse(&prepared)?;
        let watch = tertium_support::Watch::new(context, "reading the program");
        let types = types::Types::new(options.data_model);
        let mut elaborator = elaborate::Elaborator::new(&prepared, watch, types);
        elaborator.translation_unit(&tree);
        elaborator.watch.check()?;
        let (unit, mut complaints) = elaborator.finish(options);
        complaints.sort_by_key(|complaint| complaint.span);
        match unit {
            Some(unit) => Ok((unit, complaints)),
            None => Err(ReadError::Faulty(complaints)),
        }
    })
}
