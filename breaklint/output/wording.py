"""Parts of all text formats: the first line of a finding, the summary, colours, and safe characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from breaklint.lint.places import place
from breaklint.model import Applicability, Effect, Finding

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

VERBS = {
    Effect.BREAK: "breaks", Effect.RECOMPILE: "recompiles", Effect.UNROLL: "unrolls", Effect.SYNC: "waits",
}  # fmt: skip
NO_ENTRIES = "; add compiled functions and methods to `entry-points`, or check the files that compile them as well"
_MARKERS = {Applicability.SAFE: "[*]", Applicability.UNSAFE: "[unsafe]", Applicability.DISPLAY: "[advice]"}


def paint(text: str, color: bool, **style: object) -> str:
    """`text` in the given click style when `color` is on."""
    return click.style(text, **style) if color and text else text  # type: ignore[arg-type]


def printable(text: str) -> str:
    """`text` with tabs as four spaces and every character that a terminal would act on as a replacement character.

    So is the first of two colons that begin it: in GitHub's logs, a line that begins so is a command.
    """
    if "::" in text and text.lstrip().startswith("::"):
        text = text.replace(":", "\N{REPLACEMENT CHARACTER}", 1)
    if text.isprintable():
        return text
    text = text.replace("\t", "    ")
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def printable_lines(text: str) -> str:
    """`text` as `printable` makes it, line by line."""
    return "\n".join(map(printable, text.split("\n")))


def marker(finding: Finding) -> str:
    """`[*]` for a safe fix, `[unsafe]` for one that may change meaning, `[advice]` for one to do by hand, else ""."""
    return _MARKERS[finding.fix.applicability] if finding.fix else ""


def message_of(finding: Finding) -> str:
    """The message, with the torch versions for which it holds and the condition under which it does."""
    message = with_torch(finding)
    return f"{message} (when: {finding.when})" if finding.when else message


def with_torch(finding: Finding) -> str:
    """The message, and for which of several torch versions it holds: `(breaks until 2.13)`."""
    return f"{finding.message} ({VERBS[finding.effect]} {finding.holds})" if finding.holds else finding.message


def observed_in_words(finding: Finding) -> str:
    """The observed state in words, "" without a profile: `confirmed by tests/test_net.py (torch 2.15.0)`."""
    if finding.observed is None:
        return ""
    state, torch, by = finding.observed
    if state == "unreached":
        return f"not reached (torch {torch})"
    if state == "hidden":
        return f"hidden: the frame runs in eager mode (torch {torch})"
    what = "confirmed by" if state == "confirmed" else "not with the inputs seen in"
    more = f" and {len(by) - 2} more" if len(by) > 2 else ""
    return f"{what} {', '.join(by[:2])}{more} (torch {torch})"


def headline(finding: Finding, color: bool, condition: bool = True) -> str:
    """The line with place, rule and message, and the condition if it is not printed separately."""
    row, column = finding.span.start
    colon = paint(":", color, fg="cyan")
    where = paint(printable(place(finding)), color, bold=True) + f"{colon}{row}{colon}{column}{colon}"
    return f"{where} {code_and_message(finding, color, condition)}"


def code_and_message(finding: Finding, color: bool, condition: bool = True) -> str:
    """The line without the place."""
    code = paint(finding.code, color, fg="red" if is_break(finding) else "yellow", bold=True)
    fixable = paint(marker(finding), color, fg="cyan")
    message = printable(message_of(finding) if condition else with_torch(finding))
    return " ".join(part for part in (code, fixable, message) if part)


def is_break(finding: Finding) -> bool:
    """Whether the finding claims that the graph breaks."""
    return finding.effect is Effect.BREAK


def summary(result: RunResult) -> str:
    """The last lines of a run: fixes, findings, and findings with a fix."""
    fixed = sum(count for _, count in result.fixed)
    changed = len({change.source.path for change in result.changes})
    lines = [f"Fixed {number_of(fixed, 'finding')} in {number_of(changed, 'file')}."] if fixed else []
    left_out = "".join(f"; {count} excluded by {option}" for option, count in result.left_out)
    if result.assumed_torch:
        left_out += f"; torch {result.assumed_torch} is assumed (--target-torch)"
    if result.findings:
        lines.append(f"{_totals(result)}{left_out}.")
    elif not result.errors:
        none = "" if result.files else ": nothing here is a Python file or a notebook, or all is ignored or excluded"
        files = number_of(result.files, "file")
        lines.append(f"No {'more ' if fixed else ''}findings in {files}{_entries(result)}{none}{left_out}.")
        if nothing := nothing_compiled(result):
            lines.append(nothing)
    return "".join(f"{line}\n" for line in lines)


def nothing_compiled(result: RunResult) -> str:
    """The line of a run in which no tracing began although files mention torch; "" of any other run."""
    if not result.uncompiled or result.entries or result.unfollowed or result.findings:
        return ""
    these = "this file" if result.files == 1 else f"these {result.files} files"
    return f"0 entry points: nothing in {these} is compiled, as far as check can see{NO_ENTRIES}."


def _entries(result: RunResult) -> str:
    """The number of entry points by kind."""
    kinds = Counter(entry.kind for entry in result.entries)
    missed = f"{result.unfollowed} that check cannot resolve" if result.unfollowed else ""
    if not kinds:
        return f" ({number_of(result.unfollowed, 'call')} of the compiler that check cannot resolve)" if missed else ""
    counts = [f"{number} {kind}{'s' if kind == 'step' and number > 1 else ''}" for kind, number in kinds.most_common()]
    more = f"; {missed}" if missed else ""
    return f" ({number_of(len(result.entries), 'entry', 'entries')}: {', '.join(counts)}{more})"


def _totals(result: RunResult) -> str:
    findings = result.findings
    breaks = sum(map(is_break, findings))
    warnings = len(findings) - breaks
    counts = [number_of(breaks, "graph break")] if breaks else []
    counts += [number_of(warnings, "warning")] if warnings else []
    files = len({finding.filename for finding in findings})
    return f"Found {' and '.join(counts)} in {number_of(files, 'file')}{_fixable(findings)}"


def _fixable(findings: Sequence[Finding]) -> str:
    """The number of findings with a fix; --fix may apply fewer if fixes overlap, and more in later rounds."""
    kinds = [finding.fix.applicability for finding in findings if finding.fix]
    safe, unsafe = kinds.count(Applicability.SAFE), kinds.count(Applicability.UNSAFE)
    if safe:
        return f"; {_have(safe)} a safe fix (--fix)" + (
            f", {unsafe} more an unsafe one (--unsafe-fixes)" if unsafe else ""
        )
    return f"; {_have(unsafe)} an unsafe fix (--fix --unsafe-fixes)" if unsafe else ""


def _have(number: int) -> str:
    return f"{number} has" if number == 1 else f"{number} have"


def number_of(number: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or f'{noun}s'}"
