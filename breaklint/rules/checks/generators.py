"""Random generators, which Dynamo does not take into a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call
from breaklint.interp.values import ExternalInstance
from breaklint.rules.base import Check, Hit
from breaklint.torchops.signatures import operators_with

GENERATOR: Final = ExternalInstance("torch.Generator")
# Methods of torch.Generator, of which there is no schema.
STATE: Final = frozenset({"manual_seed", "seed", "initial_seed", "get_state", "set_state"})
# NumPy's, made outside the graph: every method that draws or reads its state breaks it.
OF_NUMPY: Final = frozenset({ExternalInstance("numpy.random.RandomState"), ExternalInstance("numpy.random.Generator")})
DRAWS: Final = frozenset(
    """
    beta binomial bytes chisquare choice dirichlet exponential gamma geometric gumbel integers laplace logistic
    lognormal multinomial multivariate_normal normal permutation permuted poisson rand randint randn random
    random_integers random_sample rayleigh shuffle spawn standard_normal triangular uniform vonmises
    """.split()
)


class GeneratorUse(Check):
    """`torch.randn(4, generator=self.generator)`, and methods that draw or that read or set a generator's state.

    An optional generator counts as None, which is what most callers leave it.
    """

    def applies_to(self, target: str, method: str) -> bool:
        name = method or target.rpartition(".")[2]
        return name in operators_with("generator") or name in STATE or name in DRAWS

    def visit_call(self, call: Call) -> Iterator[Hit]:
        used = call.owner is GENERATOR or call.owner in OF_NUMPY
        if call.kwargs.get("generator") is GENERATOR or (used and not _is_new(call.node)):
            yield Hit(call.node)


def _is_new(node: ast.AST) -> bool:
    """Whether the generator is made in the call, `torch.Generator().manual_seed(0)`: another rule reports that."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call)
