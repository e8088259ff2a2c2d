"""Random generators, which Dynamo does not take into a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.context import Condition
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import join
from breaklint.interp.models.numpy_functions import GENERATORS
from breaklint.interp.signatures import signature_of
from breaklint.interp.values import NONE, ExternalInstance
from breaklint.project.syntax import keyword_of
from breaklint.project.walking import dotted_name, walk
from breaklint.rules.base import Check, Hit
from breaklint.torchops.signatures import operators_with

GENERATOR: Final = ExternalInstance("torch.Generator")
OPTIONAL: Final = join(GENERATOR, NONE)
# No schema: methods of torch.Generator.
STATE: Final = frozenset({"manual_seed", "seed", "initial_seed", "get_state", "set_state"})
# NumPy's generators, created outside the graph: every method that draws or reads state breaks it.
OF_NUMPY: Final = frozenset(GENERATORS.values())
# Methods of NumPy's generators, which have no schemas.
DRAWS: Final = frozenset(
    """
    beta binomial bytes chisquare choice dirichlet exponential gamma geometric gumbel integers laplace logistic
    lognormal multinomial multivariate_normal normal permutation permuted poisson rand randint randn random
    random_integers random_sample rayleigh shuffle spawn standard_normal triangular uniform vonmises
    generate_state
    """.split()
)


class GeneratorUse(Check):
    """`torch.randn(4, generator=self.generator)`, and methods that draw or that read or set a generator's state.

    An optional generator counts as None, the value in most calls; a generator that the function creates under a
    condition is used under that condition.
    """

    def applies_to(self, target: str, method: str) -> bool:
        name = method or target.rpartition(".")[2]
        return name in operators_with("generator") or name in STATE or name in DRAWS

    def visit_call(self, call: Call) -> Iterator[Hit]:
        generator = call.kwargs.get("generator")
        is_method = call.owner is GENERATOR or call.owner in OF_NUMPY
        if generator is GENERATOR or (is_method and not _is_new(call.node)):
            yield Hit(call.node)
        elif generator == OPTIONAL and (condition := _made_under(call)) is not None:
            yield Hit(call.node, conditions=(condition,))


def _made_under(call: Call) -> Condition | None:
    """The condition under which the function creates the generator that it passes, else None."""
    value = keyword_of(call.node, "generator")
    if not isinstance(value, ast.Name) or call.frame.function is None:
        return None
    stores = call.frame.module.scope(call.frame.function.node).stores(value.id)
    result = [condition for part in walk(call.frame.function.node) for condition in _makes(call.frame, part, value.id)]
    made_once = len(stores) <= 2 and value.id not in signature_of(call.frame.function).keywords
    return result[0] if len(result) == 1 and made_once else None


def _makes(frame: Frame, node: ast.AST, name: str) -> Iterator[Condition]:
    """The conditions under which a statement binds the name to a new generator."""
    if isinstance(node, ast.If):
        for outcome, body in ((True, node.body), (False, node.orelse)):
            if any(_binds(statement, name) and _is_generator(frame, statement) for statement in body):
                yield Condition(node.test, outcome)
    elif _binds(node, name) and isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp):
        for outcome, side in ((True, node.value.body), (False, node.value.orelse)):
            if frame.interp.values.get(side) is GENERATOR:
                yield Condition(node.value.test, outcome)


def _binds(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Assign) and [dotted_name(target) for target in node.targets] == [name]


def _is_generator(frame: Frame, node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and frame.interp.values.get(node.value) is GENERATOR


def _is_new(node: ast.AST) -> bool:
    """Whether the generator is created in the call, `torch.Generator().manual_seed(0)`: another rule reports that."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call)
