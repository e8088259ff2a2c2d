"""The patterns of docs/graphmend.md, each as a model that runs, and what breaklint and GraphMend's rules make of it.

`python tests/fixes/graphmend.py` measures all of them and writes the table into docs/graphmend.md.
"""

from __future__ import annotations

import re
import sys
import tempfile
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from differential.compiling import break_rows
from differential.judging import Rewrite, rewritten
from graphmend_rows import ROWS, Row

from breaklint.verify.arm.accuracy import compare
from breaklint.verify.arm.comparable import comparable
from breaklint.verify.arm.observe import Case, observe
from breaklint.verify.prove.examples import quiet

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "graphmend.md"
MARKS = ("<!-- measured: begin -->\n", "<!-- measured: end -->\n")
HEAD = "| pattern | breaklint: fix | break | result | GraphMend, as published |\n| --- | --- | --- | --- | --- |\n"


@dataclass
class Outcome:
    """What became of one pattern: the cells of its row in the table."""

    fix: str
    breaks: str
    result: str
    published: str
    rewrite: Rewrite | None = field(default=None, compare=False)

    def cells(self, row: Row) -> str:
        """The row of the table."""
        return f"| {row.pattern} | {self.fix} | {self.breaks} | {self.result} | {self.published} |\n"


def measured(row: Row, folder: Path) -> Outcome:
    """Fix the model of a row with all fixes, and run it before and after, without compiling and compiled."""
    rewrite = rewritten(row.text, {}, unsafe=True)
    before = break_rows(row.text, row.arguments(1), folder) or set()
    published = row.published + (f"; {applied(row, folder)}" if row.applied else "")
    if not rewrite.fixes:
        found = rewrite.left[0]
        advice = f"by hand: {found.fix.why.partition(';')[0]}" if found.fix else f"none: {found.no_fix}"
        return Outcome(advice, f"{len(before)}, stays", "unchanged", published, rewrite)
    after = break_rows(rewrite.text, row.arguments(1), folder) or set()
    kinds = dict.fromkeys(f"`{fix.kind}` ({fix.applicability.value})" for _, fix in rewrite.fixes)
    return Outcome(
        ", ".join(kinds), f"{len(before)} → {len(after)}", compared(row, rewrite.text, folder), published, rewrite
    )


def compared(row: Row, text: str, folder: Path) -> str:
    """How a rewritten model compares with the one before it, on inputs of both signs."""
    eager = {line for sign in (1, -1) for line in _differences(row, text, sign, folder, _plainly)}
    compiled = {line for sign in (1, -1) for line in _differences(row, text, sign, folder, _compiled)}
    if not eager | compiled:
        return "equal"
    if not eager:
        return "equal; compiled: " + ", ".join(sorted(compiled))
    return ", ".join(sorted(eager | compiled))


def applied(row: Row, folder: Path) -> str:
    """What the model does that GraphMend's published rule makes of a row."""
    text = row.with_forward(row.applied)
    breaks = break_rows(text, row.arguments(1), folder)
    what = compared(row, text, folder)
    left = "" if breaks is None else ", still breaks" if breaks else ", no break"
    return f"run: {what}{left}"


def _differences(row: Row, text: str, sign: int, folder: Path, run: Callable[[Any], Any]) -> list[str]:
    """In words: an error and no error, another shape, other values."""
    old, new = _model(row.text, folder, "before"), _model(text, folder, "after")
    with quiet():
        one = _observed(old, row.arguments(sign), None)
        try:
            other = _observed(new, row.arguments(sign), run(new))
        except Exception as error:  # noqa: BLE001 - an error of the compiled model is a difference to tell
            other = {"exception": f"{type(error).__name__}: {error}"}
    if "exception" in one or "exception" in other:
        kinds = [each.get("exception", "no error").partition(":")[0] for each in (one, other)]
        return [] if kinds[0] == kinds[1] else [f"{kinds[1]} where there was {kinds[0]}"]
    left, right = comparable(one, other)
    lines = (line.removeprefix(".") for line in compare(left, right, ""))
    return [re.sub(r",? by up to .*| in \d+ of \d+ elements", "", line) for line in lines]


def _observed(model: Any, arguments: tuple[Any, ...], call: Any) -> dict[str, Any]:
    return observe(Case(model, arguments, {}), 0, call, gradients=True)


def _plainly(model: Any) -> Any:
    return None


def _compiled(model: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(model, backend="eager")


def _model(text: str, folder: Path, name: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module.Net()


def table(folder: Path) -> str:
    """All rows, measured."""
    return HEAD + "".join(measured(row, folder).cells(row) for row in ROWS)


def main() -> None:
    """Write the table into the page."""
    with tempfile.TemporaryDirectory() as folder:
        lines = table(Path(folder))
    page = PAGE.read_text("utf-8")
    start, end = (page.index(mark) for mark in MARKS)
    PAGE.write_text(page[: start + len(MARKS[0])] + "\n" + lines + "\n" + page[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
