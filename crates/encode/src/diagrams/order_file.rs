//! Files that hold an order of variables: one name on each line, and comments from `#` or `--` to the end of a line.

use rustc_hash::FxHashMap;
use tertium_support::{Diagnostic, Diagnostics, Source, Span, nearest_names};

/// The numbers of the names in a file, in its order. Unknown names and names that stand twice are errors.
pub fn read_names(names: &[&str], file: &Source) -> Result<Vec<usize>, Diagnostics> {
    let numbers: FxHashMap<&str, usize> =
        names.iter().enumerate().map(|(number, &name)| (name, number)).collect();
    let mut places: Vec<Option<Span>> = vec![None; names.len()];
    let (mut order, mut complaints) = (Vec::new(), Vec::new());
    let mut start = 0;
    for line in file.text().split_inclusive('\n') {
        let end = [line.find('#'), line.find("--")].into_iter().flatten().min().unwrap_or(line.len());
        let name = line[..end].trim();
        let at = start + (line[..end].len() - line[..end].trim_start().len());
        let span = Span::new(at, at + name.len());
        start += line.len();
        if name.is_empty() {
            continue;
        }
        match numbers.get(name) {
            Some(&number) => match places[number].replace(span) {
                None => order.push(number),
                Some(first) => complaints.push(
                    Diagnostic::error(span, format!("variable `{name}` stands here again"))
                        .with_related(first, "first here"),
                ),
            },
            None => {
                let near = nearest_names(name, names.iter().copied());
                let complaint = Diagnostic::error(span, format!("unknown variable `{name}`"));
                complaints.push(if near.is_empty() {
                    complaint.with_note("an order file has one variable of the model per line")
                } else {
                    complaint.with_note(format!("did you mean `{}`?", near.join("`, `")))
                });
            }
        }
    }
    if complaints.is_empty() { Ok(order) } else { Err(complaints) }
}

/// An order of numbered names as a file that can be read back.
pub fn write_names(names: &[&str], order: impl IntoIterator<Item = usize>) -> String {
    order.into_iter().map(|number| format!("{}\n", names[number])).collect()
}
