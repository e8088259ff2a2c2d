"""Whether what a fix rests on holds whatever some attributes are."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from breaklint.fixes.base import FixRequest
from breaklint.interp.callables import Function, Method, Partial
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.frame import Frame, Visitors
from breaklint.interp.heap import HeapObject
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.regions import callers_first, deep_recursion, regions, trace
from breaklint.interp.summaries import alike
from breaklint.interp.values import ExternalName, Tensor
from breaklint.project.module import ClassInfo
from breaklint.project.own_names import FUNCTIONS
from breaklint.project.walking import children, dotted_name, walk

DISPLAYS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)  # new objects
REGISTERING = frozenset({"register_buffer", "register_parameter", "register_module", "add_module", "__setattr__"})
PLACES = frozenset({"__dict__", "_buffers", "_parameters", "_modules"})  # where an object keeps its attributes
LOAD = ast.Load()


class _Known(dict[frozenset[str], dict[ast.AST, Value]]):
    """The values of a file's nodes by the attributes of which nothing was known; empty where that cannot be told."""


def holds_without(request: FixRequest, names: frozenset[str], functions: Iterable[ast.AST]) -> bool:
    """Whether all values that the fix asked for are as they were when nothing is known of the attributes `names`.

    `functions` are those that the values come from. The regions of the file are traced once more for this.
    """
    known = request.module.derive(_Known, _Known)
    if names not in known:
        known[names] = _inferred(request, names)
    before, again = request.event.frame.interp.values, known[names]
    if not all(node in before and alike(before[node], again.get(node, UNKNOWN)) for node in request.inferred):
        return False
    changing = _changing(request)
    nodes = [node for function in functions for node in walk(function) if _attribute_of(node) not in names]
    return not any(_may_change(node, values, changing) for values in (before, again) for node in nodes)


def _inferred(request: FixRequest, names: frozenset[str]) -> dict[ast.AST, Value]:
    first = request.event.frame.interp
    interp = Interpreter(first.project, first.facts, lambda _event: None, first.event_filter)
    interp.visitors = _without(names, interp.visitors)
    with deep_recursion():
        found = callers_first(interp, regions(interp, request.module, request.settings.entry_points))
        given_up = [trace(interp, region) for region in found]
    values = dict(interp.values)
    interp.forget()
    return {} if any(given_up) else values


def _without(names: frozenset[str], visitors: Visitors) -> Visitors:
    """Transfer functions that know nothing of the attributes `names`, by whatever object."""

    def attribute(frame: Frame, node: ast.Attribute) -> Value:
        value = visitors[ast.Attribute](frame, node)
        return UNKNOWN if node.attr in names else value

    def call(frame: Frame, node: ast.Call) -> Value:
        value = visitors[ast.Call](frame, node)
        return UNKNOWN if _reads(node, names) else value

    return {**visitors, ast.Attribute: attribute, ast.Call: call}


def _reads(node: ast.Call, names: frozenset[str]) -> bool:
    """Whether a call is `getattr` of one of the attributes, or of one that is not written out."""
    if dotted_name(node.func) != "getattr" or len(node.args) < 2:
        return False
    name = node.args[1]
    return not isinstance(name, ast.Constant) or name.value in names


class _Changing(set[str]):
    """The attributes whose values do not stay through a call of unknown code, as far as a family of classes tells.

    They are stored outside of constructors, or a test tells what they are; `any`: one that is not named may be stored.
    """

    any = False


def _changing(request: FixRequest) -> _Changing:
    """The attributes that methods of the finding's classes store, or about which they know more in some places."""
    interp, own, found = request.event.frame.interp, request.cls, _Changing()
    classes = [each for each in (interp.project.mro(own) if own else ()) if isinstance(each, ClassInfo)]
    modules = dict.fromkeys([request.module, *(each.module for each in classes)])
    told: dict[str, Value] = {}
    for node in (node for module in modules for node in _outside_constructors(module.tree)):
        name = _attribute_of(node)
        if name is not None and isinstance(getattr(node, "ctx", LOAD), ast.Load):
            value = interp.values.get(node)
            if value is not None and not alike(told.setdefault(name, value), value):
                found.add(name)
        elif name is not None:
            found.add(name)
        if name in PLACES:
            found.any = True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in REGISTERING:
            given = [*node.args[:1], *(keyword.value for keyword in node.keywords)]
            names = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            found.update(names)
            found.any = found.any or not names
    return found


def _outside_constructors(tree: ast.AST) -> Iterator[ast.AST]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, FUNCTIONS) and getattr(node, "name", "") == "__init__"):
            yield node
            waiting += children(node)


def _attribute_of(node: ast.AST) -> str | None:
    """The attribute that an expression reads or stores, by its name or by `getattr`; "" where it is not written out."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if not isinstance(node, ast.Call) or dotted_name(node.func) != "getattr" or len(node.args) < 2:
        return None
    name = node.args[1]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""


def _may_change(node: ast.AST, values: Mapping[ast.AST, Value], changing: _Changing) -> bool:
    """Whether an expression gives what unknown code may change: an object under a name that it may have been handed,
    an attribute that is stored, or a variable of an enclosing function."""
    if isinstance(node, (ast.Nonlocal, ast.Global)):
        return True
    name, owner = _attribute_of(node), node.value if isinstance(node, ast.Attribute) else None
    if name is not None and owner is not None and isinstance(values.get(owner), (Tensor, ExternalName)):
        return False
    if name in changing or name == "" or (name is not None and changing.any):
        return True
    value = values.get(node, UNKNOWN)
    if owner is not None:
        of_other = dotted_name(owner) != "self" and any(
            isinstance(each, Instance) for each in options(values.get(owner, UNKNOWN))
        )
        return of_other and not isinstance(value, Function)
    is_read = isinstance(node, ast.expr) and not isinstance(node, DISPLAYS) and dotted_name(node) != "self"
    return is_read and _holds_objects(value)


def _holds_objects(value: Value) -> bool:
    """Whether a value may be, hold or change a list, a dict or an object of the project."""
    return any(_holds_object(each) for each in options(value))


def _holds_object(value: Value) -> bool:
    if isinstance(value, Sequence) and value.kind == "tuple":
        return any(map(_holds_objects, value.items or ())) or (
            value.element is not None and _holds_objects(value.element)
        )
    if isinstance(value, Tuple):
        return any(map(_holds_objects, value.items))
    if isinstance(value, Method):
        return _holds_objects(value.owner)
    return isinstance(value, (HeapObject, Partial)) or (isinstance(value, Function) and value.closure is not None)
