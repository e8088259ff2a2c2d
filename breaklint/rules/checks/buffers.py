"""Buffers that are instances of nn.Buffer."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import SetAttribute
from breaklint.interp.models.torch_names import NN_BUFFER
from breaklint.interp.objects import Instance
from breaklint.interp.values import Tensor
from breaklint.rules.base import Check, Hit


class BufferStore(Check):
    """`self.buffer = self.buffer.to(x.device)`, where `__init__` made the buffer as `nn.Buffer(...)`."""

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        if not isinstance(attribute.base, Instance):
            return
        old = attribute.base.get(attribute.name)
        if isinstance(old, Tensor) and old.role == NN_BUFFER and isinstance(attribute.value, Tensor):
            yield Hit(attribute.node)
