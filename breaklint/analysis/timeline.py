"""The order in which the code of one function is evaluated.

Every node has a time: that of an expression is after its evaluation, that of a statement its beginning. Code of inner
functions and lambdas has no time. A loop, a `try`, a `with` and a `match` give a new version to each name that they
bind.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import partial

from breaklint.analysis.versions import Versions
from breaklint.project.own_names import COMPREHENSIONS, own_names
from breaklint.project.walking import children

Root = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


class Timeline(Versions):
    """The times and versions of one function."""

    def __init__(self, root: Root, reads_all: Callable[[ast.Call], bool]) -> None:
        """`reads_all`: whether a call reads its only argument, a generator, to its end."""
        super().__init__()
        self._reads_all = reads_all
        self._exhausted: set[ast.AST] = set()  # generators that are read to their end at their place
        if isinstance(root, ast.Lambda):
            self._evaluate(root.body)
        else:
            self._run(root.body)

    def _run(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._note(statement, binds=False)
            visit = getattr(self, f"_{statement.__class__.__name__.lower()}", self._parts)
            visit(statement)

    def _parts(self, node: ast.AST) -> None:
        """The parts of any other statement."""
        for part in children(node):
            self._evaluate(part)

    def _assign(self, node: ast.Assign) -> None:
        for part in (node.value, *node.targets):
            self._evaluate(part)

    def _annassign(self, node: ast.AnnAssign) -> None:
        for part in (node.value, node.target) if node.value is not None else ():
            self._evaluate(part)

    def _augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Attribute | ast.Subscript):
            self._parts(node.target)  # evaluated first
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

    def _return(self, node: ast.Return | ast.Raise | ast.Break | ast.Continue) -> None:
        self._parts(node)
        self._is_reachable = False

    _raise = _break = _continue = _return

    def _assert(self, node: ast.Assert) -> None:
        self._evaluate(node.test)
        start = dict(self._env), self._is_reachable
        if node.msg is not None:
            self._evaluate(node.msg)
        self._restore(*start)

    def _if(self, node: ast.If) -> None:
        self._evaluate(node.test)
        self._branches(partial(self._run, node.body), partial(self._run, node.orelse))

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._evaluate(node.iter)
        self._turns(node, lambda: self._evaluate(node.target), node.body)
        self._afterwards(node.orelse)

    _asyncfor = _for

    def _while(self, node: ast.While) -> None:
        self._turns(node, lambda: self._evaluate(node.test), node.body)
        self._afterwards(node.orelse)

    def _turns(self, node: ast.AST, begin: Callable[[], None], body: Iterable[ast.stmt] = ()) -> None:
        """The turns of a loop or comprehension."""
        names, outer = _names(node), self._loop
        self._loop = outer or self._now
        self._meet(names)
        begin()
        self._run(body)
        self._loop = outer
        self._meet(names)

    def _afterwards(self, orelse: list[ast.stmt]) -> None:
        """The `else` of a loop, which a `break` skips."""
        self._run(orelse)
        self._meet(_names(*orelse))

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self._evaluate(item.context_expr)
            if item.optional_vars is not None:
                self._evaluate(item.optional_vars)
        self._run(node.body)
        self._meet(_names(node))  # the manager may suppress an exception

    _asyncwith = _with

    def _try(self, node: ast.Try) -> None:
        start = dict(self._env), self._is_reachable
        self._run(node.body)
        raised = _names(*node.body)
        self._run(node.orelse)
        for handler in node.handlers:
            self._restore(*start)
            self._meet(raised)
            if handler.type is not None:
                self._evaluate(handler.type)
            self._note(handler)
            self._run(handler.body)
        self._meet(_names(*node.body, *node.orelse, *node.handlers))
        self._run(node.finalbody)

    _trystar = _try

    def _match(self, node: ast.Match) -> None:
        self._evaluate(node.subject)
        bound = _names(*(case.pattern for case in node.cases), *(case.guard for case in node.cases if case.guard))
        for case in node.cases:
            self._meet(bound)  # a pattern may bind names and then not match
            self._pattern(case.pattern)
            self._meet(_names(case.pattern))
            if case.guard is not None:
                self._evaluate(case.guard)
            self._branches(partial(self._run, case.body), lambda: None)
        self._meet(_names(*node.cases))

    def _pattern(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr):
            self._evaluate(node)
        else:
            for part in children(node):
                self._pattern(part)
            self._note(node)

    def _evaluate(self, node: ast.AST) -> None:
        """The parts of an expression in the order in which they are evaluated, then itself."""
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and self._reads_all(node):
            self._exhausted.update(node.args)
        if isinstance(node, ast.BoolOp):
            self._perhaps(node.values, 1)
        elif isinstance(node, ast.Compare):
            self._perhaps([node.left, *node.comparators], 2)
        elif isinstance(node, ast.IfExp):
            self._evaluate(node.test)
            self._branches(partial(self._evaluate, node.body), partial(self._evaluate, node.orelse))
        elif isinstance(node, ast.NamedExpr):
            self._evaluate(node.value)
            self._evaluate(node.target)
        elif isinstance(node, ast.Lambda):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self._evaluate(default)
        elif isinstance(node, COMPREHENSIONS):
            self._comprehension(node)
        elif isinstance(node, ast.Dict):
            for pair in zip(node.keys, node.values, strict=True):
                for part in filter(None, pair):
                    self._evaluate(part)
        else:
            self._parts(node)
        self._note(node)

    def _perhaps(self, parts: list[ast.expr], count: int) -> None:
        """Parts of which the first `count` are surely evaluated."""
        for part in parts[:count]:
            self._evaluate(part)
        if len(parts) > count:
            self._branches(partial(self._perhaps, parts[count:], len(parts)), lambda: None)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """As the equivalent loops; the loops of a generator run whenever it is read."""
        first = node.generators[0]
        self._evaluate(first.iter)
        if not isinstance(node, ast.GeneratorExp) or node in self._exhausted:
            self._inner.append(frozenset(name for name, _ in own_names(node, inside=True)))
            self._turns(node, partial(self._inside, node))
            self._inner.pop()

    def _inside(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        for generator in node.generators:
            if generator is not node.generators[0]:
                self._evaluate(generator.iter)
            for part in (generator.target, *generator.ifs):
                self._evaluate(part)
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._evaluate(part)


def _names(*nodes: ast.AST) -> list[str]:
    """The names that some code binds, each once."""
    return list(dict.fromkeys(name for node in nodes for name, _ in own_names(node)))
