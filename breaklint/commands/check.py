"""`breaklint check`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands import adoption
from breaklint.commands.options import (
    PLACE,
    Outputs,
    config_options,
    environment_options,
    fix_options,
    nearer_settings,
    output_option,
    selection_options,
    settings_for,
    write_output,
)
from breaklint.commands.progress import FileProgress
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.lint.results import RunResult
from breaklint.output import FORMATS, carries_edits, render
from breaklint.output.wording import nothing_compiled, printable, summary

if TYPE_CHECKING:
    from breaklint.lint.workers import Mode
    from breaklint.model import Settings

FINDINGS, FAILED = 1, 2
STDIN = "-"
_CODE = re.compile(r"[A-Z]{3}\d+")
SHOWING = ("show_entries", "show_files", "show_settings")


@click.command(epilog="Exit code: 0 clean or all fixed, 1 findings remain or the diff is not empty, 2 an error.")
@click.argument("paths", nargs=-1, type=PLACE, metavar="[PATHS|-]...")
@click.option("--fix", is_flag=True, help="Write the safe fixes and report the remaining findings.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: include fixes that may change behaviour.")
@click.option("--diff", is_flag=True, help="Print the changes of --fix as a diff, and write nothing.")
@selection_options
@fix_options
@config_options
@environment_options
@adoption.adoption_options
@output_option(FORMATS, "full")
@click.option("--statistics", is_flag=True, help="Print the number of findings per rule instead of the findings.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Print the whole help and all results that a fix may change: format verbose."
)
@click.option("--by-line", is_flag=True, help="Print one block per finding, sorted by line: format by-line.")
@click.option("-q", "--quiet", is_flag=True, help="Print only findings and errors: no summary, no notes.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="When to use colours; auto: on a terminal. [default: auto]",
)
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes. [default: one per core]"
)
@click.option("--no-cache", is_flag=True, help="Check all files, and neither read nor write cached results.")
@click.option("--cache-dir", type=PLACE, metavar="DIR", help="Where to cache results. [default: .breaklint_cache]")
@click.option("--stdin-filename", type=PLACE, metavar="NAME", help="The file name of the source read from `-`.")
@click.option("--force-exclude", is_flag=True, help="Apply exclusions to files given on the command line as well.")
@click.option("--show-entries", is_flag=True, help="List the entry points, and exit.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and exit.")
@click.option("--show-settings", is_flag=True, help="Print the settings of these files, and exit.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if findings remain.")
def check(paths: tuple[str, ...], **options: Any) -> int:
    """Find code that breaks the graph of torch.compile, and fix it.

    PATHS are files and folders (default: the current folder); `-` reads standard input. No code is imported or run.
    --fix fixes findings marked [*], --fix --unsafe-fixes also those marked [unsafe]; [advice] marks findings that
    show a change to make by hand.

    \b
    breaklint check .                        report findings
    breaklint check --diff --unsafe-fixes .  show the changes of all fixes
    breaklint check --fix model.py           write the safe fixes
    breaklint check --output-format json:report.json src
    """
    _refuse_contradictions(paths, options)
    if options["show_files"] or options["show_settings"]:
        from breaklint.commands.showing import show_plan

        settings = settings_for(_common_folder(paths, options["stdin_filename"]), options)
        return show_plan(paths or (os.curdir,), settings, nearer_settings(options), options)
    return _check(paths, options)


def _check(paths: tuple[str, ...], options: dict[str, Any]) -> int:
    from breaklint.lint.run import cache_folder, run
    from breaklint.lint.workers import Mode

    start = _common_folder(paths, options["stdin_filename"])
    settings = settings_for(start, options)
    fix = options["fix"] or options["diff"]
    edits = fix or any(carries_edits(name) for name, _ in options["formats"])
    mode = Mode(fix, options["unsafe_fixes"], write=not options["diff"], edits=edits)
    if paths == (STDIN,):
        return _check_stdin(start, settings, mode, options)
    cache = None if options["no_cache"] else cache_folder(settings, options["cache_dir"])
    progress = FileProgress()
    try:
        result = run(
            paths or (os.curdir,), settings, mode, options["jobs"], options["force_exclude"], cache,
            nearer_settings(options), progress,
        )  # fmt: skip
    finally:
        progress.clear()
    result = adoption.narrow(adoption.with_profile(result, start, settings, options), options, settings)
    return _output(result, options)


def _output(result: RunResult, options: dict[str, Any]) -> int:
    """Write the output of a result; returns the exit code."""
    if options["show_entries"]:
        return _entries(result)
    adopted = adoption.write_adoption(result, options)
    if adopted is not None:
        return _write((), _lines(adopted, options["quiet"]), _exit_code(adopted, options))
    return _report(result, options, _wants_color(False, options["color"]))


def _refuse_contradictions(paths: tuple[str, ...], options: dict[str, Any]) -> None:
    adoption.refuse_contradictions(options)
    if options["unsafe_fixes"] and not (options["fix"] or options["diff"]):
        raise UsageError("--unsafe-fixes needs --fix or --diff")
    if options["diff"] and (options["formats"] or options["statistics"]):
        raise UsageError("--diff prints the diff only: leave --output-format and --statistics out")
    if options["statistics"] and any(not file for _, file in options["formats"]):
        raise UsageError("--statistics takes the place of the findings: give --output-format a file, as json:FILE")
    for path in paths:
        if not os.path.lexists(path) and (suggestion := _suggestion(path)):
            raise UsageError(f"{path}: no such file or folder; {suggestion}")
    for name in ("verbose", "by-line"):
        if options[name.replace("-", "_")] and any(not file and form != name for form, file in options["formats"]):
            raise UsageError(f"--{name} sets the format: remove --output-format, or write that format to a file")
    if options["stdin_filename"] and STDIN not in paths:
        raise UsageError("--stdin-filename needs the path `-`")
    if STDIN in paths and len(paths) > 1:
        raise UsageError("- reads standard input and cannot be combined with other paths")
    for_files = ("baseline", "write_baseline", "since", "add_ignore", *SHOWING)
    for name in (name for name in for_files if STDIN in paths and options[name]):
        raise UsageError(f"--{name.replace('_', '-')} is for files, not for -")


def _suggestion(path: str) -> str:
    """A suggestion for a path that does not exist; "" if no other is similar."""
    if _CODE.fullmatch(path):
        return f"separate several rules with commas: BRK1,{path}"
    file, colons, _ = path.partition("::")
    return f"check reads whole files: {file}" if colons and os.path.isfile(file) else ""


def _common_folder(paths: tuple[str, ...], stdin_filename: str | None) -> Path:
    """The folder in which the search for a configuration begins."""
    places = (stdin_filename or os.curdir,) if paths == (STDIN,) else paths or (os.curdir,)
    try:
        return Path(os.path.commonpath([Path(path).absolute() for path in places]))
    except ValueError:  # several drives
        return Path.cwd()


def _check_stdin(start: Path, settings: Settings, mode: Mode, options: dict[str, Any]) -> int:
    """With --fix, standard output gets the fixed source, and standard error the findings."""
    from breaklint.lint.run_text import run_text
    from breaklint.source.decoding import encode

    if sys.stdin is None:
        raise UsageError("-: standard input is closed")
    data = sys.stdin.buffer.read()
    result = run_text(data, options["stdin_filename"] or "<stdin>", settings, mode)
    result = adoption.with_profile(result, start, settings, options)
    echo = mode.fix and mode.write
    if echo:
        fixed = [encode(change.source, change.text) for change in result.changes]
        sys.stdout.buffer.write(fixed[0] if fixed else data)
    return _report(result, options, _wants_color(echo, options["color"]), err=echo)


def _report(result: RunResult, options: dict[str, Any], color: bool, err: bool = False) -> int:
    code = _exit_code(result, options)
    if options["diff"]:
        idle = result.findings and not result.changes
        lines = [f"breaklint: note: nothing would change. {summary(result).rstrip()}"] if idle else []
        return _write([("", render("diff", result, color))], (*lines, *_lines(result, options["quiet"])), code, err)
    formats: Outputs = options["formats"]
    if all(file for _, file in formats):
        plain = "verbose" if options["verbose"] else "by-line" if options["by_line"] else "full"
        formats = (("statistics" if options["statistics"] else plain, ""), *formats)
    texts, summarized = [], False  # whether a text that people read has the summary
    for name, file in formats:
        text = render(name, result, color and not file)
        quiet = options["quiet"] and not file
        texts.append((file, text.removesuffix(summary(result)) if quiet else text))
        summarized = summarized or (not file and text.endswith(summary(result)))
    nothing = "" if summarized or options["quiet"] else nothing_compiled(result)
    lines = [f"breaklint: note: {nothing}"] if nothing else []
    return _write(texts, (*lines, *_lines(result, options["quiet"])), code, err)


def _lines(result: RunResult, quiet: bool) -> tuple[str, ...]:
    """The notes and errors for standard error."""
    kinds = (("note", () if quiet else result.notices), ("error", result.errors))
    return tuple(f"breaklint: {kind}: {printable(line)}" for kind, lines in kinds for line in lines)


def _entries(result: RunResult) -> int:
    """The entry points and their reasons; unresolved calls of the compiler go to standard error."""
    entries = (f"{printable(file)}:{row}: {kind} {printable(name)}\n" for file, row, kind, name in result.entries)
    return _write([("", "".join(entries))], _lines(result, quiet=False), FAILED if result.errors else 0)


def _write(texts: Iterable[tuple[str, str]], lines: Iterable[str], code: int, err: bool = False) -> int:
    """Write texts to their files ("": standard output, or standard error if `err`), and lines to standard error."""
    for file, text in texts:
        write_output(text, file, err)
    for line in lines:
        click.echo(line, err=True)
    return code


def _wants_color(err: bool, choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    stream = sys.stderr if err else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _exit_code(result: RunResult, options: dict[str, Any]) -> int:
    if result.errors:
        return FAILED
    changes = result.changes if options["diff"] else result.findings
    return FINDINGS if changes and not options["exit_zero"] else 0
