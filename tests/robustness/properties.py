"""What must hold of check and fix whatever the text; `broken` tells in lines what does not."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from breaklint.engine import Engine
from breaklint.errors import RuleBug
from breaklint.fixes.apply import apply_chosen, choose
from breaklint.model import Edit, Finding, Settings

PATH = "model.py"
SAME_IMPORT = (ast.Import, ast.ImportFrom)


@dataclass
class Tally:
    """What was tried, and how much of it."""

    programs: int = 0
    parsed: int = 0
    findings: int = 0
    fixed: int = 0
    broken: list[str] = field(default_factory=list)


def examine(engine: Engine, text: str, tally: Tally) -> list[str]:
    """Check and fix a text; the lines of what must not be, which are added to the tally, too."""
    tally.programs += 1
    try:
        problems = list(_problems(engine, text, tally))
    except Exception as error:  # noqa: BLE001 - whatever leaves check or fix is what is looked for
        problems = [f"raised {type(error).__name__}: {error}"]
    tally.broken += problems
    return problems


def _problems(engine: Engine, text: str, tally: Tally) -> Iterator[str]:
    result = engine.check(PATH, text)
    yield from (line for line in result.errors if "bug in" in line)
    if result.errors:
        yield from _untouched(engine, text)
        return
    tally.parsed += 1
    tally.findings += len(result.findings)
    yield from (f"{found.code}: its span is outside the text" for found in result.findings if not _inside(found, text))
    if not any(found.fix for found in result.findings):
        yield from _untouched(engine, text)
        return
    for unsafe in (False, True):
        yield from _one_round(text, list(result.findings), unsafe)
        yield from _to_the_end(engine, text, unsafe, tally)


def _untouched(engine: Engine, text: str) -> Iterator[str]:
    if engine.fix(PATH, text, unsafe=True).text is not None:
        yield "fix changed a text without findings that have a fix"


def _one_round(text: str, findings: list[Finding], unsafe: bool) -> Iterator[str]:
    """The fixes of one round leave every statement alone that none of their edits is in, but for added imports."""
    chosen = choose(findings, PATH, unsafe)
    if not chosen:
        return
    try:
        after = apply_chosen(PATH, text, chosen)
    except RuleBug as bug:
        yield str(bug)
        return
    codes = ",".join(sorted({finding.code for finding, _ in chosen}))
    edits = [edit for _, fix in chosen for edit in fix.edits]
    lost = Counter(_statements(ast.parse(text), edits)) - Counter(_statements(ast.parse(after), []))
    yield from (f"{codes}: a statement far from the finding changed: {dump[:120]}" for dump in lost)
    rows = {row for edit in edits for row in range(edit.span.start.row, edit.span.end.row + 1)}
    kept = Counter(line for row, line in enumerate(text.split("\n"), 1) if row not in rows)
    yield from (f"{codes}: a line without an edit changed: {line!r}" for line in kept - Counter(after.split("\n")))
    for finding, fix in chosen:
        yield from (
            f"{finding.code}: edits row {edit.span.start.row}, outside {finding.function}"
            for edit in fix.edits
            if edit.span.start != edit.span.end and not _near(text, finding, edit)
        )


def _to_the_end(engine: Engine, text: str, unsafe: bool, tally: Tally) -> Iterator[str]:
    try:
        done = engine.fix(PATH, text, unsafe)
    except RuleBug as bug:
        yield str(bug)
        return
    yield from (line for line in done.errors if "bug in" in line)
    if done.text is None:
        return
    tally.fixed += sum(count for _, count in done.fixed)
    codes = ",".join(code for code, _ in done.fixed)
    try:
        compile(done.text, PATH, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        if _compiles(text):
            yield f"{codes}: the fixed text does not compile: {error}"
        return
    again = engine.fix(PATH, done.text, unsafe)
    if again.text is not None:
        yield f"{codes}: a second fix changes the text again ({','.join(code for code, _ in again.fixed)})"


def _compiles(text: str) -> bool:
    try:
        compile(text, PATH, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _inside(found: Finding, text: str) -> bool:
    lines = text.split("\n")
    return all(
        1 <= place.row <= len(lines) and 1 <= place.column <= len(lines[place.row - 1]) + 1 for place in found.span
    )


def _statements(tree: ast.AST, edits: list[Edit]) -> Iterator[str]:
    """The statements that no edit meets, each as its dump; of one that an edit meets, those inside."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.stmt) or any(_meets(node, edit) for edit in edits):
            yield from _statements(node, edits)
        else:
            yield from (ast.dump(inner) for inner in ast.walk(node) if isinstance(inner, ast.stmt))


def _meets(node: ast.stmt, edit: Edit) -> bool:
    begin = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    return edit.span.start.row <= (node.end_lineno or begin) and edit.span.end.row >= begin


def _near(text: str, finding: Finding, edit: Edit) -> bool:
    """Whether an edit lies in the function that the finding is in."""
    functions = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        and node.lineno <= finding.span.start.row <= (node.end_lineno or 0)
    ]
    outer = min(functions, key=lambda node: node.lineno, default=None)
    last = edit.span.end.row - (edit.span.end.column == 1)  # a deletion ends where the next line begins
    return outer is None or outer.lineno <= edit.span.start.row <= last <= (outer.end_lineno or 0)


def engine(**settings: object) -> Engine:
    """An engine that many texts are given to, as a run does."""
    return Engine(Settings(**settings))  # type: ignore[arg-type]
