//! A question about one file, as it is put to the middle: what was read from the disk, and how it is to be answered.

use crate::args::DiagramArgs;
use crate::failure::Failure;
use crate::input::{PropertySource, read_file, text};
use std::path::{Path, PathBuf};
use tertium_support::{Context, Source};
use tertium_verify::{Chosen, Given, Halt, Input, Options, ReadOptions, Request, SymbolicOptions, Tables};

/// A file and what is asked about it.
pub(crate) struct Ask {
    tables: Tables,
    path: PathBuf,
    input: Input,
    read: ReadOptions,
    given: Vec<Given>,
    chosen: Chosen,
    pub(crate) options: Options,
}

impl Ask {
    /// Reads the file.
    pub(crate) fn new(context: &Context, path: &Path, modal: bool) -> Result<Self, Failure> {
        let bytes = read_file(context, path)?;
        Ok(Self {
            tables: Tables::default(),
            path: path.to_owned(),
            input: Input { name: path.display().to_string(), bytes },
            read: ReadOptions { modal, ..ReadOptions::default() },
            given: Vec::new(),
            chosen: Chosen::default(),
            options: Options::default(),
        })
    }

    /// Asks about these properties.
    pub(crate) fn give(&mut self, context: &Context, properties: &[String]) {
        let given = |(index, argument): (usize, &String)| {
            let property = PropertySource::new(argument);
            let source = property.read(context, index + 1).map_err(halt);
            Given { written: property.written(), source }
        };
        self.given = properties.iter().enumerate().map(given).collect();
    }

    /// Makes diagrams like this.
    pub(crate) fn diagrams(&mut self, context: &Context, args: &DiagramArgs) -> Result<(), Failure> {
        self.options.symbolic = SymbolicOptions {
            nodes: args.nodes,
            keep_order: args.keep_order,
            whole_model: args.whole_model,
            order: args.order.as_ref().map(|path| read_text(context, path)).transpose()?,
            give_order: false,
        };
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
        }
    }
}

/// The text of a file.
pub(crate) fn read_text(context: &Context, path: &Path) -> Result<Source, Failure> {
    text(path.display().to_string(), read_file(context, path)?)
}

/// Why a property could not be read.
fn halt(failure: Failure) -> Halt {
    match failure {
        Failure::Usage(why) => Halt::Usage(why),
        Failure::Input(why) => Halt::Refused(why),
        Failure::Faulty(source, complaints) => Halt::Faulty(source, complaints),
        Failure::Stopped(reason) => Halt::Stopped(reason),
        Failure::Bug(what) => Halt::Bug(what),
    }
}
