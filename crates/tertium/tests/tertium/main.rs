//! The library without the command line: texts in, answers out.

mod evidence;
mod formats;
mod limits;
