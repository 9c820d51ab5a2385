//! Two questions beyond true and false: does every part of a property matter, and what is true of a model?
//!
//! Both are temporal logic over a lattice of answers on an ordinary model \[Bob09\]. Vacuity: which sub-formulas can be replaced by
//! anything without changing the verdict. Queries: which propositional formulas can stand for the placeholder `?`.
