//! Checking: how properties are answered, and asking.

use crate::collected::{Collected, no_answer};
use crate::stack::with_stack;
use crate::{Answer, Error, Model, Property};
use std::time::Duration;
use tertium_check::{Record, Semantics};
use tertium_evidence::PropertyName;
use tertium_support::{Cancel, Context, Limits};
use tertium_verify::{Chosen, Given, Halt, Options, Request, Tables, Taken, VacuityCheck};

/// Checks a property in the usual way: whichever engine answers first, without limits.
///
/// ```
/// use tertium::{Model, Verdict, check};
///
/// let model = Model::read("count.gcl", "var x: int = 0; [up] true -> x := x + 1; invariant x >= 0;")?;
/// let answer = check(&model, &model.properties()[0])?;
/// assert_eq!(answer.verdict(), Verdict::True);
/// # Ok::<(), tertium::Error>(())
/// ```
pub fn check(model: &Model, property: &Property) -> Result<Answer, Error> {
    Check::new().ask(model, property)
}

/// How properties are answered. Limits are for each call: all of its questions share them.
///
/// ```
/// use std::time::Duration;
/// use tertium::{Check, Model, Verdict};
///
/// let model = Model::read(
///     "count.gcl",
///     "var x: int = 0; [up] x < 3 -> x := x + 1; [down] x > 0 -> x := x - 1; invariant small: x < 3;",
/// )?;
/// let check = Check::new().engine("explicit").time(Duration::from_secs(60)).states(1_000);
/// let answer = check.ask(&model, model.named("small").expect("there is one"))?;
/// assert_eq!(answer.verdict(), Verdict::False);
/// # Ok::<(), tertium::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Check {
    limits: Limits,
    time_each: Option<Duration>,
    work_each: Option<u64>,
    cancel: Cancel,
    options: Options,
}

impl Check {
    /// Whichever engine answers first, without limits, with evidence that is validated.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only this engine; [`Model::engines`] lists those that there are.
    #[must_use]
    pub fn engine(mut self, name: impl Into<String>) -> Self {
        self.options.engine = Some(name.into());
        self
    }

    /// Which semantics of partial systems counts.
    #[must_use]
    pub fn semantics(mut self, semantics: Semantics) -> Self {
        self.options.semantics = semantics;
        self
    }

    /// How long a call may take. Questions that are not answered by then are unknown.
    #[must_use]
    pub fn time(mut self, most: Duration) -> Self {
        self.limits.time = Some(most);
        self
    }

    /// Lets each property take at most so much work: elementary steps, the same number in every run.
    #[must_use]
    pub fn work_each(mut self, most: u64) -> Self {
        self.work_each = Some(most);
        self
    }

    /// How long each question may take.
    #[must_use]
    pub fn time_each(mut self, most: Duration) -> Self {
        self.time_each = Some(most);
        self
    }

    /// How much memory the process may have, in bytes.
    #[must_use]
    pub fn memory(mut self, most: u64) -> Self {
        self.limits.memory = Some(most);
        self
    }

    /// How much work a call may take: a limit that ends it at the same place on every machine.
    ///
    /// ```
    /// use tertium::{Cause, Check, Model};
    ///
    /// let text = "var x: 0 .. 1000000 = 0; [up] x < 1000000 -> x := x + 1;";
    /// let model = Model::read("long.gcl", text)?;
    /// let property = model.property("EF x = 1000000")?;
    /// let answer = Check::new().engine("explicit").work(20_000).ask(&model, &property)?;
    /// assert_eq!(answer.cause(), Some(Cause::Work));
    /// # Ok::<(), tertium::Error>(())
    /// ```
    #[must_use]
    pub fn work(mut self, most: u64) -> Self {
        self.limits.work = Some(most);
        self
    }

    /// How many states of a program are looked at one by one.
    #[must_use]
    pub fn states(mut self, most: usize) -> Self {
        self.options.states = Some(most);
        self.options.used.push(("a bound on states", Taken::States));
        self
    }

    /// How many rounds of refinement there are.
    #[must_use]
    pub fn iterations(mut self, most: usize) -> Self {
        self.options.iterations = most;
        self.options.used.push(("a bound on rounds", Taken::Iterations));
        self
    }

    /// Whether evidence is collected. Without it, little is left to validate, and nothing to walk.
    #[must_use]
    pub fn evidence(mut self, wanted: bool) -> Self {
        self.options.record = if wanted { Record::Moves } else { Record::Values };
        self
    }

    /// Whether evidence is validated before an answer is given.
    #[must_use]
    pub fn validate(mut self, wanted: bool) -> Self {
        self.options.validate = wanted;
        self
    }

    /// Whether it is looked for parts of true properties that do not matter; [`Answer::assumptions`] name them.
    #[must_use]
    pub fn look_for_vacuity(mut self, how: VacuityCheck) -> Self {
        self.options.vacuity = how;
        self
    }

    /// A flag that ends calls from another thread: what is open by then is unknown.
    ///
    /// ```
    /// use tertium::{Cancel, Cause, Check, Model};
    ///
    /// let flag = Cancel::default();
    /// let check = Check::new().cancel(flag.clone());
    /// flag.cancel();
    /// let model = Model::read("s.pts", "system s : kmts; propositions p; state a : p; init a; both a -> a;")?;
    /// assert_eq!(check.ask(&model, &model.property("AG p")?)?.cause(), Some(Cause::Interrupted));
    /// # Ok::<(), tertium::Error>(())
    /// ```
    #[must_use]
    pub fn cancel(mut self, flag: Cancel) -> Self {
        self.cancel = flag;
        self
    }

    /// Answers one property. A limit that is reached makes it unknown; an error means that there is no answer at all.
    pub fn ask(&self, model: &Model, property: &Property) -> Result<Answer, Error> {
        let (given, chosen) = model.asked(property)?;
        let mut answers = self.run(model, &given, &chosen, std::slice::from_ref(property.name()))?;
        answers.pop().unwrap_or_else(|| Err(Error::Bug("a question was not answered".to_owned())))
    }

    /// Answers all properties of the file, in their order. They share what engines keep, and the limits.
    ///
    /// ```
    /// use tertium::{Check, Model, Verdict};
    ///
    /// let model = Model::read(
    ///     "light.smv",
    ///     "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on;
    ///      CTLSPEC AG AF on
    ///      INVARSPEC on",
    /// )?;
    /// let answers = Check::new().ask_all(&model)?;
    /// let verdicts: Vec<Verdict> = answers.into_iter().map(|answer| Ok(answer?.verdict()))
    ///     .collect::<Result<_, tertium::Error>>()?;
    /// assert_eq!(verdicts, [Verdict::True, Verdict::False]);
    /// # Ok::<(), tertium::Error>(())
    /// ```
    pub fn ask_all(&self, model: &Model) -> Result<Vec<Result<Answer, Error>>, Error> {
        if model.properties().is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<PropertyName> = model.properties().iter().map(|own| own.name().clone()).collect();
        self.run(model, &[], &Chosen::default(), &names)
    }

    /// Puts a request to the middle, in a thread with enough stack.
    pub(crate) fn on<T: Send>(
        &self,
        model: &Model,
        given: &[Given],
        chosen: &Chosen,
        work: impl FnOnce(&Request<'_>) -> Result<T, Halt> + Send,
    ) -> Result<T, Error> {
        self.require_engine(model)?;
        let context = Context::new(self.limits.clone(), self.cancel.clone());
        let done = with_stack(|| {
            let tables = Tables::default();
            let request = model.request(&tables, &context, given, chosen, &self.options);
            work(&Request { time_each: self.time_each, work_each: self.work_each, ..request })
        });
        Ok(done?)
    }

    /// Refuses an engine that does not take the model.
    fn require_engine(&self, model: &Model) -> Result<(), Error> {
        match &self.options.engine {
            Some(name) if !model.engines().contains(&name.as_str()) => Err(Error::Refused(format!(
                "the engine `{name}` does not take {}; there are {}",
                model.name(),
                model.engines().join(", ")
            ))),
            _ => Ok(()),
        }
    }

    /// Answers questions, which have these names.
    fn run(
        &self,
        model: &Model,
        given: &[Given],
        chosen: &Chosen,
        names: &[PropertyName],
    ) -> Result<Vec<Result<Answer, Error>>, Error> {
        let mut collected = Collected::default();
        let done =
            self.on(model, given, chosen, |request| tertium_verify::check(request, &mut collected).map(drop));
        let Err(error) = done else { return Ok(collected.answers) };
        if collected.answers.is_empty() && !matches!(error, Error::Stopped(_)) {
            return Err(error);
        }
        for name in names.iter().skip(collected.answers.len()) {
            collected.answers.push(no_answer(name, error.clone()));
        }
        Ok(collected.answers)
    }
}
