"""Declarative cards against events: which calls, methods, attributes and contexts a card is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from breaklint.analysis.events import Call, Enter, Event, GetAttribute, SetAttribute, Use
from breaklint.analysis.values import Instance, Object, Value, options, without_none
from breaklint.checks.base import FirstUses, Hit, has_kind
from breaklint.model import Match, Rule

CALLS = ("call", "construct")


class Cards:
    """All declarative cards, indexed by what they look for, so that most events cost one or two dict look-ups."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._calls: dict[str, list[tuple[Rule, Match]]] = {}
        self._prefixes: dict[str, list[tuple[Rule, Match]]] = {}
        self._by_kind: dict[tuple[str, str], list[tuple[Rule, Match]]] = {}
        self._first_uses = FirstUses()
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

    def see(self, event: Event) -> Iterator[tuple[Rule, Hit]]:
        """The cards that an event matches."""
        if isinstance(event, Call):
            yield from self._call(event)
        elif isinstance(event, SetAttribute):
            yield from self._about(event, "set_attribute", event.name, event.base)
        elif isinstance(event, GetAttribute):
            yield from self._about(event, "attribute", event.name, event.base)
        elif isinstance(event, Enter):
            yield from self._about(event, "with", event.target, event.value)
        elif isinstance(event, Use):
            yield from self._use(event)

    def _use(self, event: Use) -> Iterator[tuple[Rule, Hit]]:
        """Objects of classes that Dynamo cannot wrap. It gives the whole frame up, so only the first use counts."""
        choices = [class_names(event, option) for option in options(without_none(event.value))]
        for name in choices[0]:
            for rule, match in self._by_kind.get(("call_instance", name), ()):
                fits = all(set(names) & set(match.names) for names in choices)
                if fits and self._first_uses.is_first(rule.code, event):
                    yield rule, Hit(event.node)

    def _call(self, event: Call) -> Iterator[tuple[Rule, Hit]]:
        for rule, match in self._candidates(event.target):
            if arguments_fit(match, event):
                yield rule, Hit(event.node)
        if event.method:
            for rule, match in self._by_kind.get(("method", event.method), ()):
                if is_on(match, event.owner) and arguments_fit(match, event):
                    yield rule, Hit(event.node)

    def _candidates(self, target: str) -> Iterator[tuple[Rule, Match]]:
        if not target:
            return
        yield from self._calls.get(target, ())
        parent = target
        while "." in parent:
            parent = parent.rpartition(".")[0]
            yield from self._prefixes.get(parent, ())

    def _about(self, event: Event, kind: str, name: str, subject: Value) -> Iterator[tuple[Rule, Hit]]:
        for rule, match in self._by_kind.get((kind, name), ()):
            if is_on(match, subject):
                yield rule, Hit(event.node)


def class_names(event: Use, value: Value) -> list[str]:
    """The classes outside the project that a fetched object is an instance of."""
    if isinstance(value, Object):
        return [value.cls]
    if isinstance(value, Instance):
        return event.frame.machine.project.external_bases(value.cls)
    return []


def is_on(match: Match, owner: Value | None) -> bool:
    """Whether the receiver is of one of the kinds that the card names; no kind means any receiver."""
    return not match.on or (owner is not None and any(has_kind(owner, kind) for kind in match.on))


def arguments_fit(match: Match, event: Call) -> bool:
    """Whether the arguments meet all of the card's conditions."""
    for name, kinds in match.where:
        value = argument(event, name)
        if value is None and event.starred:
            return False
        if not any(_fits(value, kind) for kind in kinds):
            return False
    return True


def argument(event: Call, name: str) -> Value | None:
    """The argument at a position (`"0"`) or under a name; `"1|dim"` is either."""
    for part in name.split("|"):
        if part.isdigit():
            if int(part) < len(event.args):
                return event.args[int(part)]
        elif part in event.kwargs:
            return event.kwargs[part]
    return None


def _fits(value: Value | None, kind: str) -> bool:
    if kind in ("present", "missing"):
        return (value is not None) == (kind == "present")
    if kind.startswith("!"):
        return value is not None and not has_kind(value, kind[1:])
    return value is not None and has_kind(value, kind)
