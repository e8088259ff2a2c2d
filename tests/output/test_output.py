"""What each format says about the same run."""

from __future__ import annotations

import json
import re

import pytest

from breaklint.lint.results import Change, RunResult
from breaklint.model import (
    Applicability,
    Cause,
    Cost,
    EagerCall,
    Edit,
    Effect,
    Finding,
    Fix,
    Forward,
    Position,
    Severity,
    Span,
)
from breaklint.output import FORMATS, by_line, render
from breaklint.output.brief import first_sentence
from breaklint.output.rule_page import markdown
from breaklint.source.decoding import decode

ANSI = re.compile(r"\x1b\[[0-9;]*m")
NO_NEWLINE = "\\ No newline at end of file\n"
TEXT = "class Net:\n    def forward(self, x):\n        s = x.mean().item()\n        return x * s\n"


def span(row: int, column: int, end_row: int, end_column: int) -> Span:
    return Span(Position(row, column), Position(end_row, end_column))


ITEM = Finding(
    filename="net.py",
    span=span(3, 13, 3, 28),
    code="BRK201",
    name="tensor-item",
    message="`x.mean().item()` reads a number out of the graph",
    effect=Effect.BREAK,
    severity=Severity.ERROR,
    function="Net.forward",
    dynamo=("GB0124",),
    url="https://example.org/gb0124",
    note="in a loop",
    help="keep the tensor",
    fix=Fix(
        Applicability.UNSAFE,
        "keep the 0-dim tensor",
        "the dtype may differ",
        (Edit(span(3, 21, 3, 28), ""),),
        "keep-tensor",
    ),
)
UNROLL = ITEM._replace(
    code="BRK501", name="loop", effect=Effect.UNROLL, severity=Severity.WARNING, fix=None, no_fix="not pointwise",
    note="", help="", message="unrolled", span=span(4, 9, 4, 21),
)  # fmt: skip
SAFE = ITEM._replace(fix=Fix(Applicability.SAFE, "leave it out", "", ()))


def run_of(*findings: Finding, text: str = TEXT, **fields: object) -> RunResult:
    return RunResult(files=1, findings=findings, texts=(("net.py", text),), **fields)  # type: ignore[arg-type]


LONG = ITEM._replace(
    fix=Fix(Applicability.UNSAFE, "keep it", "the dtype may differ (`;` too; or not); it is rounded; no error", ()),
    help="Keep `x.mean()`, a 0-dim tensor. Where the caller needs a number:\n\n    n = x.mean()",
)
ADVISED = LONG._replace(fix=None, no_fix="it decides a branch", span=span(4, 9, 4, 21))


def test_by_line_shows_the_source_with_a_caret_and_a_sentence_of_advice() -> None:
    assert render("by-line", run_of(LONG, ADVISED, ADVISED, UNROLL)) == (
        """\
net.py:3:13: BRK201 [unsafe] `x.mean().item()` reads a number out of the graph
3 |         s = x.mean().item()
  |             ^^^^^^^^^^^^^^^ graph break
  = note: in a loop
  = unsafe fix: keep it (the dtype may differ (`;` too; or not); 2 more: --verbose)

net.py:4:9: BRK201 `x.mean().item()` reads a number out of the graph
4 |         return x * s
  |         ^^^^^^^^^^^^ graph break
  = note: in a loop
  = help: Keep `x.mean()`, a 0-dim tensor.
  = no fix: it decides a branch

net.py:4:9: BRK201 `x.mean().item()` reads a number out of the graph
4 |         return x * s
  |         ^^^^^^^^^^^^ graph break
  = note: in a loop
  = no fix: it decides a branch

net.py:4:9: BRK501 unrolled
4 |         return x * s
  |         ^^^^^^^^^^^^ unrolled
  = no fix: not pointwise

Found 3 graph breaks and 1 warning in 1 file; 1 has an unsafe fix (--fix --unsafe-fixes).
"""
    )


CAUSE = Cause("net.py", 2, "lengths.max()")


def test_full_groups_findings_by_cause_and_begins_with_the_causes_to_fix_first() -> None:
    caused = [ITEM._replace(span=span(row, 9, row, 12), note="", cause=CAUSE, message=f"row {row}") for row in (3, 4)]
    other = ADVISED._replace(
        filename="other.py", when="debug", cost=Cost(("Net.forward",), 2, 0, False), help="", message="alone"
    )
    shown = render("full", run_of(*caused, other, forwards=(Forward("net.py", 2, "Net.forward", 3, 5),)))
    assert shown == (
        "Fix first:\n"
        "  1. net.py:2 (2 findings)\n"
        "  2. other.py:4 (Net.forward runs in eager mode, hides 2 breaks, only if debug)\n"
        "\n"
        "net.py:2: `lengths.max()` leads to 2 findings\n"
        "2 |     def forward(self, x):\n"
        "  = unsafe fix: keep the 0-dim tensor (the dtype may differ)\n"
        "    3:9 BRK201 [unsafe] row 3\n"
        "    4:9 BRK201 [unsafe] row 4\n"
        "\n"
        "other.py:4:9: BRK201 alone (when: debug); Dynamo runs Net.forward in eager mode\n"
        "  = no fix: it decides a branch\n"
        "\n"
        "Graphs per call:\n"
        "  Net.forward: about 3 graphs (more under conditions)\n"
        "Found 3 graph breaks in 2 files; 2 have an unsafe fix (--fix --unsafe-fixes).\n"
    )


def test_full_says_what_fixes_gained_and_which_function_still_runs_in_eager_mode() -> None:
    eager = ITEM._replace(cost=Cost(("Net.forward",), 1))
    before = (Forward("net.py", 2, "Net.forward", 4, 6), Forward("net.py", 9, "Head.forward", 2, 2))
    result = run_of(eager, fixed=(("BRK101", 2),), before=before, forwards=(before[0]._replace(certain=3),))
    assert render("full", result).splitlines()[-6:-2] == [
        "Graphs per call:",
        "  Net.forward: 4 graphs (more under conditions) before, 3 graphs (more under conditions) now",
        "  Head.forward: 2 graphs before, 1 graph now",
        "Net.forward still runs in eager mode: net.py:3",
    ]


def test_full_names_the_helpers_that_are_better_disabled() -> None:
    shown = render("full", run_of(ITEM, eager_calls=(EagerCall("net.py", 4, "grid", 3, 5, 2),)))
    assert "  net.py:4 grid: 3 breaks, 5 graphs become 2\n" in shown


def test_full_sorts_by_cost() -> None:
    late = ITEM._replace(message="late", cost=Cost(graphs=1))
    eager = ITEM._replace(span=span(4, 9, 4, 10), message="eager", cost=Cost(("Net.forward",), 3))
    conditional = ITEM._replace(span=span(2, 9, 2, 10), message="conditional", cost=Cost(("Net.forward",), 3, 0, False))
    error = ITEM._replace(span=span(6, 9, 6, 10), message="error", cost=Cost(raises=True))
    shown = render("full", run_of(conditional, late, error, eager, UNROLL._replace(span=span(1, 1, 1, 2))))
    assert re.findall(r"BRK\d+ (?:\[\w+\] )?(eager|error|late|conditional|unrolled)", shown) == [
        "error", "eager", "late", "conditional", "unrolled",
    ]  # fmt: skip
    assert "  1. net.py:6 (raises an error)\n" in shown


def test_verbose_shows_the_rows_around_the_whole_help_and_every_reason() -> None:
    assert render("verbose", run_of(LONG, ADVISED, UNROLL)) == (
        """\
net.py:3:13: BRK201 [unsafe] `x.mean().item()` reads a number out of the graph
  |
2 |     def forward(self, x):
3 |         s = x.mean().item()
  |             ^^^^^^^^^^^^^^^ graph break
4 |         return x * s
  |
  = note: in a loop
  = help: Keep `x.mean()`, a 0-dim tensor. Where the caller needs a number:

              n = x.mean()
  = unsafe fix: keep it (the dtype may differ (`;` too; or not); it is rounded; no error)
  = torch: https://example.org/gb0124

net.py:4:9: BRK201 `x.mean().item()` reads a number out of the graph
  |
3 |         s = x.mean().item()
4 |         return x * s
  |         ^^^^^^^^^^^^ graph break
  |
  = note: in a loop
  = no fix: it decides a branch
  = torch: https://example.org/gb0124

net.py:4:9: BRK501 unrolled
  |
3 |         s = x.mean().item()
4 |         return x * s
  |         ^^^^^^^^^^^^ unrolled
  |
  = no fix: not pointwise
  = torch: https://example.org/gb0124

Found 2 graph breaks and 1 warning in 1 file; 1 has an unsafe fix (--fix --unsafe-fixes).
"""
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Keep it.", "Keep it.", id="one sentence"),
        pytest.param("Keep `a. b` of\nthe 0.5 rows. Or not.", "Keep `a. b` of the 0.5 rows.", id="points within code"),
        pytest.param("Write it out:\n\n    x + 1\n", "Write it out: see here", id="a sentence that leads to code"),
        pytest.param("Two ways: a, b. And c.", "Two ways: a, b.", id="a colon within the sentence"),
        pytest.param("no point", "no point.", id="no sentence at all"),
    ],
)
def test_the_first_sentence(text: str, expected: str) -> None:
    assert first_sentence(text, "see here") == expected


def caret_line(text: str, where: Span) -> tuple[str, str]:
    """The source row of a finding and the row below, without the numbers."""
    lines = render("by-line", run_of(ITEM._replace(span=where), text=text)).splitlines()
    at = next(i for i, line in enumerate(lines) if "^" in line)
    return lines[at - 1].partition("| ")[2], lines[at].partition("| ")[2].replace(" graph break", "")


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        pytest.param("\tx.item()", span(1, 2, 1, 10), ("    x.item()", "    ^^^^^^^^"), id="tab"),
        pytest.param("'äö'; x", span(1, 7, 1, 8), ("'äö'; x", "      ^"), id="letters of two bytes"),
        pytest.param("'漢字'; x", span(1, 7, 1, 8), ("'漢字'; x", "        ^"), id="wide characters"),
        pytest.param("'\x1b[31m'; x", span(1, 10, 1, 11), ("'�[31m'; x", "         ^"), id="terminal escape"),
    ],
)
def test_the_caret_stands_under_the_finding(text: str, where: Span, expected: tuple[str, str]) -> None:
    assert caret_line(text, where) == expected


def test_a_long_line_is_cut_around_the_caret() -> None:
    text = "x = [" + "0, " * 400 + "y.item()" + ", 0" * 400 + "]"
    source, caret = caret_line(text, span(1, 1206, 1, 1214))
    assert source.startswith("… ")
    assert source.endswith(" …")
    assert source[caret.index("^") :].startswith("y.item()")


def test_a_finding_over_many_rows_shows_the_first_ones() -> None:
    text = "f(\n" + "    1,\n" * 20 + ")\n"
    shown = render("by-line", run_of(ITEM._replace(span=span(1, 1, 22, 2)), text=text))
    assert shown.count("^ graph break") == 1
    assert "4 |     1," in shown
    assert "5 |     1," not in shown


@pytest.mark.parametrize("name", ["full", "by-line", "verbose"])
def test_a_finding_whose_file_is_gone_is_shown_without_source(name: str) -> None:
    shown = render(name, RunResult(files=1, findings=(ITEM._replace(filename="gone.py"),)))
    assert shown.startswith("gone.py:3:13: BRK201")
    assert "^" not in shown


@pytest.mark.parametrize(
    ("result", "last"),
    [
        (run_of(), "No findings in 1 file."),
        (
            run_of(SAFE, ITEM),
            "Found 2 graph breaks in 1 file; 1 has a safe fix (--fix), 1 more an unsafe one (--unsafe-fixes).",
        ),
        (run_of(UNROLL), "Found 1 warning in 1 file."),
        (
            run_of(fixed=(("BRK201", 2),), changes=(Change(decode("net.py", b""), ""),)),
            "Fixed 2 findings in 1 file.\nNo more findings in 1 file.",
        ),
    ],
)
def test_the_last_line_sums_up(result: RunResult, last: str) -> None:
    assert render("concise", result).endswith(last + "\n")


def test_concise_is_a_line_a_finding() -> None:
    assert render("concise", run_of(SAFE, UNROLL)).splitlines()[:2] == [
        "net.py:3:13: BRK201 [*] `x.mean().item()` reads a number out of the graph",
        "net.py:4:9: BRK501 unrolled",
    ]


def test_json_has_the_documented_shape() -> None:
    first, second = json.loads(render("json", run_of(ITEM, UNROLL)))
    assert first == {
        "filename": "net.py",
        "location": {"row": 3, "column": 13},
        "end_location": {"row": 3, "column": 28},
        "code": "BRK201",
        "name": "tensor-item",
        "message": "`x.mean().item()` reads a number out of the graph",
        "effect": "break",
        "severity": "error",
        "function": "Net.forward",
        "dynamo": ["GB0124"],
        "note": "in a loop",
        "help": "keep the tensor",
        "url": "https://example.org/gb0124",
        "fix": {
            "kind": "keep-tensor",
            "applicability": "unsafe",
            "message": "keep the 0-dim tensor",
            "why": "the dtype may differ",
            "edits": [{"location": {"row": 3, "column": 21}, "end_location": {"row": 3, "column": 28}, "content": ""}],
        },
        "no_fix": "",
        "when": "",
        "observed": None,
        "cause": None,
        "frame": "",
    }
    assert second["fix"] is None


def test_github_names_the_place_of_each_finding_and_the_files_that_failed() -> None:
    lines = render("github", run_of(UNROLL, errors=("bad.py:1: not Python",))).splitlines()
    assert lines == [
        "::warning title=breaklint BRK501,file=net.py,line=4,col=9,endLine=4,endColumn=21::net.py:4:9: BRK501 unrolled",
        "::error title=breaklint::bad.py:1: not Python",
    ]


def test_statistics_count_by_rule() -> None:
    shown = render("statistics", run_of(UNROLL, ITEM, SAFE))
    assert shown.splitlines()[:2] == ["2  BRK201  tensor-item  2 fixable", "1  BRK501  loop"]
    assert render("statistics", run_of(UNROLL, ITEM)) == render("statistics", run_of(ITEM, UNROLL))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (b"a\nb\n", "a\nc\n", "--- net.py\n+++ net.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        (b"a", "b", "--- net.py\n+++ net.py\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n" + NO_NEWLINE),
        (b"a\n\x0cb\n", "a\n\x0cc\n", "--- net.py\n+++ net.py\n@@ -1,2 +1,2 @@\n a\n-\x0cb\n+\x0cc\n"),
    ],
    ids=["a line", "no newline at the end", "form feed"],
)  # fmt: skip
def test_diff_is_what_patch_takes(before: bytes, after: str, expected: str) -> None:
    assert render("diff", RunResult(changes=(Change(decode("net.py", before), after),))) == expected


def test_a_diff_quotes_a_name_as_git_does() -> None:
    changed = RunResult(changes=(Change(decode("a\n\u202eé.py", b"a\n"), "b\n"),))
    assert render("diff", changed).splitlines()[:2] == [
        '--- "a\\012\\342\\200\\256\\303\\251.py"',
        '+++ "a\\012\\342\\200\\256\\303\\251.py"',
    ]


def test_a_diff_gives_the_runner_of_github_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = RunResult(changes=(Change(decode("net.py", b'"""\n::error::x\n"""\na\n'), '"""\n::error::x\n"""\nb\n'),))
    plain = render("diff", changed)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    first, *lines, last = render("diff", changed).splitlines()
    assert "\n".join(lines) + "\n" == plain
    assert first.removeprefix("::stop-commands::") == last.strip(":")
    assert len(last) > 30


@pytest.mark.parametrize("name", [*FORMATS, "statistics", "diff"])
def test_every_format_can_say_nothing(name: str) -> None:
    output = render(name, RunResult())
    assert "BRK" not in output
    assert output == "" or output.endswith("\n")


def test_colour_only_adds_escapes() -> None:
    colored = render("by-line", run_of(ITEM, UNROLL), color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render("by-line", run_of(ITEM, UNROLL))


def test_a_rule_page_holds_what_the_card_says() -> None:
    from breaklint.rules.cards import load_rules

    for rule in load_rules():
        page = markdown(rule)
        assert page.startswith(f"# {rule.code} {rule.name}\n")
        assert all(example.bad.strip() in page for example in rule.examples[:2])
        assert page.count("\n## Example") == min(len(rule.examples), 2)
        assert ("Breaks:" in page) <= (rule.effect is Effect.BREAK)


def test_advice_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_line, "terminal_columns", lambda: 40)
    shown = ITEM._replace(fix=None, help="", no_fix="the number decides how many rows the result of the model has")
    lines = ANSI.sub(
        "", by_line.render(RunResult(files=1, findings=(shown,), texts=(("net.py", TEXT),)), color=True)
    ).splitlines()
    advice = lines[lines.index("3 |         s = x.mean().item()") + 2 :]
    assert len(advice[: advice.index("")]) > 3
    assert max(map(len, advice[: advice.index("")])) <= 40
