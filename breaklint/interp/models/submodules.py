"""The objects that a walk over the parts of a module visits (`self.parameters()`, `self.modules()`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Union, Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalInstance, Tensor
from breaklint.project.module import ClassInfo
from breaklint.torchops.names import parameterless

# No schema: methods of nn.Module that visit all submodules.
WALKS: Final = frozenset("modules named_modules children named_children zero_grad train eval".split())
OVER_PARAMETERS: Final = frozenset({"parameters", "named_parameters"})
# Instances of these have no attributes, and are therefore not in the facts.
EMPTY: Final = frozenset("Identity LogSigmoid Sigmoid Softmax2d Softsign Tanh Tanhshrink".split())


# Bases with empty constructors: Dynamo traces the constructors of subclasses, unlike those of modules.
PLAIN: Final = frozenset({"builtins.object", "object", "abc.ABC", "typing.Generic", "typing.Protocol", "torch.Tensor"})


def accessed_objects(frame: Frame, owner: Instance, method: str) -> Iterator[Value]:
    """The torch modules below `owner` that Dynamo visits in a call of the method.

    Parameters are yielded one by one: `next(self.parameters())` visits no module after the first with parameters. The
    walk runs only if a rule looks for modules whose class the checked file, or that of the owner, names.
    """
    if method not in WALKS | OVER_PARAMETERS or not _may_meet(frame, owner):
        return
    for part in _parts(frame, owner):
        if isinstance(part, (ExternalInstance, Union)):
            yield part
        if method in OVER_PARAMETERS and _has_parameters(part):
            return


def _may_meet(frame: Frame, owner: Instance) -> bool:
    """Whether the checked file or that of the owner names a class of modules that a rule looks for."""
    files = {frame.interp.project.checked, owner.cls.module}
    return any(file is not None and file.holds(name) for file in files for name in frame.interp.event_filter.modules)


def _has_parameters(part: Value) -> bool:
    if isinstance(part, ExternalInstance):
        package, _, name = part.cls.rpartition(".")
        return not package.startswith("torch.nn") or not (name in EMPTY or f"torch.nn.{name}" in parameterless())
    return not isinstance(part, Instance)


def _parts(frame: Frame, owner: Instance, above: tuple[Instance, ...] = ()) -> Iterator[Value]:
    """Parameters, then modules with theirs, in the order of the stores of `__init__`; unknown values are included."""
    frame.record.read(owner)
    values = _in_order(owner)
    yield from (value for value in values if isinstance(value, Tensor) and value.role == "parameter")
    for value in values:
        yield from _of(frame, value, (*above, owner))


def _in_order(owner: Instance) -> list[Value]:
    """The attributes in the order of the stores of `__init__`, those of bases first."""
    owner.settle()
    init = owner.cls.methods.get("__init__")
    rows: dict[str, int] = {}
    for node in init.nodes.of(ast.Attribute) if init is not None else ():
        if isinstance(node.ctx, ast.Store):
            rows[node.attr] = min(node.lineno, rows.get(node.attr, node.lineno))
    return [owner.attrs[name] for name in sorted(owner.attrs, key=lambda name: rows.get(name, 0))]


def _of(frame: Frame, value: Value, above: tuple[Instance, ...]) -> Iterator[Value]:
    if isinstance(value, Union) or (isinstance(value, ExternalInstance) and value.cls.startswith("torch.nn.")):
        yield value
    elif isinstance(value, Instance) and value not in above:
        yield value
        if _may_hold_modules(frame, value.cls):
            yield from _parts(frame, value, above)
    elif isinstance(value, Sequence) and value.kind.startswith("torch.nn."):
        for item in [value.element] if value.items is None else [*value.items]:  # the walk may add to it
            yield from _of(frame, item, above) if item is not None else ()
    elif isinstance(value, Dict) and value.rest is None:
        for item in [*value.items.values()]:
            yield from _of(frame, item, above)


def _may_hold_modules(frame: Frame, cls: ClassInfo) -> bool:
    """Whether a class may be a module: torch does not look for modules in other objects."""
    return not PLAIN.issuperset(frame.interp.project.external_bases(cls))
