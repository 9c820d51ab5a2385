# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tool-info module of Tertium for BenchExec.

Copy this file into the folder benchexec/tools, or put the folder above it on the Python path and name the tool
"contrib.tertium". The program `tertium` has to be on the path or in the folder of the tool.
"""

import benchexec.result as result
from benchexec.tools.template import BaseTool2

# The last line of standard output, and the exit status that goes with it: see docs/formats/verdicts.md.
RESULT = "RESULT: "
STATUS = {"true": 0, "false": 10, "unknown": 5}
# Tertium stops by itself a little before a limit, and says what it found out.
SHARE = 0.95
# Reasons of unknown answers for which BenchExec has words of its own.
LIMITS = {"U-TIME": "TIMEOUT", "U-MEMORY": "OUT OF MEMORY"}
# Verdicts of other parts of a property than these are given without the part.
PARTS = (
    "unreach-call termination no-overflow no-deadlock valid-deref valid-free valid-memtrack valid-memcleanup no-data-race"
).split()


class Tool(BaseTool2):
    """Tertium, a model checker for programs and models."""

    REQUIRED_PATHS = ["tertium"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("tertium")

    def name(self):
        return "Tertium"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="tertium")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["-p", f"@{task.property_file}"]
        data_model = task.options.get("data_model") if isinstance(task.options, dict) else None
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        seconds = rlimits.cputime or rlimits.walltime
        if seconds and "--time" not in options:
            command += ["--time", f"{max(1, int(seconds * SHARE))}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(int(rlimits.memory * SHARE))]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        lines = [line.strip() for line in run.output if line.strip()]
        if not lines or not lines[-1].startswith(RESULT):
            return result.RESULT_ERROR
        verdict, _, reason = lines[-1][len(RESULT) :].partition("(")
        reason = reason.rstrip(")")
        if verdict not in STATUS or run.exit_code.value != STATUS[verdict]:
            # The line and the status say different things, or a signal ended the run.
            return result.RESULT_ERROR
        if verdict == "true":
            return result.RESULT_TRUE_PROP
        if verdict == "false":
            return f"{result.RESULT_FALSE_PROP}({reason})" if reason in PARTS else result.RESULT_FALSE_PROP
        return LIMITS.get(reason) or (f"{result.RESULT_UNKNOWN}({reason})" if reason else result.RESULT_UNKNOWN)
