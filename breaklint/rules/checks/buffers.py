"""Buffers that are instances of nn.Buffer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import SetAttribute
from breaklint.interp.models.torch_names import NN_BUFFER
from breaklint.interp.objects import Instance
from breaklint.interp.values import Tensor
from breaklint.project.walking import dotted_name
from breaklint.rules.base import Check, Hit

# No schema: methods that return the tensor itself if it already has the dtype, the device and the layout.
CONVERTING: Final = frozenset("to type type_as contiguous cpu cuda xpu float".split())


class BufferStore(Check):
    """`self.buffer = self.buffer.to(x.device)` and `self.buffer += 1` if `__init__` created the buffer as
    `nn.Buffer(...)`: the stored value is the buffer, of another class in the graph. A new tensor may be stored."""

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        if not isinstance(attribute.base, Instance) or not isinstance(attribute.value, Tensor):
            return
        old = attribute.base.get(attribute.name)
        if isinstance(old, Tensor) and old.role == NN_BUFFER and _gives_itself(attribute):
            yield Hit(attribute.node)


def _gives_itself(attribute: SetAttribute) -> bool:
    """Whether the stored value is the previous value of the attribute, changed in place or possibly converted."""
    info = attribute.frame.function
    if info is None:
        return False
    if any(update.target is attribute.node for update in info.nodes.of(ast.AugAssign)):
        return True
    value = next((item.value for item in info.nodes.of(ast.Assign) if attribute.node in item.targets), None)
    converted = False
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and _keeps(value.func.attr):
        value, converted = value.func.value, True
    return converted and dotted_name(value) == dotted_name(attribute.node)


def _keeps(method: str) -> bool:
    return method in CONVERTING or (method.endswith("_") and not method.startswith("_"))
