//! A question about one file, as it is put to the middle: what was read from the disk, and how it is to be answered.

use crate::args::{DiagramArgs, ReadingArgs};
use crate::failure::Failure;
use crate::input::{PropertySource, input, read_text};
use crate::settings::symbolic_options;
use std::path::{Path, PathBuf};
use tertium_support::Context;
use tertium_verify::{Chosen, Given, Input, Options, ReadOptions, Request, SymbolicOptions, Tables};

/// A file and what is asked about it.
pub(crate) struct Ask {
    tables: Tables,
    path: PathBuf,
    input: Input,
    pub(crate) read: ReadOptions,
    given: Vec<Given>,
    chosen: Chosen,
    pub(crate) options: Options,
}

impl Ask {
    /// Reads the file.
    pub(crate) fn new(context: &Context, path: &Path, reading: &ReadingArgs) -> Result<Self, Failure> {
        Self::with(context, path, reading.options())
    }

    /// Reads the file like this.
    pub(crate) fn with(context: &Context, path: &Path, read: ReadOptions) -> Result<Self, Failure> {
        Ok(Self {
            tables: Tables::default(),
            path: path.to_owned(),
            input: input(context, path, &read)?,
            read,
            given: Vec::new(),
            chosen: Chosen::default(),
            options: Options::default(),
        })
    }

    /// Asks about these properties.
    pub(crate) fn give(&mut self, context: &Context, properties: &[String]) {
        let given =
            |(index, argument): (usize, &String)| PropertySource::new(argument).given(context, index + 1);
        self.given = properties.iter().enumerate().map(given).collect();
    }

    /// Makes diagrams like this.
    pub(crate) fn diagrams(&mut self, context: &Context, args: &DiagramArgs) -> Result<(), Failure> {
        let order = args.order.as_ref().map(|path| read_text(context, path)).transpose()?;
        self.options.symbolic = SymbolicOptions { order, ..symbolic_options(args) };
        Ok(())
    }

    /// The question.
    pub(crate) fn request<'a>(&'a self, context: &'a Context) -> Request<'a> {
        Request {
            tables: &self.tables,
            context,
            path: &self.path,
            input: &self.input,
            read: &self.read,
            given: &self.given,
            chosen: &self.chosen,
            options: &self.options,
            time_each: None,
            work_each: None,
        }
    }
}
