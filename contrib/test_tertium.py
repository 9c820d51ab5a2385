# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests of the tool-info module; where BenchExec is not installed, with stand-ins for what it gives."""

import collections
import pathlib
import sys
import types
import unittest

try:
    import benchexec.tools.template  # noqa: F401
except ImportError:
    package = types.ModuleType("benchexec")
    results = types.ModuleType("benchexec.result")
    results.RESULT_UNKNOWN = "unknown"
    results.RESULT_ERROR = "ERROR"
    results.RESULT_TRUE_PROP = "true"
    results.RESULT_FALSE_PROP = "false"
    tools = types.ModuleType("benchexec.tools")
    template = types.ModuleType("benchexec.tools.template")
    template.BaseTool2 = type("BaseTool2", (), {"_version_from_tool": lambda self, executable, line_prefix="": "0"})
    package.result, package.tools, tools.template = results, tools, template
    for module in (package, results, tools, template):
        sys.modules[module.__name__] = module

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tertium  # noqa: E402

Task = collections.namedtuple("Task", "input_files_or_identifier property_file options")
Limits = collections.namedtuple("Limits", "cputime walltime memory")
Run = collections.namedtuple("Run", "output exit_code")
Exit = collections.namedtuple("Exit", "value signal")


class ToolInfo(unittest.TestCase):
    def setUp(self):
        self.tool = tertium.Tool()

    def command(self, options=(), prp=None, task_options=None, limits=Limits(None, None, None)):
        task = Task(["p.c"], prp, task_options)
        return self.tool.cmdline("tertium", list(options), task, limits)

    def test_command_lines(self):
        self.assertEqual(self.command(), ["tertium", "check", "p.c"])
        full = self.command(["--stats"], "u.prp", {"language": "C", "data_model": "ILP32"}, Limits(900, None, 15000000000))
        expected = "tertium check --stats -p @u.prp --data-model ILP32 --time 855s --memory 14250000000 p.c"
        self.assertEqual(full, expected.split())
        self.assertEqual(self.command(["--time", "7s"], limits=Limits(900, None, None)), "tertium check --time 7s p.c".split())

    def verdict(self, last, status, signal=None):
        return self.tool.determine_result(Run(["TRUE  AG p", last, ""], Exit(status, signal)))

    def test_verdicts(self):
        self.assertEqual(self.verdict("RESULT: true", 0), "true")
        self.assertEqual(self.verdict("RESULT: false(unreach-call)", 10), "false(unreach-call)")
        self.assertEqual(self.verdict("RESULT: false", 10), "false")
        self.assertEqual(self.verdict("RESULT: false(vacuous)", 10), "false")
        self.assertEqual(self.verdict("RESULT: unknown(U-TIME)", 5), "TIMEOUT")
        self.assertEqual(self.verdict("RESULT: unknown(U-IMPRECISE)", 5), "unknown(U-IMPRECISE)")
        # What does not fit together is an error, and so is a run that was ended.
        self.assertEqual(self.verdict("RESULT: true", 10), "ERROR")
        self.assertEqual(self.verdict("RESULT: true", None, 9), "ERROR")
        self.assertEqual(self.verdict("something else", 0), "ERROR")
        self.assertEqual(self.tool.determine_result(Run([], Exit(2, None))), "ERROR")


if __name__ == "__main__":
    unittest.main()
