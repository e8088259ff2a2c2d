"""What loops of driver code do to the code that they compile or call: which of it compiles at every iteration, and why.

Functions with loops, and loops of the top level, are followed as eager code. What `torch.compile` has made is called as
compiled code, with one cache for each function, as Dynamo has.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from breaklint.project.binding import function_info
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.project.walking import walk
from breaklint.recompiles.changes import Changes, Site
from breaklint.recompiles.frames import LIMIT_REACHED, SKIPPED, VIOLATED, CompiledFunction
from breaklint.recompiles.machine import Machine
from breaklint.recompiles.objects import UNKNOWN, Bound, Closure, External, Obj, Tensor
from breaklint.recompiles.options import Mark, Options, told
from breaklint.recompiles.python_operations import StandIn
from breaklint.recompiles.repeated import kind_of
from breaklint.recompiles.scopes import Broken, Continued, OutOfBudget, Raised, Returned, Scope, Undecided
from breaklint.recompiles.sources import Guard
from breaklint.recompiles.world import World

MAX_STEPS: Final = 20_000  # of one function, and of each call of compiled code
COMPILE: Final = "torch.compile"
MARKS: Final = ("torch._dynamo.mark_dynamic", "torch._dynamo.decorators.mark_dynamic")
SOME_SIZE: Final = 7  # of a marked dimension of which nothing is known: one that code hardly compares with
_LOOPS: Final = (ast.For, ast.While)
_SIGNALS: Final = (Returned, Broken, Continued, Raised, Undecided, OutOfBudget, RecursionError)


class Endless(NamedTuple):
    """A guard that fails at every iteration of a loop.

    `node` is the change in compiled code of what the guard reads, which `is_change`, else where the guard is made: in
    `module`, which need not be that of the compiled `function`. `kind` says what the guard reads.
    """

    node: ast.AST
    module: Module
    function: FunctionInfo
    kind: str
    loop: Site
    is_change: bool


class Violation(NamedTuple):
    """A node that fixes a size which `mark_dynamic` marks: torch raises ConstraintViolationError."""

    node: ast.AST
    module: Module
    function: FunctionInfo
    mark: Mark
    place: Site


@dataclass
class Driven:
    """What driver code of a file does: guards that fail without end, functions that stay within the limit, and marks
    of sizes that compiled code fixes."""

    endless: list[Endless] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    settled: set[ast.AST] = field(default_factory=set)

    def verdict(self, function: ast.AST, change: ast.AST) -> str | None:
        """The kind of what a node of compiled code changes, "" where the loops settle, None where nothing is known."""
        for each in self.endless:
            if each.is_change and each.node is change:
                return each.kind
        return "" if function in self.settled else None


@dataclass(frozen=True, eq=False)
class Compiled(StandIn):
    """What `torch.compile` returns."""

    target: Any
    dynamic: bool | None = None


def driven(project: Project, module: Module, options: Options) -> Driven:
    """Follow the loops of a file."""
    found = Driven()
    functions = [info for info in (*module.functions.values(), *_functions(module)) if _is_driver(info.node)]
    for info in dict.fromkeys(functions):
        driver = _Driver(project, options)
        with suppress(*_SIGNALS):
            scope = Scope(module, None, info.cls)
            driver.bind_arguments(driver.function(info), [], {}, scope)
            scope.names = {name: Tensor(None) if value is UNKNOWN else value for name, value in scope.names.items()}
            driver.run_block(info.node.body if not isinstance(info.node, ast.Lambda) else [], scope)
        driver.put_into(found)
    top = [each for each in module.tree.body if isinstance(each, (ast.Expr, *_LOOPS)) and _is_driver(each)]
    if top:
        driver = _Driver(project, options)
        with suppress(*_SIGNALS):
            driver.run_block(
                [each for each in module.tree.body if isinstance(each, (ast.Expr, *_LOOPS))], Scope(module)
            )
        driver.put_into(found)
    return found


def _functions(module: Module) -> Iterator[FunctionInfo]:
    yield from (each for each in module.names.values() if isinstance(each, FunctionInfo))
    for cls in module.classes:
        yield from cls.methods.values()


def _is_driver(node: ast.AST) -> bool:
    """Whether code has a loop, or marks a size."""
    return any(isinstance(each, _LOOPS) or getattr(each, "attr", "") == "mark_dynamic" for each in walk(node))


class _Driver(Machine):
    """Runs driver code."""

    def __init__(self, project: Project, options: Options) -> None:
        super().__init__(project, World({}, {}))
        self.options, self.changes, self.most = options, Changes(), MAX_STEPS
        self.turns = self.unknown_turns = options.limit + 4
        self.caches: dict[ast.AST, CompiledFunction] = {}
        self.calls: dict[ast.AST, int] = {}
        self.loops: list[Site] = []
        self.endless: dict[ast.AST, list[Endless]] = {}
        self.violations: list[Violation] = []

    def put_into(self, found: Driven) -> None:
        """Add what this driver has done."""
        for each in self.endless.values():
            found.endless += each
        found.violations += self.violations
        found.settled |= {
            node
            for node, cache in self.caches.items()
            if cache.stopped in ("", SKIPPED) and not cache.is_cut and self.calls[node] > self.options.limit
        }

    @contextmanager
    def _in_loop(self, node: ast.For | ast.While, scope: Scope) -> Iterator[None]:
        self.loops.append(Site(scope.module, node))
        try:
            yield
        finally:
            self.loops.pop()

    def run_turns(self, node: ast.For, items: list[Any] | None, scope: Scope) -> None:
        with self._in_loop(node, scope):
            super().run_turns(node, items, scope)

    def run_While(self, node: ast.While, scope: Scope) -> None:
        with self._in_loop(node, scope):
            for _ in range(self.turns):
                if self.truth(self.eval(node.test, scope)) is False or self.is_broken(node.body, scope):
                    return

    def call(self, callee: Any, args: list[Any], kwargs: dict[str, Any], scope: Scope | None = None) -> Any:
        """What a call gives; compiled code is looked up in its cache first."""
        counts = isinstance(callee, External) and callee.name == "builtins.enumerate" and bool(args)
        if counts and self.iterated(args[0]) is None:
            return [(index, UNKNOWN) for index in range(self.turns)]
        if isinstance(callee, External) and callee.name in MARKS and len(args) > 1:
            self._mark(self.force(args[0]), self.force(args[1]), kwargs)
            return None
        if isinstance(callee, External) and callee.name == COMPILE and args:
            dynamic = kwargs.get("dynamic")
            return Compiled(self.force(args[0]), dynamic if isinstance(dynamic, bool) else None)
        target = callee.target if isinstance(callee, Compiled) else callee
        is_compiled = isinstance(callee, Compiled)
        if isinstance(target, Obj) and not isinstance(target.cls, str):
            info = self.project.method(target.cls, "__call__") or self.project.method(target.cls, "forward")
            if info is None:
                return super().call(target, args, kwargs, scope)
            target = Bound(target, self.function(info))
        closure, given = target, args
        if isinstance(target, Bound) and isinstance(target.function, Closure):
            closure, given = target.function, [target.owner, *args]
        if isinstance(closure, Closure) and (is_compiled or self._is_decorated(closure)):
            dynamic = callee.dynamic if isinstance(callee, Compiled) else None
            return self._call_compiled(closure, given, kwargs, dynamic)
        return super().call(target, args, kwargs, scope)

    def attribute(self, owner: Any, name: str) -> Any:
        """An attribute; a compiled module has those of the module."""
        return super().attribute(owner.target if isinstance(owner, Compiled) else owner, name)

    def _is_decorated(self, closure: Closure) -> bool:
        for decorator in getattr(closure.node, "decorator_list", ()):
            node = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(node, (ast.Name, ast.Attribute)):
                found = self.eval(node, closure.scope or Scope(closure.module))
                if isinstance(found, External) and found.name == COMPILE:
                    return True
        return False

    def _call_compiled(self, closure: Closure, args: list[Any], kwargs: dict[str, Any], dynamic: bool | None) -> Any:
        node = closure.node
        cache = self.caches.get(node)
        if cache is None:
            options = told(replace(self.options, dynamic=dynamic), getattr(node, "decorator_list", ()))
            cache = self.caches[node] = CompiledFunction(self.project, closure, options, self.changes)
            cache.most = MAX_STEPS
        cache.function = closure
        given = self._given(closure, args, kwargs)
        # What nothing is known of is most often a batch.
        tensors = {name: Tensor(None) if value is UNKNOWN else value for name, value in given.items()}
        marks = {
            Mark(name, dim, low, high): site
            for name, value in tensors.items()
            if isinstance(value, Tensor)
            for dim, (low, high, site) in value.marks.items()
        }
        world = World({name: _of_some_size(value) for name, value in tensors.items()}, self.world.globals)
        cache.options = replace(cache.options, marks=tuple(marks))
        was_stopped = bool(cache.stopped)
        outcome = cache.call(world)
        if outcome.ends == VIOLATED and outcome.guard is not None:
            info = closure.info or function_info(closure.module, closure.node, closure.cls)
            mark = next(each for each in marks if any(each.is_of(source) for source in outcome.guard.sources))
            if (fixing := self._place(outcome.guard, info.module)) is not None:
                self.violations.append(Violation(fixing.node, fixing.module, info, mark, marks[mark]))
        self.calls[node] = self.calls.get(node, 0) + 1
        if cache.stopped == LIMIT_REACHED and not was_stopped and self.loops:
            self.endless[node] = [*self._endless(cache, closure, world)]
        return cache.result

    def _mark(self, tensor: Any, dims: Any, kwargs: dict[str, Any]) -> None:
        """Note a mark on the tensor itself, as torch does."""
        low, high = (each if isinstance(each, int) else None for each in (kwargs.get("min"), kwargs.get("max")))
        for dim in dims if isinstance(dims, (list, tuple)) else [dims]:
            if isinstance(tensor, Tensor) and isinstance(dim, int) and self.site is not None:
                tensor.marks[dim] = (low, high, self.site)

    def _given(self, closure: Closure, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The parameters that a call gives; the cache knows the defaults of the others."""
        spec = closure.node.args
        if spec.vararg is None and spec.kwarg is None:
            names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
            return {**dict(zip(names, args, strict=False)), **kwargs}
        bound = Scope(closure.module, closure.scope, closure.cls)
        self.bind_arguments(closure, args, kwargs, bound)
        return bound.names

    def _endless(self, cache: CompiledFunction, closure: Closure, world: World) -> Iterator[Endless]:
        """The guards of the newest compilation whose sources fail a guard of every one."""
        texts = [{source.text for guard in guards for source in guard.sources} for guards in cache.failed]
        common = set.intersection(*texts) if texts else set()
        assert self.changes is not None
        failing = [each for each in (cache.failed[0] if cache.failed else ()) if _texts(each) & common]
        changed = [(guard, self.changes.of(guard, world)) for guard in failing]
        info = closure.info or function_info(closure.module, closure.node, closure.cls)
        seen: set[str] = set()
        for guard, change in [pair for pair in changed if pair[1] is not None] or changed[:1]:
            if guard.node is not None and not _texts(guard) & seen:
                seen |= _texts(guard)
                inside = change is not None and change.node in self.changes.compiled
                place = change if change is not None and inside else self._place(guard, info.module)
                if place is not None:
                    yield Endless(place.node, place.module, info, kind_of(guard, world), self.loops[-1], inside)

    def _place(self, guard: Guard, module: Module) -> Site | None:
        """Where a guard is made; None in a file that the project does not know."""
        file = module if guard.filename in ("", module.path) else self.project.followed(guard.filename)
        return Site(file, guard.node) if file is not None else None


def _of_some_size(value: Any) -> Any:
    """A tensor whose marked sizes are numbers."""
    if not isinstance(value, Tensor) or not value.marks:
        return value
    shape = [*(value.shape or (UNKNOWN,) * (max(value.marks) + 1))]
    for dim in value.marks:
        if dim < len(shape) and shape[dim] is UNKNOWN:
            shape[dim] = SOME_SIZE
    return value.like(tuple(shape))


def _texts(guard: Guard) -> set[str]:
    return {source.text for source in guard.sources}
