from __future__ import annotations

from dataclasses import replace

import pytest

from breaklint.dynamo.breaks import failing_breaks, is_own, read_reports
from breaklint.dynamo.events import Break, GivenUp
from breaklint.dynamo.trace_events import without_internals
from breaklint.model import Effect, Finding, Position, Severity, Span
from breaklint.verify.judge.breaks import given_up_at, giving_up, join, newly_broken, row_origins, still_broken

PRINT = """\
Graph break in user code at /home/me/net.py:7
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):

Failed to trace builtin operator
  Explanation: Dynamo does not know how to trace builtin operator `print`
  Hint: Avoid calling it.

 For more details, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html

User code traceback:
  File "/home/me/net.py", line 12, in forward
    y = self.helper(x)
  File "/home/me/net.py", line 7, in helper
    print("hi")
"""
GIVEN_UP = PRINT.replace(
    "Reason: Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):",
    "Reason: Failed to handle graph break gracefully. Skipping the function and falling back to eager.",
)
IN_LIBRARY = """\
Graph break in user code at /env/lib/python3.11/site-packages/scatter/ops.py:40
Graph Break Reason: Data-dependent branching
  Explanation: Detected data-dependent branching.
 see https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html

User code traceback:
  File "/home/me/net.py", line 12, in forward
    y = scatter(x)
  File "/env/lib/python3.11/site-packages/scatter/ops.py", line 40, in scatter
    if index.max() > size:
"""
SKIPPED = """\
Graph break: torch.compile cannot properly resume from this graph break, which results in a skip.
torch.compile will skip tracing the frame forward (/home/me/net.py line 5) and fall back to eager.
The graph break occurred in the following user code:
  File "/home/me/net.py", line 9, in forward
    with lock:
"""


def finding(first: int, last: int, effect: Effect = Effect.BREAK, filename: str = "/home/me/net.py") -> Finding:
    span = Span(Position(first, 1), Position(last, 5))
    return Finding(filename, span, "BRK101", "print", "print breaks", effect, Severity.ERROR, "Net.forward")


def broken(row: int, filename: str = "/home/me/net.py", own: bool = True) -> Break:
    return Break(filename, row, "GB0059", "Failed to trace builtin operator", own)


def test_a_report_gives_place_id_and_reason() -> None:
    reason = "Failed to trace builtin operator: Dynamo does not know how to trace builtin operator `print`"
    assert read_reports([PRINT]) == (Break("/home/me/net.py", 7, "GB0059", reason, own=True),)


def test_a_reason_given_in_the_first_line_is_told_without_its_label() -> None:
    (only,) = read_reports([IN_LIBRARY])
    assert only.reason == "Data-dependent branching: Detected data-dependent branching."


def test_a_second_report_of_a_line_only_adds_that_its_frame_is_given_up() -> None:
    (only,) = read_reports([PRINT, GIVEN_UP, PRINT])
    assert (only.row, only.skips_frame) == (7, True)


def test_a_report_without_a_header_is_placed_by_its_innermost_frame() -> None:
    (only,) = read_reports([SKIPPED])
    assert (only.filename, only.row, only.gb, only.skips_frame) == ("/home/me/net.py", 9, "", True)


def test_a_break_in_a_dependency_names_the_own_line_that_called_it() -> None:
    (only,) = read_reports([IN_LIBRARY])
    assert (only.own, only.called_from) == (False, ("/home/me/net.py", 12))


def test_a_break_in_a_dependency_is_told_for_every_own_line_that_leads_there() -> None:
    later = IN_LIBRARY.replace("line 12", "line 14")
    assert later != IN_LIBRARY
    told = read_reports([IN_LIBRARY, later, IN_LIBRARY])
    assert [one.called_from for one in told] == [("/home/me/net.py", 12), ("/home/me/net.py", 14)]


def test_a_break_in_code_dynamo_traces_for_a_builtin_is_that_of_the_calling_line() -> None:
    (only,) = read_reports([IN_LIBRARY.replace("scatter/ops.py", "torch/_dynamo/polyfills.py")])
    assert (only.filename, only.row, only.own) == ("/home/me/net.py", 12, True)


def test_own_paths_decide_what_is_own() -> None:
    assert is_own("/home/me/net.py")
    assert not is_own("/env/lib/python3.11/site-packages/scatter/ops.py")
    assert not is_own("<eval_with_key>.3")
    assert is_own("/env/lib/python3.11/site-packages/mine/ops.py", ["/env/lib/python3.11/site-packages/mine"])
    assert not is_own("/home/me/net.py", ["/home/me/other"])


def test_breaks_may_be_allowed_by_id_file_or_line() -> None:
    breaks = [broken(7), broken(9)]
    assert failing_breaks(breaks, ["GB0059"], []) == []
    assert failing_breaks(breaks, ["net.py:7"], []) == [broken(9)]
    assert failing_breaks(breaks, ["*/net.py"], []) == []


def test_dependency_code_counts_unless_own_paths_are_named() -> None:
    foreign = broken(40, "/env/lib/python3.11/site-packages/scatter/ops.py", own=False)
    assert failing_breaks([foreign], [], []) == [foreign]
    assert failing_breaks([foreign], [], ["/home/me"]) == []


def test_findings_are_joined_with_the_lines_that_really_break() -> None:
    real, wrong, other = finding(6, 8), finding(20, 20), finding(7, 7, Effect.UNROLL)
    assert join([real, wrong, other], [broken(7), broken(30)]) == ((real,), (wrong,), (broken(30),))


def test_a_finding_on_the_calling_line_covers_a_break_in_a_dependency() -> None:
    calls = finding(12, 12)
    assert join([calls], read_reports([IN_LIBRARY]))[0] == (calls,)


BEFORE = "a\nprint\nb\nc\n"
GUARDED = "a\nif not compiling:\n    print\nb\nc\n"


def test_rows_are_followed_through_a_fix() -> None:
    kept = {row: stood_on[0] for row, (is_kept, stood_on) in row_origins(BEFORE, GUARDED).items() if is_kept}
    assert kept == {1: 1, 3: 2, 4: 3, 5: 4}
    assert row_origins(GUARDED, BEFORE.replace("print", "log"))[2] == (False, range(2, 4))


def test_a_break_on_a_rewritten_row_is_the_same_break() -> None:
    assert still_broken(finding(2, 2), BEFORE, GUARDED, [broken(3), broken(5)]) == [broken(3)]


def test_a_break_in_a_dependency_is_that_of_the_row_that_calls_it() -> None:
    inside = replace(
        broken(1093), filename="/site-packages/torch/rnn.py", own=False, called_from=(broken(3).filename, 3)
    )
    assert still_broken(finding(2, 2), BEFORE, GUARDED, [inside]) == [inside]
    assert still_broken(finding(3, 3), BEFORE, GUARDED, [inside]) == []


def test_a_break_on_a_row_that_was_whole_before_is_new() -> None:
    def texts(_: str) -> tuple[str, str]:
        return BEFORE, GUARDED

    assert newly_broken([broken(2), broken(4)], [broken(5)], texts) == []
    assert newly_broken([broken(2)], [broken(5)], texts) == [broken(5)]
    assert newly_broken([broken(2)], [broken(3)], texts) == []


TWO = "def f(x):\n    a()\n    b()\n\ndef g(x):\n    c()\n"


@pytest.mark.parametrize(
    ("row", "skips", "named"),
    [(3, True, True), (3, False, False), (6, True, False), (2, True, False)],
    ids=["below", "the frame goes on", "in another function", "the line itself"],
)
def test_a_frame_that_was_given_up_above_a_line_is_named(row: int, skips: bool, named: bool) -> None:
    up = GivenUp("/home/me/net.py", 2)
    above = replace(broken(2), gave_up=(up,) if skips else ())
    assert giving_up(finding(row, row), TWO, [above]) == ((up, above) if named else None)


CALLER = "def f(x):\n    for a in x:\n        g(a)\n    b()\n\ndef g(x):\n    c()\n    d()\n"
INLINED = """\
Graph break in user code at /home/me/net.py:7
Graph Break Reason: Failed to handle graph break gracefully. Skipping the function and falling back to eager.

User code traceback:
  File "/home/me/net.py", line 3, in f
    g(a)
  File "/home/me/net.py", line 7, in g
    c()
"""


@pytest.mark.parametrize(("traced", "row", "given_up"), [("f", 4, 3), ("f", 8, None), ("g", 4, None), ("g", 8, 7)])
def test_the_frame_that_is_given_up_is_the_one_that_was_traced(traced: str, row: int, given_up: int | None) -> None:
    (only,) = read_reports([without_internals(INLINED, "/home/me/net.py", traced)])
    found = giving_up(finding(row, row), CALLER, [only])
    assert (found and found[0].row) == given_up
    if found and traced == "f":
        assert given_up_at(*found) == (
            "Dynamo gave the frame of f up at /home/me/net.py:3, for the break at /home/me/net.py:7 (no id: "
            "Failed to handle graph break gracefully. Skipping the function and falling back to eager.), so that this "
            "line was never traced"
        )


def test_a_resumed_part_belongs_to_its_function() -> None:
    (only,) = read_reports([without_internals(INLINED, "/home/me/net.py", "torch_dynamo_resume_in_f_at_2")])
    assert only.gave_up == (GivenUp("/home/me/net.py", 3, "f"),)
