//! Terms and programs as diagrams, against evaluation value by value and state by state.

mod arrays;
mod programs;
mod terms;
