"""`torch.optim`: what a step reads of its groups, and what schedulers change in them.

Counted on torch 2.13 and 2.15 for eleven optimizers: a step compiles once, and once more where a number of a group
(`lr`, `betas`, `weight_decay`) is another one, from then on for all of its values; a tensor as `lr` never does. A
group or a parameter that is added, or has other sizes, compiles again each time. SGD with momentum compiles its second
step, too: the first one makes its buffers.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from breaklint.recompiles.changes import Site
from breaklint.recompiles.objects import UNKNOWN, Bound, Closure, DefaultDict, Obj, Tensor

if TYPE_CHECKING:
    from breaklint.project.project import Project
    from breaklint.recompiles.expressions import Expressions

OPTIM: Final = "torch.optim."
SCHEDULERS: Final = "torch.optim.lr_scheduler."
GROUPS: Final = "param_groups"
MOMENTUM: Final = "momentum"
_STEP: Final = "def step(self, closure=None):\n    return self._step(closure)\n"


class _Steps(dict[str, ast.FunctionDef]):
    """The function that a step is, one for each class of a file: its place is where the first optimizer is made."""


def is_optimizer(owner: Obj, project: Project) -> bool:
    """Whether an object is one of `torch.optim`, or of a class that is derived from one."""
    bases = [owner.cls] if isinstance(owner.cls, str) else project.external_bases(owner.cls)
    return any(each.startswith(OPTIM) and not each.startswith(SCHEDULERS) for each in bases)


def make(machine: Expressions, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """An optimizer or a scheduler as its constructor makes it."""
    if not name.rpartition(".")[2][:1].isupper():
        return UNKNOWN
    found = Obj(name, {"site": machine.site})
    if name.startswith(SCHEDULERS):
        found.attrs["optimizer"] = args[0] if args else kwargs.get("optimizer", UNKNOWN)
        return found
    options = dict(kwargs)
    params = args[0] if args else options.pop("params", UNKNOWN)
    if len(args) > 1:
        options["lr"] = args[1]
    construct(machine, found, params, options)
    return found


def construct(machine: Expressions, owner: Obj, params: Any, defaults: dict[Any, Any]) -> None:
    """Give an optimizer its groups, as `Optimizer.__init__` does."""
    given = machine.iterated(params)
    parts = [machine.force(each) for each in given or ()]
    has_groups = bool(parts) and all(isinstance(each, dict) for each in parts)
    groups = parts if has_groups else [{"params": parts if given else UNKNOWN}]
    owner.store("defaults", defaults)
    owner.store(GROUPS, [_group(each, defaults) for each in groups])
    owner.store("has_buffers", False)
    owner.has_dynamic_ints = True


def _group(given: dict[Any, Any], defaults: dict[Any, Any]) -> dict[Any, Any]:
    group = DefaultDict(UNKNOWN)  # what is left out has a value that never changes
    group.update({**defaults, **given})
    return group


def call_method(machine: Expressions, owner: Obj, name: str, args: list[Any]) -> Any:
    """A method of an optimizer, or of a scheduler."""
    if isinstance(owner.cls, str) and owner.cls.startswith(SCHEDULERS):
        return _schedule(machine, owner) if name == "step" else UNKNOWN
    if name == "add_param_group" and args and isinstance(args[0], dict):
        groups = machine.force(owner.load(GROUPS))
        groups.append(_group(args[0], machine.force(owner.load("defaults"))))
        machine.note_change(groups)
    if name == "_step":
        _step(machine, owner)
    return None if name in ("zero_grad", "add_param_group", "_step") else UNKNOWN


def _step(machine: Expressions, owner: Obj) -> None:
    """Read all options and parameters of all groups: each of them is guarded on."""
    for each in machine.iterated(owner.load(GROUPS)) or ():
        group = machine.force(each)
        for option in [machine.force(value) for value in group.values()]:
            for part in machine.iterated(option) or () if isinstance(option, (list, tuple)) else ():
                machine.force(part)
        machine.count()
        if str(owner.cls).endswith(".SGD") and machine.truth(group.get(MOMENTUM, 0)):
            machine.force(owner.load("has_buffers"))
            owner.store("has_buffers", True)


def _schedule(machine: Expressions, owner: Obj) -> None:
    """Set other rates: a number by another, a tensor in place."""
    optimizer = machine.force(owner.load("optimizer"))
    for each in machine.iterated(machine.attribute(optimizer, GROUPS)) or ():
        group = machine.force(each)
        rate = machine.force(group.get("lr")) if isinstance(group, dict) else None
        if isinstance(rate, (int, float)):
            group["lr"] = rate * 0.5
            machine.note_change(group)


def step_function(owner: Obj) -> Any:
    """`step` of an optimizer as a function that is compiled."""
    site = owner.attrs.get("site")
    if not isinstance(site, Site) or not isinstance(owner.cls, str):
        return Bound(owner, "_step")
    steps = site.module.derive(_Steps, _Steps)
    if owner.cls not in steps:
        function = ast.parse(_STEP).body[0]
        assert isinstance(function, ast.FunctionDef)
        for node in ast.walk(function):
            ast.copy_location(node, site.node)
        steps[owner.cls] = function
    return Bound(owner, Closure(None, steps[owner.cls], site.module))


def parameters(machine: Expressions, owner: Any, seen: set[int]) -> list[Tensor]:
    """The parameters of a module and of its parts."""
    found: list[Tensor] = []
    if id(owner) in seen:
        return found
    seen.add(id(owner))
    if isinstance(owner, Tensor):
        return [owner] if owner.is_static and owner.requires_grad else []
    parts = owner if isinstance(owner, (list, tuple)) else owner.attrs.values() if isinstance(owner, Obj) else ()
    for each in parts:
        found += parameters(machine, machine.force(each), seen)
    return found
