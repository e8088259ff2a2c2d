"""Call summaries: the result and effects of a call, reused for equal calls.

Two calls are equal if their arguments are: the same values, and containers with the same contents. A summary is valid
until an object that the call has read outside its arguments changes. A replay has the result and the effects of the
first call, with its containers replaced by those of this one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple

from breaklint.interp.callables import Function, Method, Partial, Super
from breaklint.interp.containers import MAY_HOLD_CONTAINERS, Container, Dict, Sequence, Tuple, containers_in
from breaklint.interp.contents import MAX_DEPTH
from breaklint.interp.context import Context
from breaklint.interp.environment import has_paths
from breaklint.interp.frame import Frame
from breaklint.interp.heap import HeapObject, Key, Scope
from breaklint.interp.lattice import UNKNOWN, Union, Value, join_all, options
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.project.module import FunctionInfo

MAX_LENGTH: Final = 32
_COMPOSED: Final = MAY_HOLD_CONTAINERS | {Method, Partial, Super}


class CallKey:
    """The identity of a call, with its hash, which is used several times."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, parts: tuple[Hashable, ...]) -> None:
        self._parts, self._hash = parts, hash(parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CallKey) and self._parts == other._parts

    def __hash__(self) -> int:
        return self._hash


class Summary(NamedTuple):
    """The result, reads and effects of a call. `containers` are those of its arguments, in order."""

    result: Value
    record: Record
    containers: list[Container]


class ArgumentKey:
    """The key of arguments, built one by one; containers are numbered, so that aliases are visible."""

    def __init__(self) -> None:
        self._numbers: dict[Container, int] = {}
        self.compared_by_identity: list[Container] = []

    @property
    def containers(self) -> list[Container]:
        """The containers of all arguments, in the order of first occurrence."""
        return list(self._numbers)

    def of(self, value: Value, depth: int = MAX_DEPTH) -> Hashable:
        """The key of a value; for containers, that of their contents."""
        if type(value) not in _COMPOSED:
            return value
        if isinstance(value, (Sequence, Dict)):
            return self._of_container(value, depth)
        if depth == 0:
            self._by_identity(value)
            return value
        if isinstance(value, Tuple):
            return (Tuple, *(self.of(item, depth - 1) for item in value.items))
        if isinstance(value, Union):
            return (Union, *(self.of(option, depth - 1) for option in value.options))  # in order: it numbers containers
        if isinstance(value, Partial):
            keywords = ((name, self.of(item, depth - 1)) for name, item in value.kwargs)
            return (Partial, self.of(value.function), *(self.of(item, depth - 1) for item in value.args), *keywords)
        if isinstance(value, Method):
            return (Method, value.name, self.of(value.owner, depth - 1))
        return value

    def _of_container(self, value: Sequence | Dict, depth: int) -> Hashable:
        if value.parts:
            return (Container, *(self.of(part, depth) for part in value.each_part()))
        number = self._numbers.get(value)
        if number is not None:
            return (HeapObject, number)
        if depth == 0 or len(value.items or ()) > MAX_LENGTH:
            self._by_identity(value)
            return value
        self._numbers[value] = len(self._numbers)
        if isinstance(value, Dict):
            items = [(name, self.of(item, depth - 1), name in value.optional) for name, item in value.items.items()]
            return (Dict, *items, None if value.rest is None else self.of(value.rest, depth - 1))
        if value.items is not None:
            return (Sequence, value.kind, *(self.of(item, depth - 1) for item in value.items))
        return (Sequence, value.kind, None, None if value.element is None else self.of(value.element, depth - 1))

    def _by_identity(self, value: Value) -> None:
        self.compared_by_identity += containers_in(value)


class Summaries:
    """The summaries of all calls so far."""

    def __init__(self) -> None:
        self._summaries: dict[CallKey, Summary] = {}
        self._ways: dict[tuple[FunctionInfo, bool], set[CallKey]] = {}

    def find(self, key: CallKey, containers: list[Container]) -> Summary | None:
        """The summary of an equal call, if it is still valid."""
        summary = self._summaries.get(key)
        if summary is None or not summary.record.holds():
            return None
        return summary if summary.containers == containers or _is_portable(summary) else None

    def keep(self, key: CallKey, summary: Summary) -> None:
        """Store a summary for the next equal call."""
        self._summaries[key] = summary

    def count(self, function: FunctionInfo, traced: bool, key: CallKey) -> int:
        """The number of different calls of a function, including this one."""
        ways = self._ways.setdefault((function, traced), set())
        ways.add(key)
        return len(ways)

    def clear(self) -> None:
        """Drop all summaries, whose values refer to each other."""
        for summary in self._summaries.values():
            summary.record.effects.clear()
        self._summaries.clear()
        self._ways.clear()


def replay(frame: Frame, summary: Summary, containers: list[Container]) -> Value:
    """Replay the effects of a call on the containers of this call; returns its result."""
    renamed = {old: new for old, new in zip(summary.containers, containers, strict=True) if old is not new}
    for target, key, value, strong in summary.record.effects:
        stored_under = substitute(key, renamed) if isinstance(key, Value) else key
        changed = renamed.get(target, target) if isinstance(target, Container) else target
        frame.change(changed, stored_under, substitute(value, renamed), strong)
    frame.record.include_reads(summary.record)
    forget_narrowed(frame, summary.record)
    return substitute(summary.result, renamed)


def substitute(value: Value, renamed: dict[Container, Container]) -> Value:
    """The value with some containers replaced; copies of containers that contain them are added to `renamed`."""
    if not renamed or type(value) not in _COMPOSED:
        return value
    if isinstance(value, (Sequence, Dict)):
        if value in renamed:
            return renamed[value]
        return _copied(value, renamed) if any(inner in renamed for inner in containers_in(value)) else value
    if isinstance(value, Tuple):
        return Tuple(tuple(substitute(item, renamed) for item in value.items))
    if isinstance(value, Union):
        return join_all([substitute(option, renamed) for option in value.options]) or value
    if isinstance(value, Method):
        return Method(substitute(value.owner, renamed), value.name)
    if isinstance(value, Partial):
        keywords = tuple((name, substitute(item, renamed)) for name, item in value.kwargs)
        return Partial(substitute(value.function, renamed), _all(value.args, renamed), keywords)
    return value


def _all(values: Iterable[Value], renamed: dict[Container, Container]) -> tuple[Value, ...]:
    return tuple(substitute(value, renamed) for value in values)


def _copied(value: Sequence | Dict, renamed: dict[Container, Container]) -> Value:
    """A copy of a container that the call has created, with the containers in it replaced."""
    if value.parts:
        return join_all([substitute(part, renamed) for part in value.each_part()]) or value
    if isinstance(value, Dict):
        table = renamed[value] = Dict(optional=value.optional)
        rest = None if value.rest is None else substitute(value.rest, renamed)
        table.fill({name: substitute(item, renamed) for name, item in value.items.items()}, rest)
        return table
    row = renamed[value] = Sequence(kind=value.kind)
    if value.items is not None:
        row.fill([*_all(value.items, renamed)])
    elif value.element is not None:
        row.store(None, substitute(value.element, renamed))
    return row


def _is_portable(summary: Summary) -> bool:
    """Whether other containers can replace those of the call: no function or instance of the result contains them."""
    values = (summary.result, *(effect.value for effect in summary.record.effects))
    return not any(_hides(value, summary.containers) for value in values)


def _hides(value: Value, containers: list[Container]) -> bool:
    """Whether a value contains containers that `substitute` does not reach: in a closure or an instance."""
    todo, seen = [value], set[Value]()
    while todo:
        current = todo.pop()
        if isinstance(current, Function) and current.closure is not None:
            contents = current.closure.env.values()
        elif isinstance(current, Instance):
            if current.has_deferred():
                return True
            contents = current.attrs.values()
        else:
            if not isinstance(current, Container) or current not in seen:
                todo += _items(current)
            if isinstance(current, Container):
                seen.add(current)
            continue
        if current not in seen:
            seen.add(current)
            if any(container in containers for item in contents for container in containers_in(item)):
                return True
            todo += (item for item in contents if isinstance(item, (Function, Instance)))
    return False


def _items(value: Value) -> Iterable[Value]:
    if isinstance(value, Partial):
        return (value.function, *value.args, *(item for _, item in value.kwargs))
    if isinstance(value, Sequence):
        return () if value.element is None else (value.element,)
    if isinstance(value, Dict):
        return (*value.items.values(), *(() if value.rest is None else (value.rest,)))
    return value.items if isinstance(value, Tuple) else value.options if isinstance(value, Union) else ()


def forget_narrowed(frame: Frame, call: Record) -> None:
    """Drop the narrowing of attributes that a call has stored."""
    if not call.effects:
        return
    stores: set[tuple[HeapObject, Key]] = {
        (effect.target, effect.key) for effect in call.effects if isinstance(effect.target, Instance)
    }
    if stores:
        forget_paths(frame, stores)


def forget_paths(frame: Frame, stores: set[tuple[HeapObject, Key]]) -> None:
    """Drop the narrowed dotted paths of these attributes from the visible environments."""
    endings: tuple[str, ...] = ()
    scope: Scope | None = frame
    while scope is not None:
        env = scope.env
        if not has_paths(env):
            scope = scope.closure
            continue
        endings = endings or tuple([f".{name}" for _, name in stores])
        anything = ".*" in endings  # under an unknown name
        for path in [path for path in env if "." in path and (anything or path.endswith(endings))]:
            base, _, name = path.partition(".")
            owners = options(scope.lookup(base) or UNKNOWN)
            if not stores.isdisjoint([(owner, key) for owner in owners for key in (name, "*")]):
                del env[path]
        scope = scope.closure


def call_key(function: Function, context: Context, mode: Hashable, values: Iterable[Value], of: ArgumentKey) -> CallKey:
    """The key of a call: the function, the relevant context, and the arguments."""
    weak = context.conditional and not context.traced
    head = (function.info, function.closure, context.traced, context.fills_cache, weak, mode)
    return CallKey((*head, *[of.of(value) if type(value) in _COMPOSED else value for value in values]))
