"""Side effects in the function of a higher-order operator, `checkpoint(self.block, x)`: they cannot be traced."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.containers import Container
from breaklint.interp.events import Call, Event, Index, Rebind, SetAttribute
from breaklint.interp.lattice import Value, options
from breaklint.interp.models.torch_names import CHANGED
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, Size, Static
from breaklint.project.object_effects import GROWING
from breaklint.rules.base import Check, Hit


class OperatorEffect(Check):
    """A store into an object from outside of the function that the operator gets, or into a global."""

    def applies_to(self, target: str, method: str) -> bool:
        return method in GROWING or target == CHANGED

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.target == CHANGED:
            name = call.args[0].value if isinstance(call.args[0], Const) else ""
            yield Hit(call.node, f"`{{source}}` runs a function that changes `{name}`, and breaks the graph")
        elif call.owner is not None and _is_from_outside(call, call.owner):
            yield Hit(call.node)

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        if _is_from_outside(attribute, attribute.base) and not _is_compared(attribute):
            yield Hit(attribute.node)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if index.use in ("store", "augment", "delete") and _is_from_outside(index, index.base):
            yield Hit(index.node)

    def visit_rebind(self, rebind: Rebind) -> Iterator[Hit]:
        if rebind.frame.interp.operator_since is not None:
            yield Hit(rebind.node)


def _is_compared(attribute: SetAttribute) -> bool:
    """Whether Dynamo compares the attribute at the end of the operator, and breaks there: see `CHANGED`."""
    exists = isinstance(attribute.base, Instance) and attribute.base.stored(attribute.name) is not None
    is_number = isinstance(attribute.value, (Const, Static, Size))
    return exists and is_number and attribute.frame.interp.facts.does("compares stores")


def _is_from_outside(event: Event, base: Value) -> bool:
    since = event.frame.interp.operator_since
    return since is not None and all(
        isinstance(option, (Container, Instance)) and option.serial < since for option in options(base)
    )
