//! Models as they are read, and properties about them.
//!
//! A model here is its text with what was found in it. It is plain data: clones share the text, and threads can share a
//! model. Whoever checks it reads the text again, because the terms that an engine computes with belong to one thread;
//! that takes time linear in the text.

use crate::Error;
use crate::stack::with_stack;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tertium_evidence::PropertyName;
use tertium_report::Message;
use tertium_support::{Context, Diagnostic, Id, Source};
use tertium_verify::{Chosen, Given, Halt, Input, Options, ReadOptions, Request, Tables};

/// A model: a partial system, a program, or whatever else one of the formats describes.
///
/// ```
/// use tertium::Model;
///
/// let model = Model::read(
///     "light.smv",
///     "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on;
///      CTLSPEC NAME blinks := AG AF on",
/// )?;
/// assert_eq!(model.format(), "smv");
/// assert_eq!(model.properties()[0].label(), Some("blinks"));
/// assert!(model.engines().contains(&"symbolic"));
/// # Ok::<(), tertium::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    path: Arc<Path>,
    input: Arc<Input>,
    /// How it was read, and how it is read again: what is suspicious has been said by then.
    first: ReadOptions,
    again: ReadOptions,
    format: &'static str,
    engines: Vec<&'static str>,
    properties: Vec<Property>,
    warnings: Vec<Message>,
}

/// A property of a model: one of its file, or one that was read later.
#[derive(Clone, Debug)]
pub struct Property {
    name: PropertyName,
    /// What it was read from, if it is not from the file.
    written: String,
    /// Its number in the file, from 0, if it is from there.
    number: Option<usize>,
    warnings: Vec<Message>,
}

impl Property {
    pub(crate) fn name(&self) -> &PropertyName {
        &self.name
    }

    /// What it says; the front end may have set it in its own way.
    pub fn text(&self) -> &str {
        &self.name.text
    }

    /// Its name, if it has one.
    pub fn label(&self) -> Option<&str> {
        self.name.label.as_deref()
    }

    /// The line of the file where it stands, if it is from there.
    pub fn line(&self) -> Option<usize> {
        self.name.line
    }

    /// What is suspicious about it. Properties of a file have their warnings in [`Model::warnings`].
    pub fn warnings(&self) -> &[Message] {
        &self.warnings
    }
}

impl Model {
    /// Reads a model from a text. The extension of the name says which format it has; without a known one, the text
    /// does.
    pub fn read(name: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::read_with(name, text, ReadOptions::default())
    }

    /// Reads a model in a certain way.
    ///
    /// ```
    /// use tertium::{Model, ReadOptions, Verdict, check};
    ///
    /// let text = "des (0,1,2)\n(0,\"may:pay\",1)\n";
    /// let modal = ReadOptions { modal: true, ..ReadOptions::default() };
    /// let model = Model::read_with("shop.aut", text, modal)?;
    /// let answer = check(&model, &model.property("<pay>true")?)?;
    /// // Some shops take money and some do not.
    /// assert!(matches!(answer.verdict(), Verdict::Unknown(_)));
    /// # Ok::<(), tertium::Error>(())
    /// ```
    pub fn read_with(
        name: impl Into<PathBuf>,
        text: impl Into<Vec<u8>>,
        read: ReadOptions,
    ) -> Result<Self, Error> {
        let path: Arc<Path> = name.into().into();
        let input = Arc::new(Input::new(path.display().to_string(), text.into()));
        let mut model = Self {
            path,
            input,
            again: ReadOptions { warnings: false, ..read.clone() },
            first: read,
            format: "",
            engines: Vec::new(),
            properties: Vec::new(),
            warnings: Vec::new(),
        };
        with_stack(|| model.look())?;
        Ok(model)
    }

    /// Reads a model from a file, and nothing but that file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let failed =
            |error: std::io::Error| Error::File { name: path.display().to_string(), why: error.to_string() };
        Self::read(path, std::fs::read(path).map_err(failed)?)
    }

    /// Reads the text, and notes what is in it.
    fn look(&mut self) -> Result<(), Error> {
        let tables = Tables::default();
        let context = Context::default();
        self.format = tables.formats.find(&self.path, &self.input.bytes)?.name;
        let (model, warnings) = tertium_verify::read(&Request {
            read: &self.first,
            ..self.request(&tables, &context, &[], &Chosen::default(), &Options::default())
        })?;
        self.warnings = messages(model.source(), &warnings);
        self.engines = tables.engines.fitting(model.as_ref()).iter().map(|engine| engine.name).collect();
        self.engines.dedup();
        let own = model.properties().iter().enumerate();
        let own = own.map(|(number, property)| Property {
            name: property.name.clone(),
            written: String::new(),
            number: Some(number),
            warnings: Vec::new(),
        });
        self.properties = own.collect();
        Ok(())
    }

    /// The name it was read by.
    pub fn name(&self) -> &str {
        &self.input.name
    }

    /// The short name of its format.
    pub fn format(&self) -> &'static str {
        self.format
    }

    /// The engines that can take it, those that are tried first first.
    pub fn engines(&self) -> &[&'static str] {
        &self.engines
    }

    /// What is suspicious about it, though it could be read.
    pub fn warnings(&self) -> &[Message] {
        &self.warnings
    }

    /// The properties of its file, in their order.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The property of its file that has this name.
    pub fn named(&self, label: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.label() == Some(label))
    }

    /// Reads a further property. The text of the model is read once more for that.
    ///
    /// ```
    /// use tertium::Model;
    ///
    /// let model = Model::read("s.pts", "system s : kmts; propositions p; state a : p; init a; both a -> a;")?;
    /// assert_eq!(model.property("AG p")?.text(), "AG p");
    /// assert!(model.property("AG (p").is_err());
    /// // Names that the model does not have are mistakes.
    /// assert!(model.property("AG q").is_err());
    /// # Ok::<(), tertium::Error>(())
    /// ```
    pub fn property(&self, text: &str) -> Result<Property, Error> {
        with_stack(|| {
            let (tables, context) = (Tables::default(), Context::default());
            let given = given(text);
            let chosen = Chosen::default();
            let options = Options::default();
            let request = self.request(&tables, &context, std::slice::from_ref(&given), &chosen, &options);
            let (mut model, _) = tertium_verify::read(&request)?;
            let source = given.source?;
            let name = PropertyName {
                file: model.source().name().to_owned(),
                given: text.to_owned(),
                text: text.trim().to_owned(),
                ..PropertyName::default()
            };
            let (id, warnings) = model
                .read_property(name, &source)
                .map_err(|complaints| Error::from(Halt::faulty(&source, complaints)))?;
            let name = model.properties()[id.index()].name.clone();
            Ok(Property {
                name,
                written: text.to_owned(),
                number: None,
                warnings: messages(&source, &warnings),
            })
        })
    }

    /// What is asked about it.
    pub(crate) fn request<'a>(
        &'a self,
        tables: &'a Tables,
        context: &'a Context,
        given: &'a [Given],
        chosen: &'a Chosen,
        options: &'a Options,
    ) -> Request<'a> {
        Request {
            tables,
            context,
            path: &self.path,
            input: &self.input,
            read: &self.again,
            given,
            chosen,
            options,
            time_each: None,
            work_each: None,
        }
    }

    /// A property as the middle takes it: given, or chosen from the file.
    pub(crate) fn asked(&self, property: &Property) -> Result<(Vec<Given>, Chosen), Error> {
        let Some(number) = property.number else {
            return Ok((vec![given(&property.written)], Chosen::default()));
        };
        if self.properties.get(number).is_none_or(|own| own.name != property.name) {
            return Err(Error::Refused(format!("{} is no property of {}", property.text(), self.name())));
        }
        Ok((Vec::new(), Chosen { names: Vec::new(), indices: vec![number + 1] }))
    }
}

fn given(text: &str) -> Given {
    Given { written: text.to_owned(), source: Ok(Source::new("<property>", text)) }
}

/// Complaints with their places.
pub(crate) fn messages(source: &Source, complaints: &[Diagnostic]) -> Vec<Message> {
    complaints.iter().map(|complaint| Message::located(source, complaint)).collect()
}
