"""The context of the running code."""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

UNCERTAIN_BLOCKS: Final = frozenset({"raise", "except"})  # run only when something raises


class Condition(NamedTuple):
    """A test of which it is open how it comes out, and that it came out as `outcome`.

    For a case of a `match` statement `test` is its subject. `after_exit`: the other outcome leaves the block.
    """

    test: ast.expr
    outcome: bool
    case: ast.match_case | None = None
    after_exit: bool = False


class Context:
    """What surrounds the code that is being run; never changed. No named tuple: these are made and read too often.

    `traced`: Dynamo traces it, so that events are emitted; constructors and module level are run without.
    `conditional`: a branch or loop that may not run is around it, so that stores are weak. `fills_cache`: a branch that
    fills a cache is around it, which runs once. `helpers`: how deep it is in helper functions of a constructor.
    `blocks`: the statements around it in its function: loop, try, except, with, raise, assert, comprehension.
    `conditions`: what decides, in its function, whether it runs at all.
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

    def given(
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
        """The context of code that runs without events; a constructor's own helpers stay counted."""
        return Context(False, self.conditional, self.fills_cache, 0, self.blocks) if self.traced else self

    def of_call(self, helper: bool) -> Context:
        """The context of the body of a function called here; `CallSite` describes the surroundings of the call."""
        return Context(self.traced, self.conditional, self.fills_cache, self.helpers + helper)
