"""Results of many files made one."""

from __future__ import annotations

from pathlib import Path

from breaklint.lint.merging import merge
from breaklint.model import Effect, FileResult, Finding, Position, Severity, Span


def finding(filename: str, row: int = 1, code: str = "BRK201") -> Finding:
    span = Span(Position(row, 1), Position(row, 9))
    return Finding(filename, span, code, "name", "message", Effect.BREAK, Severity.ERROR, "Net.forward")


def test_findings_are_ordered_and_told_once_however_their_path_is_spelled() -> None:
    results = [
        FileResult("b.py", (finding("b.py", 2), finding("./a.py", 3))),
        FileResult("a.py", (finding("a.py", 3), finding(str(Path("a.py").absolute()), 1))),
    ]
    merged = merge(results, ["a.py", "b.py"])
    assert [(item.filename, item.span.start.row) for item in merged] == [("a.py", 1), ("a.py", 3), ("b.py", 2)]


def test_findings_of_files_that_were_not_asked_for_are_left_out() -> None:
    assert merge([FileResult("a.py", (finding("library.py"),))], ["a.py"]) == ()


def test_a_comment_that_another_file_needed_is_not_unused() -> None:
    idle = finding("a.py", 4, "BRK901")
    results = [FileResult("a.py", (idle,)), FileResult("b.py", silenced=(("./a.py", idle.span),))]
    assert merge(results, ["a.py", "b.py"]) == ()
    assert merge(results[:1], ["a.py", "b.py"]) == (idle,)
