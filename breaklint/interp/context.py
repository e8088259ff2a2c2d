"""The context of the running code."""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

UNCERTAIN_BLOCKS: Final = frozenset({"raise", "except"})  # run only when something raises


class Condition(NamedTuple):
    """A test whose result cannot be inferred, and the assumed `outcome`.

    For a case of a `match` statement `test` is its subject. `after_exit`: the other outcome leaves the block.
    `public_function`: the condition is that users of a package compile this function.
    """

    test: ast.expr
    outcome: bool
    case: ast.match_case | None = None
    after_exit: bool = False
    public_function: str = ""


class Context:
    """The context of the interpreted code; immutable. Not a named tuple, for speed.

    `traced`: Dynamo traces the code, so that events are emitted; constructors and module level emit none.
    `conditional`: the code is in a branch or loop that may not run, so that stores are weak. `fills_cache`: it is in a
    branch that fills a cache and runs once. `helpers`: the depth of calls below a constructor.
    `blocks`: the enclosing statements in its function: loop, try, except, with, manager (a `with` of
    Python code), raise, assert, comprehension, generator.
    `conditions`: the tests in its function that decide whether it runs.
    """

    __slots__ = ("blocks", "conditional", "conditions", "fills_cache", "helpers", "traced")

    def __init__(
        self,
        traced: bool = True,
        conditional: bool = False,
        fills_cache: bool = False,
        helpers: int = 0,
        blocks: tuple[str, ...] = (),
        conditions: tuple[Condition, ...] = (),
    ) -> None:
        self.traced, self.conditional, self.fills_cache, self.helpers = traced, conditional, fills_cache, helpers
        self.blocks, self.conditions = blocks, conditions

    def within(self, block: str) -> Context:
        """The context inside one more block."""
        blocks = (*self.blocks, block)
        return Context(self.traced, self.conditional, self.fills_cache, self.helpers, blocks, self.conditions)

    def under_condition(self) -> Context:
        """The context of a branch or loop that may not run."""
        if self.conditional:
            return self
        return Context(self.traced, True, self.fills_cache, self.helpers, self.blocks, self.conditions)

    def under_test(
        self, test: ast.expr, outcome: bool, case: ast.match_case | None = None, after_exit: bool = False
    ) -> Context:
        """The context of code that runs for one outcome of a test."""
        if not self.traced:
            return self
        condition = Condition(test, outcome, case, after_exit)
        return self if condition in self.conditions else self.under((*self.conditions, condition))

    def under(self, conditions: tuple[Condition, ...]) -> Context:
        """The context of code under other conditions."""
        return Context(self.traced, self.conditional, self.fills_cache, self.helpers, self.blocks, conditions)

    def filling_cache(self) -> Context:
        """The context of a branch that fills a cache."""
        return Context(self.traced, self.conditional, True, self.helpers, self.blocks, self.conditions)

    def untraced(self) -> Context:
        """The context of code that runs without events; the helper depth of a constructor does not change."""
        return Context(False, self.conditional, self.fills_cache, 0, self.blocks) if self.traced else self

    def of_call(self, helper: bool) -> Context:
        """The context of the body of a function called here; `CallSite` records the context of the call."""
        return Context(self.traced, self.conditional, self.fills_cache, self.helpers + helper)
