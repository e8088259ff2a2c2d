"""How the methods of a torch.autograd.Function are declared."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.callables import ClassValue
from breaklint.interp.events import Call, Event
from breaklint.interp.transfer.attributes import is_autograd_function, is_classmethod
from breaklint.interp.values import Tensor
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.project import Project
from breaklint.rules.base import Check, Hit


class AutogradClassmethod(Check):
    """`F.apply(t)` of a Function whose forward or backward is a classmethod, with a tensor that may need a gradient."""

    events = (Call,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        if event.method != "apply" or not isinstance(event.owner, ClassValue):
            return
        needs = any(isinstance(value, Tensor) and value.role in ("", "parameter") for value in event.args)
        function = needs and is_autograd_function(event.frame, event.owner.info)
        if function and classmethods(event.frame.interp.project, event.owner.info):
            yield Hit(event.node)


def classmethods(project: Project, cls: ClassInfo) -> list[FunctionInfo]:
    """The methods of a Function that are classmethods: forward and backward, where they are."""
    methods = [project.method(cls, name) for name in ("forward", "backward")]
    return [method for method in methods if method is not None and is_classmethod(method)]
