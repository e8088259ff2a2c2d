"""What must hold of check and fix whatever the text; each that does not is told as a Problem."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from breaklint.errors import RuleBug
from breaklint.fixes.apply import apply_chosen, choose
from breaklint.lint.engine import Engine
from breaklint.model import Edit, Finding, Settings

PATH = "model.py"
AT_DEFINITION = frozenset({"BRK638"})  # whose fixes say that they change the definition of what is called


class Problem(NamedTuple):
    """A property that does not hold, and how."""

    property: str
    line: str


@dataclass
class Tally:
    """What was tried, and how much of it; `beyond` counts fixes by rule that also edit beside their statement."""

    programs: int = 0
    parsed: int = 0
    findings: int = 0
    fixed: int = 0
    given_up: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    beyond: Counter[str] = field(default_factory=Counter)


def examine(engine: Engine, text: str, tally: Tally) -> list[Problem]:
    """Check and fix a text; what must not be, which is counted in the tally, too."""
    tally.programs += 1
    try:
        problems = list(_problems(engine, text, tally))
    except Exception as error:  # noqa: BLE001 - whatever leaves check or fix is what is looked for
        problems = [Problem("crash", f"raised {type(error).__name__}: {error}")]
    tally.broken.update(problem.property for problem in problems)
    return problems


def _problems(engine: Engine, text: str, tally: Tally) -> Iterator[Problem]:
    result = engine.check(PATH, text)
    bugs = [Problem("crash", line) for line in result.errors if "bug in" in line]
    yield from bugs
    if result.errors:
        yield from () if bugs else _untouched(engine, text)  # fixes of other rules are made in spite of a bug
        return
    tally.parsed += 1
    tally.findings += len(result.findings)
    tally.given_up += len(result.notices)
    outside = (finding for finding in result.findings if not _inside(finding, text))
    yield from (Problem("place", f"{match.code}: its span is outside the text") for match in outside)
    if not any(finding.fix for finding in result.findings):
        yield from _untouched(engine, text)
        return
    for unsafe in (False, True):
        yield from _one_round(text, list(result.findings), unsafe, tally)
        yield from _to_the_end(engine, text, unsafe, tally)


def _untouched(engine: Engine, text: str) -> Iterator[Problem]:
    if engine.fix(PATH, text, unsafe=True).text is not None:
        yield Problem("untouched", "fix changed a text without findings that have a fix")


def _one_round(text: str, findings: list[Finding], unsafe: bool, tally: Tally) -> Iterator[Problem]:
    """The fixes of one round leave every statement alone that none of their edits is in, but for added imports."""
    chosen = choose(findings, PATH, unsafe)
    if not chosen:
        return
    try:
        after = apply_chosen(PATH, text, chosen)
    except RuleBug as bug:
        yield Problem("parses", str(bug))
        return
    codes = ",".join(sorted({finding.code for finding, _ in chosen}))
    edits = [edit for _, fix in chosen for edit in fix.edits]
    tree = ast.parse(text)
    missing = Counter(_statements(tree, edits)) - Counter(_statements(ast.parse(after), []))
    yield from (Problem("elsewhere", f"{codes}: a statement without an edit changed: {dump[:120]}") for dump in missing)
    rows = {row for edit in edits for row in edit.span.rows}
    counter = Counter(line for row, line in enumerate(text.split("\n"), 1) if row not in rows)
    changed = counter - Counter(after.split("\n"))
    yield from (Problem("elsewhere", f"{codes}: a line without an edit changed: {line!r}") for line in changed)
    for finding, fix in chosen:
        if finding.code in AT_DEFINITION:
            continue
        result = [edit for edit in fix.edits if edit.span.start != edit.span.end]
        far = (edit.span.start.row for edit in result if not _near(tree, finding, edit))
        yield from (Problem("elsewhere", f"{finding.code}: edits row {row}, outside {finding.function}") for row in far)
        tally.beyond[finding.code] += not all(_in_statement(tree, finding, edit) for edit in result)


def _to_the_end(engine: Engine, text: str, unsafe: bool, tally: Tally) -> Iterator[Problem]:
    try:
        done = engine.fix(PATH, text, unsafe)
    except RuleBug as bug:
        yield Problem("rests", str(bug))
        return
    yield from (Problem("crash", line) for line in done.errors if "bug in" in line)
    if done.text is None:
        return
    tally.fixed += sum(count for _, count in done.fixed)
    codes = ",".join(code for code, _ in done.fixed)
    try:
        compile(done.text, PATH, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        if _compiles(text):
            yield Problem("parses", f"{codes}: the fixed text does not compile: {error}")
        return
    again = engine.fix(PATH, done.text, unsafe)
    if again.text is not None:
        more = ",".join(code for code, _ in again.fixed)
        yield Problem("rests", f"{codes}: a second fix changes the text again ({more})")


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


def _near(tree: ast.AST, finding: Finding, edit: Edit) -> bool:
    """Whether an edit lies in the function that the finding is in."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    enclosing = [node for node in ast.walk(tree) if isinstance(node, kinds) and _holds(node, finding.span.start.row)]
    return not enclosing or _within(edit, min(enclosing, key=lambda node: node.lineno))


def _in_statement(tree: ast.AST, finding: Finding, edit: Edit) -> bool:
    """Whether an edit lies in the statement that the finding is in."""
    row = finding.span.start.row
    enclosing = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _holds(node, row)]
    return not enclosing or _within(edit, max(enclosing, key=lambda node: node.lineno))


def _holds(node: ast.stmt, row: int) -> bool:
    return node.lineno <= row <= (node.end_lineno or 0)


def _within(edit: Edit, node: ast.stmt) -> bool:
    last = edit.span.end.row - (edit.span.end.column == 1)  # a deletion ends where the next line begins
    return node.lineno <= edit.span.start.row <= last <= (node.end_lineno or 0)


def engine(**settings: object) -> Engine:
    """An engine that many texts are given to, as a run does."""
    return Engine(Settings(**settings))  # type: ignore[arg-type]
