//! The tool-info module for BenchExec passes its own tests, which are in Python.

use std::path::Path;
use std::process::Command;
use tertium_testkit::skipped;

#[test]
fn the_tool_info_module_passes_its_tests() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/testkit is two levels down");
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return skipped("there is no `python3`");
    }
    // -B: nothing is written beside the sources.
    let output = Command::new("python3").args(["-B", "contrib/test_tertium.py"]).current_dir(root).output();
    let output = output.expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
