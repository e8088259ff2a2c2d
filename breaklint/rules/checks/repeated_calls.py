"""Whether a change of state makes the entry that is traced compile at every call: its calls are followed in turn."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from breaklint.interp.callables import Function
from breaklint.interp.context import Context
from breaklint.interp.entries import Region
from breaklint.interp.events import Event, FixedMark, RepeatedCompile
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.heap import HeapObject
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.project.module import Module
from breaklint.recompiles.changes import Site
from breaklint.recompiles.driving import Driven, driven
from breaklint.recompiles.options import options_of
from breaklint.recompiles.repeated import CONTENTS as CONTENTS
from breaklint.recompiles.repeated import NUMBER as NUMBER
from breaklint.recompiles.repeated import Repeats, repeats


class _Followed(dict[tuple[Region, bool], Repeats]):
    """What calls of the regions of a file do, with equal sizes and with others: followed when a rule needs it."""


def verdict(event: Event, varies_sizes: bool = False) -> str | None:
    """The kind of what the event's node stores where that makes the region compile without end, "" where it does not.

    None where it cannot be told: the calls were not followed so far, or to the end, or the node is in another file,
    whose objects a machine of values would have to make: that costs more than all else that is done for a region.
    """
    region = event.frame.interp.region
    if not isinstance(region, Region):
        return None
    module = region.function.module
    found = loops_of(event.frame.interp, module).verdict(region.function.node, event.node)
    if found is not None or event.frame.module is not module:
        return found
    known = module.derive(_Followed, _Followed)
    if (region, varies_sizes) not in known:
        known[region, varies_sizes] = _followed(event.frame.interp, region, varies_sizes)
    return known[region, varies_sizes].verdict(event.node)


def loops_of(interp: AbstractInterpreter, module: Module) -> Driven:
    """What the loops of a file do to compiled code; nothing where the file compiles nothing."""

    def follow() -> Driven:
        return driven(interp.project, module, options_of(interp.facts.does)) if interp.compiled else Driven()

    return module.derive(Driven, follow)


def repeated_compiles(interp: AbstractInterpreter, module: Module) -> Iterator[RepeatedCompile]:
    """What fails a guard at every iteration of a loop of driver code: a change in compiled code, else what it reads."""
    for each in loops_of(interp, module).endless:
        if isinstance(each.node, ast.expr):
            function = each.function if each.module is each.function.module else None
            frame = Frame(interp, each.module, function, {}, Context())
            yield RepeatedCompile(each.node, frame, each.kind, "" if each.is_change else _place(each.loop))


def fixed_marks(interp: AbstractInterpreter, module: Module) -> Iterator[FixedMark]:
    """The code that fixes a size which driver code of a file marks as dynamic."""
    for each in loops_of(interp, module).violations:
        if isinstance(each.node, ast.expr):
            function = each.function if each.module is each.function.module else None
            frame = Frame(interp, each.module, function, {}, Context())
            yield FixedMark(each.node, frame, f"dimension {each.mark.dim} of {each.mark.argument}", _place(each.place))


def _place(site: Site) -> str:
    return f"{os.path.basename(site.module.path)}:{site.node.lineno}"


def _followed(interp: AbstractInterpreter, region: Region, varies_sizes: bool) -> Repeats:
    owner = region.target.owner if isinstance(region.target, Function) else None
    cls = owner.cls if isinstance(owner, Instance) else region.cls
    made = _made(interp, owner, region.function.module) if isinstance(owner, Instance) else None
    options = options_of(interp.facts.does)
    passed = interp.driver_calls.get(region.function, [])
    objects = {
        name: (value.cls, _made(interp, value, region.function.module))
        for _, env in passed
        for name, value in env.items()
        if isinstance(value, Instance) and value is not owner
    }
    return repeats(interp.project, region.function, cls, made, options, objects, varies_sizes)


def _made(interp: AbstractInterpreter, owner: Instance, module: Module) -> Site | None:
    """The call that makes an instance."""
    for (key, _), instance in interp.instances.items():
        if instance is owner and isinstance(key, ast.Call):
            return Site(module, key)
    return None


def is_old(value: Value | None, event: Event) -> bool:
    """Whether an object was there before the call of the function that traced code runs: its `**kwargs` was not."""
    if not isinstance(value, HeapObject) or value.serial >= event.frame.serial:
        return False
    function = event.frame.function
    spec = None if function is None else function.node.args
    rest = () if spec is None else (spec.vararg, spec.kwarg)
    return all(each is None or event.frame.env.get(each.arg) is not value for each in rest)
