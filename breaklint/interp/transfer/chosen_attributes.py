"""What an attribute holds where the test is repeated by which the constructor chose it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.containers import Container
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import Union, Value, join_all, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import NONE, ExternalInstance
from breaklint.project.attribute_choices import Choice, Choices, choices, test_of
from breaklint.project.module import ClassInfo
from breaklint.project.walking import dotted_name


class _Choices(dict[ClassInfo, Choices]):
    """What the constructors of classes store by tests that their methods may repeat."""


def may_choose(frame: Frame) -> bool:
    """Whether tests of this frame may repeat those of a constructor: it traces a method of an object that is built."""
    return frame.owner.__class__ is Instance and frame.owner.ready and frame.context.traced


def chosen(frame: Frame, test: ast.expr, outcome: bool) -> Iterator[tuple[str, Value]]:
    """The paths of attributes of `self` that are known better once a test has come out so, with their values."""
    name, owner = _attribute(test), frame.owner
    if name is None or not isinstance(owner, Instance):
        return
    known = _choices_of(frame.interp, owner.cls)  # looks at all methods of the class, which most tests do not need
    if not known:
        return
    rest = test_of(test) if isinstance(test, ast.Compare) else ""
    found = known.get((name + rest, outcome))
    if found is None or frame.lookup("self") is not owner:
        return
    if any(isinstance(option, Container) for option in options(owner.get(name) or NONE)):
        return  # which may have been filled since
    for attribute, choice in found.items():
        held = owner.get(attribute)
        kept = _kept(frame, held, choice) if isinstance(held, Union) else None
        if kept is not None:
            yield f"self.{attribute}", kept


def _choices_of(interp: AbstractInterpreter, cls: ClassInfo) -> Choices:
    known = interp.memo(_Choices)
    if cls not in known:
        known[cls] = choices(interp.project, cls)
    return known[cls]


def _attribute(test: ast.expr) -> str | None:
    """The attribute of `self` that a test is about, alone or compared with a constant."""
    if isinstance(test, ast.Compare):
        constant = len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant)
        return _attribute(test.left) if constant else None
    base = test.value if isinstance(test, ast.Attribute) else None
    return test.attr if isinstance(base, ast.Name) and base.id == "self" else None  # type: ignore[attr-defined]


def _kept(frame: Frame, held: Value, choice: Choice) -> Value | None:
    """What of a value the expression may have given that was stored; None when that cannot be told."""
    if isinstance(choice.value, ast.Constant) and choice.value.value is None:
        return NONE
    path = dotted_name(choice.value.func) if isinstance(choice.value, ast.Call) else None
    made = None if path is None else frame.interp.project.resolve(choice.module, path)
    if isinstance(made, ClassInfo):
        return join_all([option for option in options(held) if isinstance(option, Instance) and option.cls is made])
    return join_all([option for option in options(held) if isinstance(option, ExternalInstance) and option.cls == made])
