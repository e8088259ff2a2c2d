"""Declarative cards against events: which calls, methods, attributes and contexts a card is about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.analysis import patterns
from breaklint.interp.context import Condition
from breaklint.interp.events import Call, Enter, Event, GetAttribute, ObjectAccess, SetAttribute
from breaklint.interp.frame import EventFilter
from breaklint.interp.lattice import Value
from breaklint.interp.values import Const, Static, constant_kind
from breaklint.model import Match, Rule
from breaklint.project.project import BUILTINS
from breaklint.project.walking import dotted_name
from breaklint.rules.base import NO_RESUME, OBJECT, Hit
from breaklint.rules.uses import is_used
from breaklint.rules.value_kinds import certain_tensor, has_kind

CALLS: Final = ("call", "construct")
OBJECTS: Final = "call_instance"  # any access of an object of the class, the first in a function
CALLED: Final = "call_object"  # each call of one


class CardMatcher:
    """All declarative cards, indexed by name, so that most events cost one or two dict look-ups."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._calls: dict[str, list[tuple[Rule, Match]]] = {}
        self._prefixes: dict[str, list[tuple[Rule, Match]]] = {}
        self._by_target: dict[str, list[tuple[Rule, Match]]] = {"": []}  # of _calls and _prefixes, as they are met
        self._by_kind: dict[tuple[str, str], list[tuple[Rule, Match]]] = {}
        # By code, which is also the name of the kind of object: the rule, and why the access ends the frame.
        self._of_objects: dict[str, tuple[Rule, str]] = {}
        for rule in rules:
            for match in rule.match:
                for name in match.names:
                    self._add(rule, match, name)

    def _add(self, rule: Rule, match: Match, name: str) -> None:
        if match.kind in CALLS and name.endswith(".*"):
            self._prefixes.setdefault(name[:-2], []).append((rule, match))
        elif match.kind in CALLS:
            self._calls.setdefault(name, []).append((rule, match))
        else:
            self._by_kind.setdefault((match.kind, name), []).append((rule, match))
        if match.kind == OBJECTS:
            self._of_objects[rule.code] = rule, NO_RESUME if name.startswith("torch.nn.") else OBJECT

    def event_filter(self) -> EventFilter:
        """The attributes that cards name, and for each class the cards that name it."""
        attributes = frozenset(name for kind, name in self._by_kind if kind == "attribute")
        objects = {name: cards for (kind, name), cards in self._by_kind.items() if kind == OBJECTS}
        names = {name for kind, name in self._by_kind if kind in (OBJECTS, CALLED)}
        modules = frozenset(name.rpartition(".")[2] for name in names if name.startswith("torch.nn."))
        kinds = {name: frozenset(rule.code for rule, _ in cards) for name, cards in objects.items()}
        return EventFilter(attributes, kinds, modules)

    def match(self, event: Event) -> Iterable[tuple[Rule, Hit]]:
        """The cards that an event matches, with the hit of each."""
        if isinstance(event, Call):
            return self._match_call(event)
        if isinstance(event, GetAttribute):
            hits = self._match_value(event, ("attribute", event.name), event.base)
            return [(rule, hit) for rule, match, hit in hits if not match.used or is_used(event)]
        if isinstance(event, ObjectAccess):
            return self._match_access(event)
        matches: list[tuple[Rule, Match, Hit]] = []
        if isinstance(event, SetAttribute):
            matches = self._match_value(event, ("set_attribute", event.name), event.base)
        if isinstance(event, Enter):
            matches = self._match_value(event, ("with", event.target), event.value)
        return [(rule, hit) for rule, _, hit in matches]

    def applies_to(self, call: Call) -> bool:
        """Whether any card names the function or the method that is called."""
        matches = self._by_target.get(call.target)
        if matches is None:  # a constructor that is called by name, or by that of a subclass, is one of the class
            names = dict.fromkeys((call.target, call.target.removesuffix(".__init__")))
            matches = self._by_target[call.target] = [card for name in names for card in self._of_function(name)]
        of_object = call.instance and (CALLED, call.instance) in self._by_kind
        return bool(matches) or of_object or ("method", call.method) in self._by_kind

    def _match_access(self, access: ObjectAccess) -> Iterator[tuple[Rule, Hit]]:
        """Objects that Dynamo cannot wrap. It skips the whole frame, so that only the first access counts."""
        for code in sorted(access.kinds - access.earlier):
            if code in self._of_objects:
                rule, end = self._of_objects[code]
                yield rule, Hit(access.node, end="" if isinstance(access.node, ast.Compare) else end)

    def _match_call(self, call: Call) -> Iterator[tuple[Rule, Hit]]:
        if not self.applies_to(call):
            return
        for rule, match in self._by_target[call.target]:
            conditions = fitting(match, call)
            if conditions is not None and is_spelled(match, call):
                yield rule, Hit(call.node, conditions=conditions, target=match.target)
        if call.instance:
            callee = call.node.func if isinstance(call.node, ast.Call) else call.node
            yield from ((rule, Hit(callee)) for rule, _ in self._by_kind.get((CALLED, call.instance), ()))
        if call.method:
            for rule, match in self._by_kind.get(("method", call.method), ()):
                conditions = fitting(match, call) if is_on(match, call.owner) else None
                if conditions is not None and is_spelled(match, call):
                    yield rule, Hit(call.node, conditions=conditions, target=match.target)

    def _of_function(self, target: str) -> Iterator[tuple[Rule, Match]]:
        yield from self._calls.get(target, ())
        parent = target
        while "." in parent:
            parent = parent.rpartition(".")[0]
            yield from self._prefixes.get(parent, ())

    def _match_value(self, event: Event, what: tuple[str, str], subject: Value) -> list[tuple[Rule, Match, Hit]]:
        candidates = self._by_kind.get(what)
        if candidates is None:
            return []
        return [
            (rule, match, Hit(event.node, target=match.target)) for rule, match in candidates if is_on(match, subject)
        ]


def is_on(match: Match, owner: Value | None) -> bool:
    """Whether the receiver is of one of the kinds that the card names; no kind means any receiver."""
    return not match.on or (owner is not None and any(has_kind(owner, kind) for kind in match.on))


def fitting(match: Match, call: Call) -> tuple[Condition, ...] | None:
    """The conditions under which the arguments match the card, None if they do not match.

    A flag that is not constant (`requires_grad=self.training`) is a condition if the card requires a true one.
    """
    conditions: list[Condition] = []
    for name, kinds in match.where:
        value = argument(call, name)
        if value is None and call.starred:
            return None
        if any(_fits(value, kind) for kind in kinds):
            continue
        flag = is_set(call, name, value) if "true" in kinds and "false" not in kinds else None
        if flag is None:
            return None
        conditions += flag
    return tuple(conditions)


def is_set(call: Call, name: str, value: Value | None) -> tuple[Condition, ...] | None:
    """The conditions under which a flag of a call is true, None if it is false or not a flag."""
    if value == Const(True):
        return ()
    keywords = call.node.keywords if isinstance(call.node, ast.Call) else []
    flag = next((keyword.value for keyword in keywords if keyword.arg in name.split("|")), None)
    is_open = isinstance(value, Static) and constant_kind(value) == "bool"
    return None if flag is None or not is_open else (Condition(flag, True),)


def is_spelled(match: Match, call: Call) -> bool:
    """Whether a call looks like the pattern of the card."""
    if not match.pattern:
        return True
    frame = call.frame

    def resolve(node: ast.expr) -> str:
        if node is getattr(call.node, "func", None):
            return call.target
        dotted = dotted_name(node) or ""
        target = frame.interp.project.resolve(frame.module, dotted) if dotted else None
        return target if isinstance(target, str) else dotted if dotted in BUILTINS else ""

    return patterns.match(match.pattern, call.node, resolve) is not None


def argument(call: Call, name: str) -> Value | None:
    """The argument at a position (`"0"`) or under a name; `"1|dim"` is either."""
    for part in name.split("|"):
        if part.isdigit():
            if int(part) < len(call.args):
                return call.args[int(part)]
        elif part in call.kwargs:
            return call.kwargs[part]
    return None


def _fits(value: Value | None, kind: str) -> bool:
    if kind in ("present", "missing"):
        return (value is not None) == (kind == "present")
    if kind.startswith("!"):
        return value is not None and not has_kind(value, kind[1:])
    if value is None:
        return False
    if kind in ("tensor", "unknown") and has_kind(value, "tensor"):  # the parameters also take other values
        return (certain_tensor(value) is None) == (kind == "unknown")
    return has_kind(value, kind)
