"""The only place that writes code: rewrites as edits, formatted by LibCST on the changed slice."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Sequence

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from breaklint.fixes.lines import begins_line, ends_line, first_row, indent_of, indent_unit, last_row
from breaklint.fixes.rewrite import Captures, Change, Deleted, Put, Replaced, Rewrite, fits
from breaklint.fixes.statements import (
    CapturedStatements,
    Exchange,
    Statement,
    Unwritable,
    comments,
    comments_in,
    comments_near,
    nodes_at,
)
from breaklint.model import Edit, Position, Span
from breaklint.project.module import Module
from breaklint.project.scope import Scope
from breaklint.project.spans import lines_of, span_of, text_at
from breaklint.source.edits import alike

_HEAD = "if _:\n"  # above a slice that is indented


def edits_of(rewrite: Rewrite, module: Module, scope: Scope, captures: Captures) -> tuple[Edit, ...]:
    """The edits of a rewrite. Unwritable if LibCST cannot parse the code around it."""
    cache, key = module.derive(_Written, _Written), (rewrite.changes, captures.parts())
    if key not in cache:
        writer = _Writer(module, scope, captures)
        cache[key] = tuple(edit for change in rewrite.changes for edit in writer.edits(change))
    return cache[key]


class _Written(dict[Hashable, tuple[Edit, ...]]):
    """The edits of equal rewrites of a file: many checked files lead to a finding in an imported one."""


class _Writer:
    """Writes the changes of one rewrite."""

    def __init__(self, module: Module, scope: Scope, captures: Captures) -> None:
        self.module, self.scope, self.captures = module, scope, captures
        self.own = scope
        self.step = ""

    def edits(self, change: Change) -> Iterator[Edit]:
        if isinstance(change, Edit):
            yield change
            return
        self.scope = self.own if change[0] in self.own else self.module.scope(self.module.tree)
        self.step = indent_unit(self.module, self.scope.root)
        if isinstance(change, Replaced):
            yield from self._replaced(change)
        elif isinstance(change, Put):
            yield from self._put(change.first, change.last, change.code)
        elif isinstance(change, Deleted):
            yield from self._deleted(change)

    def _replaced(self, change: Replaced) -> Iterator[Edit]:
        span, text = span_of(self.module, change.node), self.captures.render(change.code)
        statement = self.scope.statement(change.node)
        before, after = self._around(change.node, span, statement)
        present = comments(text)
        missing = [comment for comment in comments(text_at(self.module, span)) if comment not in present]
        if missing and statement is not None:
            yield self._above(statement, missing)
        yield Edit(span, text if fits(before, text, after) else f"({text})")

    def _around(self, node: ast.expr, span: Span, statement: ast.stmt | None) -> tuple[str, str]:
        """The code around an expression that decides whether it needs parentheses: its statement, without its body."""
        if statement is None:
            statement = self.scope.root if isinstance(self.scope.root, ast.stmt) else None
        if statement is None:
            return "", ""
        start, head = span_of(self.module, statement).start, ""
        if begins_line(self.module, statement):
            start, head = Position(first_row(statement), 1), _HEAD if start.column > 1 else ""
        end, rest = span_of(self.module, statement).end, ""
        body = getattr(statement, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
            alone = begins_line(self.module, body[0])
            inside = Position(first_row(body[0]), 1) if alone else span_of(self.module, body[0]).start
            if span.end <= inside:
                end, rest = inside, f"{indent_of(self.module, body[0])}pass" if alone else "pass"
        before = text_at(self.module, Span(start, span.start))
        if self._is_elif(statement):
            before = before.replace("elif", "if", 1)
        return head + before, text_at(self.module, Span(span.end, end)) + rest

    def _above(self, statement: ast.stmt, lines: Sequence[str]) -> Edit:
        while not begins_line(self.module, statement):
            before = self._before(statement)
            statement = before
        row = first_row(statement)
        indent, line = indent_of(self.module, statement), lines_of(self.module)[row - 1]
        place = Position(row, len(line) - len(line.lstrip()) + 1)  # after a form feed as well
        return Edit(Span(place, place), "".join(f"{line}\n{indent}" for line in lines))

    def _before(self, statement: ast.stmt) -> ast.stmt:
        """The statement before one on its line, or around it."""
        place = self.scope.block(statement)
        if place is not None and place[1] > 0:
            return place[0][place[1] - 1]
        enclosing = self.scope.parent(statement)
        while enclosing is not None and not isinstance(enclosing, ast.stmt):
            enclosing = self.scope.parent(enclosing)
        if enclosing is None:
            raise Unwritable("its line has no beginning")
        return enclosing

    def _deleted(self, change: Deleted) -> Iterator[Edit]:
        statement = change.statement
        place, span = self.scope.block(statement), span_of(self.module, statement)
        if place is None or len(place[0]) == 1:
            if inside := self._comments(statement)[0]:
                yield self._above(statement, inside)
            yield Edit(span, "pass")
            return
        if not (begins_line(self.module, statement) and ends_line(self.module, statement)):
            yield from self._put(statement, statement, "")
            return
        last = span.end.row == len(lines_of(self.module))
        inside, following = self._comments(statement)
        indent = indent_of(self.module, statement)
        text = "".join(f"{indent}{comment}\n" for comment in (*inside, *following))
        end = span.end if last else Position(span.end.row + 1, 1)
        yield Edit(Span(Position(first_row(statement), 1), end), text.removesuffix("\n") if last else text)

    def _comments(self, statement: ast.stmt) -> tuple[list[str], list[str]]:
        """The comments inside a statement with lines of its own, and the comment after it."""
        end = span_of(self.module, statement).end
        rows = lines_of(self.module)[first_row(statement) - 1 : end.row]
        if not begins_line(self.module, statement) or "#" not in "".join(rows):
            return [], []
        text = "\n".join(rows)
        result = comments_in(self._parse(f"{self._head(indent_of(self.module, statement))}{text}\n"))
        inside = len(result) - ("#" in rows[-1][end.column - 1 :])
        return result[:inside], result[inside:]

    def _put(self, first: ast.stmt, last: ast.stmt, code: str) -> Iterator[Edit]:
        """The edit that replaces statements by code, laid out by LibCST in the lines that they share."""
        above, below = self._slice(first, last)
        rows = lines_of(self.module)[first_row(above) - 1 : last_row(below)]
        old, offset = "\n".join(rows), first_row(above)
        head = self._head(indent_of(self.module, above))
        tree = self._parse(f"{head}{old}\n")
        targets = self._block_between(first, last)
        places = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
        shift = offset - head.count("\n")
        nodes = nodes_at(places, [self._key(target, shift) for target in targets])
        result = self._statements_of(code, dict(zip(targets, nodes, strict=True)))
        span = Span(span_of(self.module, first).start, span_of(self.module, last).end)
        inside, following = comments_near(places, span, shift)
        following = following if ends_line(self.module, last) else ""
        new = tree.visit(Exchange(nodes, result, inside, following)).code.removeprefix(head).removesuffix("\n")
        yield _smallest(old, new, _at(rows, span.start, offset), _at(rows, span.end, offset), offset)
        place = self.scope.block(below)
        missing = [*inside, *([following] if following and self._is_elif(first) else [])] if not code else []
        if missing and place is not None and place[1] + 1 < len(place[0]):
            yield self._above(place[0][place[1] + 1], missing)

    def _slice(self, first: ast.stmt, last: ast.stmt) -> tuple[ast.stmt, ast.stmt]:
        """The smallest run of statements around some that has its lines to itself."""
        place = self.scope.block(first)
        block, low = place if place is not None else ([first], 0)
        high = block.index(last) if last in block else low
        while low > 0 and not begins_line(self.module, block[low]):
            low -= 1
        while high + 1 < len(block) and not begins_line(self.module, block[high + 1]):
            high += 1
        enclosing = self.scope.parent(first)
        if begins_line(self.module, block[low]) and not self._is_elif(block[low]):
            return block[low], block[high]
        while enclosing is not None and not isinstance(enclosing, ast.stmt):
            enclosing = self.scope.parent(enclosing)
        if enclosing is None:
            raise Unwritable("it shares its line with other code")
        return self._slice(enclosing, enclosing)

    def _is_elif(self, statement: ast.stmt) -> bool:
        return isinstance(statement, ast.If) and lines_of(self.module)[statement.lineno - 1].lstrip().startswith("elif")

    def _block_between(self, first: ast.stmt, last: ast.stmt) -> list[ast.stmt]:
        place = self.scope.block(first)
        if place is None:
            return [first]
        block, index = place
        return block[index : block.index(last) + 1]

    def _key(self, statement: ast.stmt, offset: int) -> tuple[int, int]:
        """The position of a statement in its slice, for LibCST."""
        if first_row(statement) < statement.lineno:
            return first_row(statement) - offset + 1, len(indent_of(self.module, statement))
        start = span_of(self.module, statement).start
        return start.row - offset + 1, start.column - 1

    def _head(self, indent: str) -> str:
        """The text above a slice for LibCST, which takes the first indentation as one step."""
        lines, current = [f"{_HEAD}{self.step}pass\n"], ""
        while current != indent:
            lines.append(f"{current}{_HEAD}")
            current = current + self.step if indent.startswith(current + self.step) else indent
        return "".join(lines)

    def _parse(self, text: str) -> cst.Module:
        try:
            return cst.parse_module(text)
        except (cst.ParserSyntaxError, RecursionError):
            raise Unwritable("LibCST does not read the syntax of this code") from None

    def _statements_of(self, code: str, nodes: dict[ast.stmt, cst.CSTNode]) -> list[Statement]:
        """The statements of a template; a line with a placeholder becomes the captured statement."""
        rendered = self.captures.render(code)
        if not rendered:
            return []
        body = cst.parse_module(f"{rendered}\n").body
        tree = cst.Module(body=body).visit(CapturedStatements(self.captures, nodes, self._alone))
        return [item for item in tree.body if isinstance(item, Statement)]

    def _alone(self, statement: ast.stmt) -> cst.CSTNode:
        """A statement from another place, in its slice."""
        above, below = self._slice(statement, statement)
        rows = lines_of(self.module)[first_row(above) - 1 : last_row(below)]
        head = self._head(indent_of(self.module, above))
        tree = self._parse(head + "\n".join(rows) + "\n")
        places = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
        return nodes_at(places, [self._key(statement, first_row(above) - head.count("\n"))])[0]


def _at(rows: Sequence[str], position: Position, offset: int) -> int:
    """The index of a position in the text of lines."""
    return sum(len(row) + 1 for row in rows[: position.row - offset]) + position.column - 1


def _smallest(old: str, new: str, begin: int, end: int, offset: int) -> Edit:
    """The smallest edit that turns the old text into the new one, containing `begin` to `end`."""
    begin = min(begin, alike(old, new))
    tail = alike(old[end:][::-1], new[begin:][::-1])
    content = new[begin : len(new) - tail]
    return Edit(Span(_position(old, begin, offset), _position(old, len(old) - tail, offset)), content)


def _position(text: str, index: int, offset: int) -> Position:
    row = text.count("\n", 0, index)
    return Position(offset + row, index - (text.rfind("\n", 0, index) + 1) + 1)
