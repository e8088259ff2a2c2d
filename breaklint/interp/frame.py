"""One function being traced: its local names, what encloses the current statement, and what it returns."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from breaklint.interp.lattice import join
from breaklint.interp.values import UNKNOWN, Value
from breaklint.project.module import FunctionInfo, Module

if TYPE_CHECKING:
    from breaklint.interp.interpreter import Interpreter

Env = dict[str, Value]
MAX_STEPS: Final = 400_000


class BudgetExceeded(Exception):
    """A region needs more steps than the budget allows; its findings so far stand."""


class Frame:
    """The state of one traced call.

    `env` maps local names, and dotted paths such as `self.h` that a test has narrowed, to values. `closure` is the
    frame in which the function was defined. `blocks` are the statements around the current one: loop, try, with,
    comprehension.
    """

    __slots__ = (
        "blocks", "closure", "depth", "env", "exits", "function", "interp", "module", "owner", "returns", "snapshot",
        "yields",
    )  # fmt: skip

    def __init__(
        self,
        interp: Interpreter,
        module: Module,
        function: FunctionInfo | None,
        env: Env,
        owner: Value | None = None,
        closure: Frame | None = None,
        depth: int = 0,
        returns: list[Value] | None = None,
        yields: list[Value] | None = None,
        blocks: list[str] | None = None,
    ) -> None:
        self.interp, self.module, self.function, self.env = interp, module, function, env
        self.owner, self.closure, self.depth = owner, closure, depth
        self.returns: list[Value] = [] if returns is None else returns
        self.yields: list[Value] = [] if yields is None else yields
        self.exits: list[list[Env]] = []
        self.blocks: list[str] = [] if blocks is None else blocks
        self.snapshot: Frame | None = None  # a copy, while nothing has run since it was made

    @property
    def name(self) -> str:
        """The dotted name of the function, `<module>` at top level."""
        return self.function.name if self.function else "<module>"

    def step(self) -> None:
        """Count work that no expression stands for, such as a layer's call; raises BudgetExceeded."""
        self.interp.steps += 1
        if self.interp.steps > MAX_STEPS:
            raise BudgetExceeded

    def eval(self, node: ast.expr) -> Value:
        """The value of an expression, remembered in the module for the fixes to read; events go to the machine's
        sink."""
        interp = self.interp
        interp.steps += 1
        if interp.steps > MAX_STEPS:
            raise BudgetExceeded
        handler = interp.handlers.get(node.__class__)
        value = UNKNOWN if handler is None else handler(self, node)
        if not interp.quiet:
            values = self.module.values
            old = values.get(node)
            values[node] = value if old is None or old is value else join(old, value)
        return value

    def lookup(self, name: str) -> Value | None:
        """A local or enclosing function's variable."""
        frame: Frame | None = self
        while frame is not None:
            found = frame.env.get(name)
            if found is not None:
                return found
            frame = frame.closure
        return None

    def copy(self) -> Frame:
        """The frame as it is now, for a statement that is put off."""
        return Frame(
            self.interp, self.module, self.function, dict(self.env), self.owner, self.closure, self.depth,
            blocks=[*self.blocks],
        )  # fmt: skip

    def child(self) -> Frame:
        """A scope inside this one (a comprehension): sees these names, binds its own."""
        return Frame(
            self.interp, self.module, self.function, {}, self.owner, self, self.depth, self.returns, self.yields,
            [*self.blocks, "comprehension"],
        )  # fmt: skip


def join_env(a: Env, b: Env) -> Env:
    """What holds after either of two branches. A name that only one of them binds keeps that value; what a test has
    narrowed (a dotted path) holds only when both know it."""
    if a is b:
        return a
    result: Env = {}
    for name, value in a.items():
        other = b.get(name)
        if other is not None:
            result[name] = value if other is value else join(value, other)
        elif "." not in name:
            result[name] = value
    for name, value in b.items():
        if name not in a and "." not in name:
            result[name] = value
    return result


def go_on(frame: Frame, ends: list[Env]) -> bool:
    """Go on with what holds at any of the ends."""
    if not ends:
        return False
    frame.env = ends[0]
    for env in ends[1:]:
        frame.env = join_env(frame.env, env)
    return True
