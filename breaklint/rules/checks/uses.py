"""Calls and uses of objects that Dynamo refuses, by the facts of the target torch version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.callables import Function
from breaklint.interp.containers import Sequence
from breaklint.interp.events import Call, Enter, GetAttribute, Index, SetAttribute
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.models.torch_names import DISABLED, DISABLING
from breaklint.interp.objects import Instance
from breaklint.interp.values import Array, ExternalInstance, ExternalName, Tensor, without_none
from breaklint.rules.base import Check, Hit
from breaklint.rules.matching import is_set
from breaklint.torchops.tables import read_table

LOGGER: Final = "logging.Logger."
DEQUE: Final = "collections.deque"
# The classes of values that have no name of their own.
CLASSES: Final[dict[type[Value], str]] = {
    Tensor: "torch.Tensor", Array: "numpy.ndarray", Function: "functools.cache", Sequence: DEQUE,
}  # fmt: skip
# The target of the card for uses of objects, by how their name begins; another one's is "object".
TARGETS: Final = {
    "torch.distributed.Work.": "async-collective",
    "torch.distributed.": "collective",
    "contextvars.": "context-variable",
    "lightning.": "lightning",
    "pytorch_lightning.": "lightning",
}


def _target(use: str, row: str) -> str:
    """The target of the card that describes a use of the measured table."""
    result = next((target for prefix, target in TARGETS.items() if use.startswith(prefix)), "object")
    if row == "error":
        return "object-collective" if result == "collective" else "raising"
    return "async-collective" if use.endswith("(async_op)") else result


def _class_of(value: Value | None) -> str:
    """The class by which the facts describe an object, or the name of an object outside the project."""
    value = UNKNOWN if value is None else without_none(value)
    if isinstance(value, ExternalInstance):
        return value.cls
    if isinstance(value, ExternalName):
        return value.name
    if isinstance(value, Sequence):
        return DEQUE if value.kind == "deque" else ""
    return CLASSES.get(type(value), "")


class SkippedCall(Check):
    """A call of a function in the table of skipped functions, and a use of an object in that of uses; NumPy's index
    objects (`np.ogrid[:4]`) are written in C too."""

    grids = frozenset({"numpy.ogrid", "numpy.mgrid", "numpy.r_", "numpy.c_"})

    def applies_to(self, target: str, method: str) -> bool:
        uses = read_table()["uses"]
        if not target:  # a method of a value without a name, or a call of an object
            return not method or any(f"{cls}.{method}()" in uses for cls in CLASSES.values())
        flagged = target.startswith(("torch.distributed.", LOGGER))
        return target.removeprefix("builtins.") in read_table()["skipped"] or f"{target}()" in uses or flagged

    def visit_call(self, call: Call) -> Iterator[Hit]:
        facts, target = call.frame.interp.facts, call.target or f"{_class_of(call.owner)}.{call.method}"
        if call.instance == DISABLED:
            yield Hit(call.node, target="disabled")
        elif facts.skipped(target.removeprefix("builtins.")):
            yield Hit(call.node, target="disabled" if target in DISABLING else "")
        elif row := facts.use(f"{target}()"):
            yield Hit(call.node, target=_target(target, row))
        elif target.startswith(LOGGER):  # a method of a subclass of the project
            yield Hit(call.node, target="object")
        else:
            for name, value in call.kwargs.items():
                if facts.use(use := f"{target}({name})") and (conditions := is_set(call, name, value)) is not None:
                    yield Hit(call.node, conditions=conditions, target=_target(use, ""))

    def visit_get_attribute(self, attribute: GetAttribute) -> Iterator[Hit]:
        yield from self._of_attribute(attribute, "")

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        yield from self._of_attribute(attribute, "=")

    def visit_enter(self, enter: Enter) -> Iterator[Hit]:
        interp, value = enter.frame.interp, enter.value
        names = interp.project.external_bases(value.cls) if isinstance(value, Instance) else {enter.target}
        if any(interp.facts.use(f"with {name}") for name in names):
            yield Hit(enter.node, target="object")

    def _of_attribute(self, attribute: GetAttribute | SetAttribute, store: str) -> Iterator[Hit]:
        owner = _class_of(attribute.base)
        use = f"{owner}.{attribute.name}{store}"
        if owner and (row := attribute.frame.interp.facts.use(use)):
            yield Hit(attribute.node, target=_target(use, row))

    def visit_index(self, index: Index) -> Iterator[Hit]:
        owner = _class_of(index.base)
        if owner in self.grids:
            yield Hit(index.node)
        elif owner and index.frame.interp.facts.use(f"{owner}[]{'' if index.use == 'load' else '='}"):
            yield Hit(index.node, target="object")
