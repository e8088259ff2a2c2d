"""Changes for some files with a newer torch: lines that start or stop breaking, and removed names."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from breaklint.errors import SourceError
from breaklint.lint.results import RunResult
from breaklint.model import Effect, Finding, Position, Severity, Span
from breaklint.project.walking import dotted_name
from breaklint.source.decoding import decode, read_bytes
from breaklint.source.syntax import parse
from breaklint.torchops.api import Changes, changes

REMOVED, NO_OPTION, DEAD, ARGUMENT = "UPG101", "UPG102", "UPG103", "UPG104"
NAMES = {REMOVED: "removed-name", NO_OPTION: "removed-option", DEAD: "dead-option", ARGUMENT: "changed-argument"}


def differences(result: RunResult, older: str, newer: str, files: Iterable[str]) -> RunResult:
    """The differences of a run for both versions, and the removed names."""
    lines: dict[tuple[str, int, int], list[Finding]] = defaultdict(list)
    for finding in result.findings:
        if finding.effect is Effect.BREAK:
            lines[finding.filename, finding.cell, finding.span.start.row].append(finding)
    changed = [
        item._replace(holds=f"{'from' if item.torch == (newer,) else 'until'} {item.torch[0]}")
        for on_line in lines.values()
        if len({torch for item in on_line for torch in item.torch}) == 1  # a break for another reason is a break
        for item in on_line
    ]
    what = changes(older, newer)
    removals = [item for file in files for item in api_findings(file, _text(file), what, newer)]
    return result._replace(findings=tuple(sorted([*changed, *removals])))


def _text(file: str) -> str:
    try:
        return decode(file, read_bytes(file)).text
    except SourceError:
        return ""  # the run has reported it


def api_findings(filename: str, text: str, what: Changes, newer: str) -> list[Finding]:
    """The uses of names that the newer version does not have."""
    if "torch" not in text:
        return []
    try:
        tree = parse(filename, text)
    except (SourceError, SyntaxError):
        return []
    return list(_Search(filename, text, tree, what, newer).findings())


class _Search:
    """The uses of torch's names in one file, through the names that its imports bind and nothing else stores."""

    def __init__(self, filename: str, text: str, tree: ast.Module, what: Changes, newer: str) -> None:
        self.filename, self.lines, self.what, self.newer = filename, text.split("\n"), what, newer
        self.nodes = list(ast.walk(tree))
        self.imports = {name: full for node in self.nodes for name, full in _imports(node)}
        for node in self.nodes:
            self.imports.pop(_stored_name(node), None)

    def findings(self) -> Iterator[Finding]:
        """The findings, in no order."""
        inner = {id(node.value) for node in self.nodes if isinstance(node, ast.Attribute)}
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                yield from self._check_import(node)
            elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                yield from self._check_store(node)
            elif isinstance(node, ast.Call):
                yield from self._check_call(node)
            if isinstance(node, ast.Attribute) and id(node) not in inner:
                qualified = self.qualified(node)
                if qualified in self.what.removed:
                    yield self._finding(REMOVED, node, f"`{qualified}` is gone in torch {self.newer}")
                if qualified in self.what.options and isinstance(node.ctx, ast.Load):
                    message = f"`{qualified}` is gone in torch {self.newer}: reading it raises AttributeError"
                    yield self._finding(NO_OPTION, node, message)

    def qualified(self, node: ast.expr) -> str:
        """The name of torch that an expression spells, or an empty string."""
        head, _, rest = (dotted_name(node) or "").partition(".")
        return f"{self.imports[head]}.{rest}".rstrip(".") if head in self.imports else ""

    def _check_import(self, node: ast.ImportFrom) -> Iterator[Finding]:
        for alias in node.names:
            qualified = f"{node.module}.{alias.name}"
            for code, names in ((REMOVED, self.what.removed), (NO_OPTION, self.what.options)):
                if not node.level and qualified in names:
                    yield self._finding(code, node, f"`{qualified}` is gone in torch {self.newer}: this import fails")

    def _check_store(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Iterator[Finding]:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute):
                yield from self._option(self.qualified(target), target)

    def _check_call(self, node: ast.Call) -> Iterator[Finding]:
        qualified = self.qualified(node.func)
        keywords = {keyword.arg: keyword for keyword in node.keywords if keyword.arg}
        owner, _, method = qualified.rpartition(".")
        if method == "patch":
            for name, keyword in keywords.items():
                yield from self._option(f"{owner}.{name}", keyword.value)
            for argument in node.args:
                yield from self._keys(owner, argument)
        if qualified == "torch.compile" and "options" in keywords:
            yield from self._keys("torch._inductor.config", keywords["options"].value)
        for name, instead in self.what.arguments.get(qualified, {}).items():
            if name in keywords:
                message = (
                    f"`{name}` of `{qualified}` is {f'now `{instead}`' if instead else 'gone'} in torch {self.newer}"
                )
                yield self._finding(ARGUMENT, keywords[name], message)

    def _keys(self, owner: str, node: ast.expr) -> Iterator[Finding]:
        """The options that a dictionary, or a text alone, names."""
        keys: Sequence[ast.expr | None] = node.keys if isinstance(node, ast.Dict) else [node]
        for key in keys:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from self._option(f"{owner}.{key.value}", key)

    def _option(self, qualified: str, node: ast.expr) -> Iterator[Finding]:
        if qualified in self.what.options:
            message = f"`{qualified}` is gone in torch {self.newer}: setting it raises AttributeError"
            yield self._finding(NO_OPTION, node, message)
        elif qualified in self.what.dead:
            yield self._finding(DEAD, node, f"nothing in torch {self.newer} reads `{qualified}`")

    def _finding(self, code: str, node: ast.AST, message: str) -> Finding:
        assert isinstance(node, (ast.expr, ast.stmt, ast.keyword))
        start = self._position(node.lineno, node.col_offset)
        end = self._position(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        span = Span(start, end)
        return Finding(
            self.filename,
            span,
            code,
            NAMES[code],
            message,
            Effect.SYNC,
            Severity.WARNING,
            "",
            torch=(self.newer,),
        )

    def _position(self, row: int, offset: int) -> Position:
        return Position(row, len(self.lines[row - 1].encode()[:offset].decode(errors="ignore")) + 1)


def _stored_name(node: ast.AST) -> str:
    """The name that a node binds otherwise than by an import, or an empty string."""
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Store) else ""
    if isinstance(node, ast.arg):
        return node.arg
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)
    return node.name or "" if isinstance(node, definitions) else ""


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that an import of torch binds, with their qualified names."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] == "torch":
                yield alias.asname or "torch", alias.name if alias.asname else "torch"
    elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "torch":
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
