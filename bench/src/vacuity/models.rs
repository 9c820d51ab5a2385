//! The models of the `vacuity` suite.

use crate::elevator::elevator;
use crate::smv_families;
use std::fs;
use std::path::{Path, PathBuf};

/// Names and texts.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut models = Vec::new();
    match crate::smv::corpus() {
        None => println!(
            "The corpus is skipped: there is no folder ../shared/corpus/nusmv beside the repository."
        ),
        Some(entries) => {
            let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            files.retain(|file| file.extension().is_some_and(|extension| extension == "smv"));
            files.sort();
            models.extend(files.iter().filter_map(|file| named(file)));
        }
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let own = ["light", "peterson", "flower", "arabidopsis"];
    models.extend(own.iter().filter_map(|name| named(&examples.join(name).with_extension("smv"))));
    models.extend([3, 4, 5].map(|floors| (format!("elevator {floors}"), elevator(floors))));
    let sizes = [
        ("philosophers", [8, 12]),
        ("token ring", [4, 8]),
        ("counter", [8, 12]),
        ("cells", [4, 8]),
        ("data link", [2, 4]),
    ];
    for (name, sizes) in sizes {
        let family = smv_families::ALL.iter().find(|family| family.name == name).expect("the family exists");
        models.extend(
            sizes.map(|size| {
                (format!("{name} {size}"), (family.model)(size) + &smv_families::wide(name, size))
            }),
        );
    }
    models
}

fn named(file: &Path) -> Option<(String, String)> {
    Some((file.file_stem()?.to_string_lossy().into_owned(), fs::read_to_string(file).ok()?))
}
