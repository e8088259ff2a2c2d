"""The order in which the code of one function runs: blocks, edges, dominance.

A block is a run of code that is entered at its first node and left behind its last. The place of an expression is the
point after its evaluation, that of a statement its beginning. In a `try` or `with` each node has a block of its own,
since the next one may raise. Code of inner functions and lambdas does not have a place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from breaklint.analysis.blocks import ENTRY
from breaklint.analysis.statement_blocks import Root, StatementBlocks


class Flow:
    """The control flow of a function, of a lambda, or of the top level of a file."""

    def __init__(self, root: Root, reads_all: Callable[[ast.Call], bool] = lambda _: False) -> None:
        """`reads_all`: whether a call reads its only argument, a generator, to its end."""
        builder = StatementBlocks(reads_all)
        builder.run(root)
        self.places = builder.places
        self.foreign = builder.foreign  # names that belong to a comprehension or class inside
        self.successors = builder.successors
        self.predecessors: list[list[int]] = [[] for _ in self.successors]
        for block, targets in enumerate(self.successors):
            for target in targets:
                self.predecessors[target].append(block)
        self.order = self._reverse_postorder()
        self._reached: list[int] | None = None

    def _reverse_postorder(self) -> list[int]:
        result: list[int] = []
        seen = {ENTRY}
        stack: list[tuple[int, Iterator[int]]] = [(ENTRY, iter(self.successors[ENTRY]))]
        while stack:
            block, targets = stack[-1]
            target = next((item for item in targets if item not in seen), None)
            if target is None:
                result.append(block)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(self.successors[target])))
        return result[::-1]

    def is_later(self, node: ast.AST) -> bool:
        """Whether a node runs only when it is called, or never."""
        return node not in self.places

    def may_precede(self, first: ast.AST, second: ast.AST) -> bool:
        """Whether a node may be evaluated before another one; true for code that runs later."""
        a, b = self.places.get(first), self.places.get(second)
        if a is None or b is None:
            return True
        return (a.block == b.block and a.at < b.at) or bool(self._reaching()[a.block] >> b.block & 1)

    def _dominating(self) -> list[int]:
        """By block the set of its dominators, as bits; all blocks if it is unreachable."""
        every = (1 << len(self.successors)) - 1
        result = [every] * len(self.successors)
        result[ENTRY] = 1
        changed = True
        while changed:
            changed = False
            for block in self.order[1:]:
                common = every
                for before in self.predecessors[block]:
                    common &= result[before]
                common |= 1 << block
                changed |= common != result[block]
                result[block] = common
        return result

    def meetings(self, blocks: Iterable[int]) -> set[int]:
        """The blocks at whose head values meet that some blocks give a name, and the code before the function."""
        result: set[int] = set()
        waiting = list(blocks)
        while waiting:
            new = self.frontiers.get(waiting.pop(), set()) - result
            result |= new
            waiting += new
        return result

    @cached_property
    def above(self) -> dict[int, int]:
        """By block the nearest of those that dominate it."""
        result = self._dominating()
        by_set = {result[block]: block for block in self.order}
        return {block: by_set[result[block] & ~(1 << block)] for block in self.order[1:]}

    @cached_property
    def frontiers(self) -> dict[int, set[int]]:
        """By block those where its dominance ends."""
        result: dict[int, set[int]] = {}
        reached = set(self.order)
        for block in self.order:
            before = [predecessor for predecessor in self.predecessors[block] if predecessor in reached]
            for item in before if len(before) > 1 else ():
                while item != self.above.get(block):
                    result.setdefault(item, set()).add(block)
                    item = self.above[item]
        return result

    def _reaching(self) -> list[int]:
        """By block the set of blocks that one or more edges reach, as bits."""
        if self._reached is None:
            result = [0] * len(self.successors)
            changed = True
            while changed:
                changed = False
                for block in reversed(range(len(result))):
                    new = 0
                    for target in self.successors[block]:
                        new |= result[target] | 1 << target
                    changed |= new != result[block]
                    result[block] = new
            self._reached = result
        return self._reached
