"""Deferred statements of constructors: they run when an attribute that they may store is first read.

A model's `forward` never reads many results of its constructor: initial weights, plans for parallel layers, a
configuration for text generation. Running these statements for every class would take most of the time.
"""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.cheap_statements import is_cheap
from breaklint.interp.containers import Container
from breaklint.interp.context import Context
from breaklint.interp.frame import Frame
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.project.module import ClassInfo
from breaklint.project.object_effects import ANY, effects_of, is_super, object_uses
from breaklint.project.object_uses import DeferralPlan
from breaklint.project.walking import dotted_name, walk

BINDS_OR_WAITS: Final = frozenset({ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda})
# No schema: the modules of torch that define containers of modules, and those that export them.
CONTAINER_MODULES: Final = ("torch.nn", "torch.nn.modules", "torch.nn.modules.container")
# No schema: the classes of modules that only contain others.
KEEPS_LAYERS: Final = ("Sequential", "ModuleList", "ModuleDict")


class _Plans(dict[ast.stmt, DeferralPlan | None]):
    """By statement of a constructor: the plan to defer it, if that is possible."""


class _Stores(dict[tuple[ast.stmt, ClassInfo], frozenset[str] | None]):
    """By statement and class: the possible stores in an instance of the class, None if the statement has to run."""


class _ChangesOf(dict[tuple[ast.stmt, str], bool]):
    """Whether statements may change the list or dict of a name."""


class Deferred:
    """A deferred statement, with the environment at its place."""

    __slots__ = ("context", "frame", "node")

    def __init__(self, frame: Frame, node: ast.stmt, context: Context) -> None:
        self.frame: Frame | None = frame
        self.node, self.context = node, context

    def run(self) -> None:
        """Run the statement with the environment of its constructor, unless it has run."""
        frame, self.frame = self.frame, None
        owner = frame.owner if frame is not None else None
        if frame is None or not isinstance(owner, Instance):
            return
        again = frame.copy(Record())  # objects of a deferred statement are older than the constructor's own record
        again.context = self.context
        ready, owner.ready = owner.ready, False
        try:
            frame.interp.run_statement(again, self.node)
        finally:
            owner.ready = ready


def defer(frame: Frame, node: ast.stmt) -> bool:
    """Defer a statement of a constructor, if only attributes of the new object can show whether it has run."""
    plans, owner = frame.module.derive(_Plans, _Plans), frame.owner
    plan = plans[node] if node in plans else plans.setdefault(node, _plan(frame, node))
    if plan is None or not isinstance(owner, Instance) or frame.env.get(plan.owner) is not owner:
        return False
    for name in plan.names:
        if isinstance(frame.env.get(name), Container) and _changes(frame, node, plan, name):
            return False
    stores = plan.stores
    if plan.method or plan.effects.paths or plan.effects.passed:
        cache, key = frame.interp.memo(_Stores), (node, owner.cls)
        if key not in cache:
            cache[key] = _stores_of(frame, owner, plan)
        all_stores = cache[key]
        if all_stores is None:
            return False
        stores = all_stores
    for name in plan.stores:
        if frame.env.pop(f"{plan.owner}.{name}", None) is not None:
            frame.snapshot = None
    if frame.snapshot is None:
        frame.snapshot = frame.copy()
    owner.defer(stores, Deferred(frame.snapshot, node, frame.context).run)
    return True


def _changes(frame: Frame, node: ast.stmt, plan: DeferralPlan, name: str) -> bool:
    """Whether a statement may change the list or dict of a name, which other code may share."""
    cache, key = frame.interp.memo(_ChangesOf), (node, name)
    if key not in cache:
        cache[key] = bool(frame.interp.attribute_stores.reach(None, frame.module, effects_of(plan.uses, name)))
    return cache[key]


def _stores_of(frame: Frame, owner: Instance, plan: DeferralPlan) -> frozenset[str] | None:
    """The possible stores of a statement and its callees; None if it has to run."""
    project, stores = frame.interp.project, frame.interp.attribute_stores
    after = frame.function.cls if plan.above and frame.function is not None else None
    if plan.method and project.method(owner.cls, plan.method, after) is None:
        return None
    if plan.above and (after is None or any(_keeps_layers(base) for base in project.external_bases(owner.cls))):
        return None
    names = plan.stores | stores.reach(owner.cls, frame.module, plan.effects)
    if plan.above:
        names |= stores.may_store(owner.cls, plan.method, after=after)
    return None if plan.above and ANY in names else names


def _keeps_layers(base: str) -> bool:
    """Whether the constructor of a class outside the project stores its arguments."""
    module, _, name = base.rpartition(".")
    return module in CONTAINER_MODULES and name in KEEPS_LAYERS


def _plan(frame: Frame, node: ast.stmt) -> DeferralPlan | None:
    """The plan to defer a statement; None if it has to run, or is cheap."""
    function = frame.function
    if function is None:
        return None
    spec = function.node.args
    owner = next((parameter.arg for parameter in (*spec.posonlyargs, *spec.args)), "")
    if not _may_wait(node, owner) or is_cheap(frame, node):
        return None
    inner = list(walk(node))
    calls: list[ast.Call] = [item for item in inner if item.__class__ is ast.Call]
    if not calls or not BINDS_OR_WAITS.isdisjoint({type(item) for item in inner}):
        return None
    uses = object_uses(inner)
    one = effects_of(uses, owner)
    if not all(each.object[1] for each in one.passed):
        return None  # the object itself is passed on, and may be changed in any way
    plan = DeferralPlan(owner, one.stores, one, uses, uses.names - {owner})
    if isinstance(node, ast.Assign):
        return _assignment(node, plan)
    return _call(node, plan) if isinstance(node, ast.Expr) else None


def _may_wait(node: ast.stmt, owner: str) -> bool:
    """Whether the form of a statement allows deferral: a fast test that most statements fail."""
    if isinstance(node, ast.Assign):
        plain = isinstance(node.value, (ast.Name, ast.Constant, ast.Attribute))
        return not plain and isinstance(node.targets[0], ast.Attribute)
    if isinstance(node, ast.Expr):
        callee = node.value.func if isinstance(node.value, ast.Call) else None
        of = callee.value if isinstance(callee, ast.Attribute) else None
        return (isinstance(of, ast.Call) and is_super(of) and not of.args) or dotted_name(of) == owner
    return False


def _assignment(node: ast.Assign, plan: DeferralPlan) -> DeferralPlan | None:
    target = node.targets[0] if len(node.targets) == 1 else None
    first, *rest = (dotted_name(target) or "").split(".")
    if not isinstance(target, ast.Attribute) or first != plan.owner or len(rest) != 1:
        return None
    return plan._replace(stores=plan.stores | {*rest})


def _call(node: ast.Expr, plan: DeferralPlan) -> DeferralPlan | None:
    function = node.value.func if isinstance(node.value, ast.Call) else None
    if not isinstance(function, ast.Attribute):
        return None
    if is_super(function.value):
        other = plan.effects._replace(paths=plan.effects.paths - {(function.attr,)})
        return plan._replace(effects=other, method=function.attr, above=True)
    if dotted_name(function.value) == plan.owner:
        return plan._replace(method=function.attr)
    return None
