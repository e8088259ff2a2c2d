"""Statements in the order in which they run, in blocks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import NamedTuple

from breaklint.analysis.blocks import Blocks
from breaklint.project.own_names import own_names
from breaklint.project.walking import children

Root = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


class _Loop(NamedTuple):
    """The targets of `continue` and `break`, and the number of `finally` blocks around the loop."""

    head: int
    end: int
    depth: int


class _Final:
    """A `finally` block: its start, and the targets of jumps out of its `try`."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.jumps: list[tuple[int, int]] = []  # the target, and how many `finally` blocks are around that


class StatementBlocks(Blocks):
    """Lays out the blocks of a function."""

    def __init__(self, reads_all: Callable[[ast.Call], bool]) -> None:
        super().__init__(reads_all)
        self._loops: list[_Loop] = []
        self._finals: list[_Final] = []

    def run(self, root: Root) -> None:
        """The blocks of a function's body."""
        if isinstance(root, ast.Lambda):
            self._evaluate(root.body)
        else:
            self._run(root.body)

    def _leave(self, target: int, depth: int) -> None:
        """Jump to a target inside `depth` finally blocks; later code is unreachable."""
        if len(self._finals) > depth:
            final = self._finals[-1]
            self._edge(self._at, final.start)
            final.jumps.append((target, depth))
        else:
            self._edge(self._at, target)
        self._at = self._block()

    def _run(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._note(statement)
            visit = getattr(self, f"_{statement.__class__.__name__.lower()}", None)
            if visit is not None:
                visit(statement)
            else:
                for part in children(statement):
                    self._evaluate(part)

    def _assign(self, node: ast.Assign) -> None:
        self._evaluate(node.value)
        for target in node.targets:
            self._evaluate(target)

    def _annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._evaluate(node.value)
            self._evaluate(node.target)

    def _augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Attribute | ast.Subscript):  # what it is part of is evaluated first
            for part in children(node.target):
                self._evaluate(part)
        self._evaluate(node.value)
        self._note(node.target)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self._note(alias)

    _importfrom = _import

    def _functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                self._evaluate(part)
        self._note(node)  # where its name is bound

    _asyncfunctiondef = _functiondef

    def _classdef(self, node: ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self._evaluate(part)
        self._inner.append(frozenset(name for name, _ in own_names(node, inside=True)))
        self._run(node.body)
        self._inner.pop()
        self._note(node)

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._evaluate(node.value)
        self._leave(self._exit, 0)

    def _raise(self, node: ast.Raise) -> None:
        for part in children(node):
            self._evaluate(part)
        if self._raises is not None:
            self._edge(self._at, self._raises)
        self._at = self._block()

    def _assert(self, node: ast.Assert) -> None:
        self._evaluate(node.test)
        holds = self._block(self._at)
        self._at = self._block(self._at)
        if node.msg is not None:
            self._evaluate(node.msg)
        if self._raises is not None:
            self._edge(self._at, self._raises)
        self._at = holds

    def _break(self, node: ast.Break) -> None:
        self._leave(self._loops[-1].end, self._loops[-1].depth)

    def _continue(self, node: ast.Continue) -> None:
        self._leave(self._loops[-1].head, self._loops[-1].depth)

    def _if(self, node: ast.If) -> None:
        self._evaluate(node.test)
        start, end = self._at, self._block()
        for side in (node.body, node.orelse):
            self._at = self._block(start)
            self._run(side)
            self._edge(self._at, end)
        self._at = end

    def _while(self, node: ast.While) -> None:
        head = self._at = self._block(self._at)
        self._evaluate(node.test)
        self._turns(node, head, None)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._evaluate(node.iter)
        head = self._at = self._block(self._at)
        self._turns(node, head, node.target)

    _asyncfor = _for

    def _turns(self, node: ast.For | ast.AsyncFor | ast.While, head: int, target: ast.expr | None) -> None:
        """The body of a loop, whose test has been evaluated, and its `else`."""
        if self._raises is not None:  # what is iterated may raise
            self._edge(self._at, self._raises)
        start, end = self._at, self._block()
        self._loops.append(_Loop(head, end, len(self._finals)))
        self._at = self._block(start)
        if target is not None:
            self._evaluate(target)
        self._run(node.body)
        self._edge(self._at, head)
        self._loops.pop()
        self._at = self._block(start)
        self._run(node.orelse)
        self._edge(self._at, end)
        self._at = end

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        outer, caught = self._raises, self._block()
        for item in node.items:
            self._evaluate(item.context_expr)
            self._raises = caught
            if item.optional_vars is not None:
                self._evaluate(item.optional_vars)
        self._run(node.body)
        self._raises = outer
        self._at = self._block(self._at, caught)  # which may let the exception go
        if outer is not None:
            self._edge(caught, outer)

    _asyncwith = _with

    def _try(self, node: ast.Try) -> None:
        outer = self._raises
        final = _Final(self._block()) if node.finalbody else None
        if final is not None:
            self._finals.append(final)
        unhandled = final.start if final is not None else outer
        end, caught = self._block(), self._block()
        self._raises = caught if node.handlers else unhandled
        self._run(node.body)
        self._raises = unhandled
        self._run(node.orelse)
        self._edge(self._at, end)
        self._at = caught
        for handler in node.handlers:
            self._handler(handler, end)
        if node.handlers and unhandled is not None:
            self._edge(self._at, unhandled)
        self._raises, self._at = outer, end
        if final is not None:
            self._finally(node.finalbody, final)

    _trystar = _try

    def _handler(self, handler: ast.ExceptHandler, end: int) -> None:
        """One handler; after it the block in which the next one is tried."""
        if handler.type is not None:
            self._evaluate(handler.type)
        other = self._at
        self._at = self._block(other)
        self._note(handler)
        self._run(handler.body)
        self._edge(self._at, end)
        self._at = self._block(other)

    def _finally(self, body: list[ast.stmt], final: _Final) -> None:
        """The `finally` block, from all its predecessors to all targets of its `try`."""
        self._finals.pop()
        self._edge(self._at, final.start)
        self._at = final.start
        self._run(body)
        end = self._at
        if self._raises is not None:
            self._edge(end, self._raises)
        for target, depth in final.jumps:
            self._at = self._block(end)
            self._leave(target, depth)
        self._at = self._block(end)

    def _match(self, node: ast.Match) -> None:
        self._evaluate(node.subject)
        end = self._block()
        for case in node.cases:
            self._pattern(case.pattern)
            other = [self._at]  # which binds nothing unless it matches
            self._at = self._block(self._at)
            self._bind(case.pattern, always=True)
            if case.guard is not None:
                self._evaluate(case.guard)
                other.append(self._at)
            self._at = self._block(self._at)
            self._run(case.body)
            self._edge(self._at, end)
            self._at = self._block(*other)
        self._edge(self._at, end)
        self._at = end

    def _pattern(self, node: ast.AST) -> None:
        """The values in a pattern, each of which may be skipped."""
        if isinstance(node, ast.expr):
            start = self._at
            self._at = self._block(start)
            self._evaluate(node)
            self._at = self._block(start, self._at)
        else:
            for part in children(node):
                self._pattern(part)

    def _bind(self, node: ast.AST, always: bool) -> None:
        """The names that a pattern binds if it matches; those of one alternative."""
        if isinstance(node, ast.pattern):
            for part in children(node):
                self._bind(part, always and not isinstance(node, ast.MatchOr))
            start = self._at
            self._at = self._block(start)
            self._note(node)
            if not always:
                self._at = self._block(start, self._at)
