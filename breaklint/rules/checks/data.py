"""Data loaders, samplers and data sets of torch, which Dynamo does not trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call, Loop
from breaklint.interp.lattice import Value
from breaklint.interp.values import ExternalInstance
from breaklint.rules.base import NO_RESUME, Check, Hit

PACKAGE: Final = "torch.utils.data."
# No schema: builtins that iterate over their argument or read its length.
ITERATING: Final = frozenset(
    f"builtins.{name}" for name in ("iter", "next", "len", "list", "tuple", "enumerate", "zip", "sorted", "sum")
)

LAZY: Final = frozenset({"builtins.enumerate", "builtins.zip"})  # the loop over the result calls the loader


class DataLoaderUse(Check):
    """`DataLoader(...)`, `for batch in loader`, `iter(loader)`, `next(batches)` and `len(loader)`."""

    def applies_to(self, target: str, method: str) -> bool:
        result = target.startswith(PACKAGE) and target.rpartition(".")[2][:1].isupper() and not method
        return result or target in ITERATING

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.target.startswith(PACKAGE) or any(map(_is_of_data, call.args)):
            yield Hit(call.node, end=NO_RESUME if call.target in LAZY else "")

    def visit_loop(self, loop: Loop) -> Iterator[Hit]:
        if loop.iterable is not None and _is_of_data(loop.iterable):
            yield Hit(getattr(loop.node, "iter", loop.node), end=NO_RESUME)


def _is_of_data(value: Value) -> bool:
    return isinstance(value, ExternalInstance) and value.cls.startswith(PACKAGE)
