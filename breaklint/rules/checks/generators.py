"""Random generators, which Dynamo does not take into a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call
from breaklint.interp.values import ExternalInstance
from breaklint.rules.base import Check, Hit

GENERATOR: Final = ExternalInstance("torch.Generator")
STATE: Final = frozenset({"manual_seed", "seed", "initial_seed", "get_state", "set_state"})
DRAWING: Final = frozenset(
    (
        "rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial poisson uniform_ "
        "normal_ bernoulli_ random_ exponential_ geometric_ cauchy_ log_normal_"
    ).split()
)


class GeneratorUse(Check):
    """`torch.randn(4, generator=self.generator)`, and methods that read or set a generator's state.

    An optional generator counts as None, which is what most callers leave it.
    """

    def applies_to(self, target: str, method: str) -> bool:
        name = method or target.rpartition(".")[2]
        return name in DRAWING or name in STATE

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.kwargs.get("generator") is GENERATOR or (call.owner is GENERATOR and not _is_new(call.node)):
            yield Hit(call.node)


def _is_new(node: ast.AST) -> bool:
    """Whether the generator is made in the call, `torch.Generator().manual_seed(0)`: another rule reports that."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call)
