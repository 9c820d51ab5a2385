//! Two other questions about a model: which parts of a property matter, and what can stand in a formula.

use crate::{Check, Error, Model, Property};
use tertium_report::{Detail, QueryReport, VacuityAnswer};
use tertium_truth::Verdict;
use tertium_verify::{
    Chosen, QueryMethod, QueryWanted, VacuityMethod, VacuityOptions, check_vacuity, solve_query,
};

/// Which parts of a property do not matter for its verdict.
#[derive(Clone, Debug)]
pub struct Vacuity {
    all_matter: Verdict,
    report: VacuityAnswer,
}

impl Vacuity {
    /// Whether every part matters.
    pub fn all_matter(&self) -> Verdict {
        self.all_matter
    }

    /// The parts that do not matter, as they are written; the largest ones.
    pub fn vacuous(&self) -> impl Iterator<Item = &str> {
        self.report.vacuous.iter().map(|part| part.text.as_str())
    }

    /// The answer as a record, which can be made JSON.
    pub fn report(&self) -> &VacuityAnswer {
        &self.report
    }
}

/// What can stand for the placeholder of a formula.
#[derive(Clone, Debug)]
pub struct Query {
    verdict: Verdict,
    report: QueryReport,
}

impl Query {
    /// Whether anything can.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// What can, as text; several combinations of values may share a line.
    pub fn solutions(&self) -> impl Iterator<Item = &str> {
        self.report.solutions.iter().map(|solution| solution.text.as_str())
    }

    /// The answer as a record, which can be made JSON.
    pub fn report(&self) -> &QueryReport {
        &self.report
    }
}

impl Check {
    /// Which parts of a property do not matter for its verdict.
    ///
    /// ```
    /// use tertium::{Check, Model, Verdict};
    ///
    /// // The light never leaves red: that it would come back to it does not matter.
    /// let model = Model::read(
    ///     "light.smv",
    ///     "MODULE main VAR light : {red, yellow}; ASSIGN init(light) := red; next(light) := light;
    ///      CTLSPEC AG (light = yellow -> AF light = red)",
    /// )?;
    /// let found = Check::new().vacuity(&model, &model.properties()[0])?;
    /// assert_eq!(found.all_matter(), Verdict::False);
    /// assert_eq!(found.vacuous().collect::<Vec<_>>(), ["light = yellow", "light = red"]);
    /// # Ok::<(), tertium::Error>(())
    /// ```
    pub fn vacuity(&self, model: &Model, property: &Property) -> Result<Vacuity, Error> {
        let (given, chosen) = model.asked(property)?;
        let (method, detail) = (VacuityMethod::Vaquot, Detail::Screen);
        let wanted = VacuityOptions { method, all: false, evidence: true, detail };
        let found = self.on(model, &given, &chosen, |request| check_vacuity(request, &wanted))?;
        let found = found.answers.into_iter().next();
        let found = found.ok_or_else(|| Error::Bug("a question was not answered".to_owned()))?;
        Ok(Vacuity { all_matter: found.all_matter?, report: found.answer })
    }

    /// What can stand for `?` in a formula, so that it holds at all initial states.
    ///
    /// ```
    /// use tertium::{Check, Model};
    ///
    /// let model = Model::read(
    ///     "light.smv",
    ///     "MODULE main VAR light : {red, yellow, green}; ASSIGN init(light) := red;
    ///      next(light) := case light = red : green; TRUE : light; esac;",
    /// )?;
    /// let found = Check::new().query(&model, "AF AG ?{light}")?;
    /// assert_eq!(found.solutions().collect::<Vec<_>>(), ["light = green"]);
    /// # Ok::<(), tertium::Error>(())
    /// ```
    pub fn query(&self, model: &Model, text: &str) -> Result<Query, Error> {
        let wanted = QueryWanted::new(text, None, QueryMethod::Tlq, usize::MAX)?;
        let found = self.on(model, &[], &Chosen::default(), |request| solve_query(request, &wanted))?;
        Ok(Query { verdict: found.verdict, report: found.report })
    }
}
