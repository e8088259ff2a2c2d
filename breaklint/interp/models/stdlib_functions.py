"""Results of functions of the standard library and of a few other packages."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Final

from breaklint.interp import in_turn
from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.models.torch_layers import container
from breaklint.interp.objects import Instance
from breaklint.interp.values import (
    SIZE,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Size,
    Static,
    Tensor,
)
from breaklint.torchops.names import made_by

# Alternatives of words: a pattern that is matched in linear time.
CHOICE_OF_WORDS: Final = re.compile(r"\(?\w+(\|\w+)*\)?")
# Of `itertools`, without annotations.
ITERATORS: Final = frozenset(
    f"itertools.{name}"
    for name in (
        "chain chain.from_iterable product repeat combinations permutations islice cycle filterfalse takewhile "
        "dropwhile pairwise"
    ).split()
)
MAX_PICKED: Final = 8  # longer tuples add no information
# The functions of Python's `random` that Dynamo traces, with the kinds of their results.
TRACED_RANDOM: Final = {"randint": "int", "randrange": "int", "uniform": "float", "random": "float"}

# Functions of `math` that return an int; the others return a float. `math` has no annotations.
MATH_INTEGERS: Final = frozenset({"ceil", "floor", "trunc", "gcd", "prod", "comb", "isqrt", "factorial"})


# The value of a new key of a defaultdict.
MADE_BY_DEFAULT: Final[dict[str, Callable[[], Value]]] = {"builtins.list": Sequence, "builtins.dict": Dict}


def call(frame: Frame, node: ast.expr, name: str, arguments: Arguments) -> Value:
    """The result of a call outside torch, NumPy and the builtins."""
    if frame.interp.runs_in_turn and (result := in_turn.outside(name, arguments)) is not None:
        return result
    head, _, rest = name.partition(".")
    first = arguments.get(0) or UNKNOWN
    if head == "math":
        if any(isinstance(value, (Number, Tensor, Array)) for value in arguments.args):
            return Number()
        return (
            SIZE
            if rest in MATH_INTEGERS and isinstance(first, (Size, Sequence))
            else Static("int" if rest in MATH_INTEGERS else "float")
        )
    if name in ("packaging.version.parse", "packaging.version.Version") and isinstance(first, (Const, ExternalName)):
        return first  # comparisons.py compares it
    if name in ("copy.copy", "copy.deepcopy"):
        return first.copy() if isinstance(first, (Sequence, Dict)) else first
    if name == "dataclasses.replace" and isinstance(first, Instance):
        return replaced(frame, node, first, arguments)
    if name == "collections.OrderedDict":
        return _ordered_dict(first, arguments)
    if name == "collections.defaultdict":
        makes = MADE_BY_DEFAULT.get(first.name) if isinstance(first, ExternalName) else None
        return Dict(rest=UNKNOWN if makes is None else makes())
    if name == "collections.deque":
        return Sequence(element_of(first), kind="deque")
    if head == "random":
        if rest == "Random":
            return ExternalInstance(name)
        return random_value(rest) if rest != "random" or not frame.interp.facts.skipped(name) else Static("")
    if head == "time":
        return Static("float")
    if head == "einops" and rest.removeprefix("einops.") in ("rearrange", "repeat", "reduce", "einsum"):
        return Tensor(first.dtype if isinstance(first, Tensor) else "")
    if name in ("functools.wraps", "contextlib.nullcontext", "contextlib.ExitStack", "warnings.catch_warnings"):
        return ExternalInstance(name)
    if name in ("functools.reduce",) and len(arguments.args) > 1:
        inner = element_of(arguments.args[1]) or UNKNOWN
        return frame.interp.invoke(frame, node, first, Arguments([inner, inner], {}))
    if name in ITERATORS:
        return Sequence(_iterator_items(rest, arguments), kind="generator")
    if head == "tqdm" and rest.rpartition(".")[2] == "tqdm" and not arguments.args:
        return ExternalInstance("tqdm.tqdm")  # a bar that counts by hand
    if head == "torchvision" and rest.startswith("transforms."):
        return _transform(rest.removeprefix("transforms.").removeprefix("transforms."), arguments)
    if head == "sklearn" and rest.endswith(".check_random_state"):
        return ExternalInstance("numpy.random.RandomState")
    if name == "re.findall":
        return _matches(first, arguments.get(1) or UNKNOWN)
    if head == "operator" and rest in ("itemgetter", "attrgetter", "methodcaller"):
        return UNKNOWN if frame.context.traced else ExternalInstance(name)  # traced code may call its own
    if cls := made_by(name):
        return ExternalInstance(cls)
    if head in ("logging", "os", "sys"):
        return Static("")
    return UNKNOWN if not rest[:1].isupper() else ExternalInstance(name)


def random_value(name: str) -> Value:
    """The result of a method of `random.Random`: Dynamo holds a number as a tensor; other results end the graph."""
    return Number(TRACED_RANDOM[name], symbolic=True) if name in TRACED_RANDOM else Static("")


def _matches(pattern: Value, text: Value) -> Value:
    """All matches of a pattern of alternative words in a known string."""
    is_text = isinstance(pattern, Const) and isinstance(text, Const) and isinstance(text.value, str)
    if not (is_text and isinstance(pattern, Const) and CHOICE_OF_WORDS.fullmatch(str(pattern.value))):
        return UNKNOWN
    return Tuple(tuple(map(Const, re.findall(str(pattern.value), str(getattr(text, "value", ""))))))


def _iterator_items(name: str, arguments: Arguments) -> Value:
    """The items of an iterator of `itertools`."""
    items = [element_of(value) or UNKNOWN for value in arguments.args]
    if name == "chain":
        return join_all(items) or UNKNOWN
    if name == "repeat":
        return arguments.get(0) or UNKNOWN
    if name == "chain.from_iterable":
        return element_of(items[0]) or UNKNOWN if items else UNKNOWN
    if name in ("islice", "cycle"):
        return items[0] if items else UNKNOWN
    if name in ("filterfalse", "takewhile", "dropwhile"):
        return items[1] if len(items) > 1 else UNKNOWN
    if name == "pairwise":
        return Tuple((items[0], items[0])) if items else UNKNOWN
    if name == "product" and "repeat" not in arguments.kwargs and not arguments.starred:
        return Tuple(tuple(items))
    size = arguments.get(1, "r") if name in ("combinations", "permutations") else None
    if isinstance(size, Const) and isinstance(size.value, int) and items and 0 <= size.value <= MAX_PICKED:
        return Tuple((items[0],) * size.value)
    return UNKNOWN


def _ordered_dict(first: Value, arguments: Arguments) -> Value:
    if isinstance(first, Sequence) and first.items is not None:
        pairs = [item for item in first.items if isinstance(item, Tuple) and len(item.items) == 2]
        return Dict(
            {
                pair.items[0].value if isinstance(pair.items[0], Const) else i: pair.items[1]
                for i, pair in enumerate(pairs)
            }
        )
    inner = element_of(first) if arguments.args else None
    if isinstance(inner, Tuple) and len(inner.items) == 2:
        return Dict(rest=inner.items[1])
    return Dict() if not arguments.args else Dict(rest=UNKNOWN)


def _transform(short: str, arguments: Arguments) -> Value:
    """The value of a transform of torchvision; a Compose is called like an nn.Sequential."""
    parts = arguments.get(0, "transforms")
    if short == "Compose" and isinstance(parts, (Sequence, Tuple)) and parts.items is not None:
        return container("torch.nn.Sequential", Arguments(list(parts.items), {}))
    return (
        ExternalInstance(f"torchvision.transforms.{short}") if short.isidentifier() and short[0].isupper() else UNKNOWN
    )


def replaced(frame: Frame, node: ast.expr, owner: Instance, arguments: Arguments) -> Value:
    """A new object of the same class, with some fields changed: `dataclasses.replace(owner)`, `owner._replace()`."""
    frame.record.read(owner)
    fields = {key: value for key in owner.attrs if (value := owner.get(key)) is not None}
    return frame.interp.invoke(frame, node, ClassValue(owner.cls), Arguments([], {**fields, **arguments.kwargs}))
