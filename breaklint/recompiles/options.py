"""What `torch.compile` and `mark_dynamic` are told of an entry."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from breaklint.errors import UsageError
from breaklint.recompiles.sources import Source

FIRST_DYNAMIC: Final = 2  # sizes 0 and 1 are always fixed
_MARK: Final = re.compile(r"(\w+)\.(\d+)(?:=(\d+):(\d+))?")


@dataclass(frozen=True)
class Mark:
    """`torch._dynamo.mark_dynamic(argument, dim, min=low, max=high)`, or a form of it.

    `is_weak` stands for `maybe_mark_dynamic`: it allows all guards.
    """

    argument: str
    dim: int
    low: int | None = None
    high: int | None = None
    is_weak: bool = False

    def is_of(self, source: Source) -> bool:
        """Whether a source is the size that is marked."""
        return source.dim == self.dim and source.tensor == self.argument


@dataclass(frozen=True)
class Options:
    """What holds of the compilations of an entry.

    `allow_unspec_int` is `allow_unspec_int_on_nn_module`. `dynamic_ints` are the arguments that `dynamic_shapes=` names
    as an `IntVar`: no guard may be made on them, and what is not named is fixed at every value. `lazy_names`: a name
    outside of the entry that only counts is not guarded on (the fact "guards reads"). `skips_recurrent`: an entry that
    itself calls a recurrent module of torch is not compiled (the fact of that name).
    """

    dynamic: bool | None = None
    allow_unspec_int: bool = False
    limit: int = 8
    marks: tuple[Mark, ...] = ()
    dynamic_ints: frozenset[str] = frozenset()
    lazy_names: bool = False
    skips_recurrent: bool = True

    def marks_also(self, mark: Mark) -> bool:
        """Whether this size is marked in some way."""
        return any((each.argument, each.dim) == (mark.argument, mark.dim) for each in self.marks)

    def mark_of(self, source: Source) -> Mark | None:
        """How a size is marked as dynamic."""
        return next((mark for mark in self.marks if mark.is_of(source)), None)


def options_of(does: Callable[[str], bool]) -> Options:
    """The options without any of a call; `does` says what a version of torch does (the facts)."""
    return Options(lazy_names=does("guards reads"), skips_recurrent=does("skips recurrent"))


def told(options: Options, nodes: Iterable[ast.expr]) -> Options:
    """The options with what calls of `torch.compile` say as `dynamic=`, where the options themselves say nothing."""
    if options.dynamic is not None:
        return options
    for node in nodes:
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            if keyword.arg == "dynamic" and isinstance(keyword.value, ast.Constant):
                return replace(options, dynamic=None if keyword.value.value is None else bool(keyword.value.value))
    return options


def read_mark(text: str) -> Mark:
    """A mark as an option writes it: `x.0`, `x.0=2:64`.

    Raises:
        UsageError: it is not of that form.
    """
    found = _MARK.fullmatch(text)
    if found is None:
        raise UsageError(f"--mark {text}: write NAME.DIM or NAME.DIM=MIN:MAX, as x.0 or x.0=2:64")
    name, dim, low, high = found.groups()
    return Mark(name, int(dim), int(low) if low else None, int(high) if high else None)
