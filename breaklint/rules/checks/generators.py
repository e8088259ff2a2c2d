"""Random generators, which Dynamo does not take into a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call, Event
from breaklint.interp.values import ExternalInstance
from breaklint.rules.base import Check, Hit
from breaklint.torchops.signatures import operators_with

GENERATOR: Final = ExternalInstance("torch.Generator")
# Methods of torch.Generator, of which there is no schema.
STATE: Final = frozenset({"manual_seed", "seed", "initial_seed", "get_state", "set_state"})


class GeneratorUse(Check):
    """`torch.randn(4, generator=self.generator)`, and methods that read or set a generator's state.

    An optional generator counts as None, which is what most callers leave it.
    """

    events = (Call,)

    def hears(self, target: str, method: str) -> bool:
        name = method or target.rpartition(".")[2]
        return name in operators_with("generator") or name in STATE

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        if event.kwargs.get("generator") is GENERATOR or (event.owner is GENERATOR and not _is_new(event.node)):
            yield Hit(event.node)


def _is_new(node: ast.AST) -> bool:
    """`torch.Generator().manual_seed(0)`: that one is made there says another rule."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call)
