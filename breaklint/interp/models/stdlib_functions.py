"""What functions of the standard library and of a few other packages return."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.models import loggers
from breaklint.interp.models.torch_layers import container
from breaklint.interp.values import (
    SIZE,
    Array,
    Const,
    ExternalInstance,
    Number,
    Size,
    Static,
    Tensor,
)

TRACED_RANDOM: Final = ("randint", "randrange", "uniform")

# Of Python's math; the others give a float. `math` has neither signatures nor annotations that say so.
MATH_INTEGERS: Final = frozenset({"ceil", "floor", "trunc", "gcd", "prod", "comb", "isqrt", "factorial"})


def call(frame: Frame, node: ast.expr, name: str, given: Arguments) -> Value:
    """What a call of something outside torch, NumPy and the builtins gives."""
    head, _, rest = name.partition(".")
    first = given.get(0) or UNKNOWN
    if head == "math":
        if any(isinstance(value, (Number, Tensor, Array)) for value in given.args):
            return Number()
        return (
            SIZE
            if rest in MATH_INTEGERS and isinstance(first, (Size, Sequence))
            else Static("int" if rest in MATH_INTEGERS else "float")
        )
    if name in ("copy.copy", "copy.deepcopy"):
        return first
    if name == "collections.OrderedDict":
        return _ordered(first, given)
    if name == "collections.defaultdict":
        return Dict(rest=UNKNOWN)
    if name == "collections.deque":
        return Sequence(element_of(first))
    if head == "random":
        return Number("float" if rest == "uniform" else "int", symbolic=True) if rest in TRACED_RANDOM else Static("")
    if head == "time":
        return Static("float")
    if head == "einops" and rest.removeprefix("einops.") in ("rearrange", "repeat", "reduce", "einsum"):
        return Tensor(first.dtype if isinstance(first, Tensor) else "")
    if name in ("functools.wraps", "contextlib.nullcontext", "contextlib.ExitStack", "warnings.catch_warnings"):
        return ExternalInstance(name)
    if name in ("functools.reduce",) and len(given.args) > 1:
        inner = element_of(given.args[1]) or UNKNOWN
        return frame.interp.invoke(frame, node, first, Arguments([inner, inner], {}))
    if name in ("itertools.chain", "itertools.product", "itertools.repeat", "itertools.combinations"):
        return Sequence(
            join_all([element_of(value) or UNKNOWN for value in given.args]) if name == "itertools.chain" else UNKNOWN,
            kind="generator",
        )
    if head == "tqdm" and rest.rpartition(".")[2] == "tqdm" and not given.args:
        return ExternalInstance("tqdm.tqdm")  # a bar that counts by hand
    if head == "torchvision" and rest.startswith("transforms."):
        return _transform(rest.removeprefix("transforms.").removeprefix("transforms."), given)
    if head == "sklearn" and rest.endswith(".check_random_state"):
        return ExternalInstance("numpy.random.RandomState")
    if head == "operator" and rest in ("itemgetter", "attrgetter", "methodcaller"):
        return UNKNOWN if frame.context.traced else ExternalInstance(name)  # Dynamo traces what it has seen made
    if head in ("logging", "os", "sys"):
        return ExternalInstance(name) if name in loggers.MAKERS else Static("")
    return UNKNOWN if not rest[:1].isupper() else ExternalInstance(name)


def _ordered(first: Value, given: Arguments) -> Value:
    if isinstance(first, Sequence) and first.items is not None:
        pairs = [item for item in first.items if isinstance(item, Tuple) and len(item.items) == 2]
        return Dict(
            {
                pair.items[0].value if isinstance(pair.items[0], Const) else i: pair.items[1]
                for i, pair in enumerate(pairs)
            }
        )
    inner = element_of(first) if given.args else None
    if isinstance(inner, Tuple) and len(inner.items) == 2:
        return Dict(rest=inner.items[1])
    return Dict() if not given.args else Dict(rest=UNKNOWN)


def _transform(short: str, given: Arguments) -> Value:
    """A transform of torchvision; a Compose is called as an nn.Sequential is."""
    parts = given.get(0, "transforms")
    if short == "Compose" and isinstance(parts, (Sequence, Tuple)) and parts.items is not None:
        return container("torch.nn.Sequential", Arguments(list(parts.items), {}))
    return (
        ExternalInstance(f"torchvision.transforms.{short}") if short.isidentifier() and short[0].isupper() else UNKNOWN
    )
