"""Declarative cards against events: which calls, methods, attributes and contexts a card is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.interp.events import Call, Enter, Event, GetAttribute, ObjectAccess, SetAttribute
from breaklint.interp.frame import EventFilter
from breaklint.interp.lattice import Value, options
from breaklint.interp.transfer.object_access import classes_of
from breaklint.interp.values import without_none
from breaklint.model import Match, Rule
from breaklint.rules.base import Hit, has_kind, is_first_use

CALLS: Final = ("call", "construct")
FREQUENT: Final = ("attribute", "call_instance")


class Cards:
    """All declarative cards, indexed by what they look for, so that most events cost one or two dict look-ups."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._calls: dict[str, list[tuple[Rule, Match]]] = {}
        self._prefixes: dict[str, list[tuple[Rule, Match]]] = {}
        self._by_target: dict[str, list[tuple[Rule, Match]]] = {"": []}  # of _calls and _prefixes, as they are met
        self._by_kind: dict[tuple[str, str], list[tuple[Rule, Match]]] = {}
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

    def heard(self) -> EventFilter:
        """What cards listen to, of the things that happen all the time."""
        named = {kind: frozenset(name for of, name in self._by_kind if of == kind) for kind in FREQUENT}
        return EventFilter(*named.values())

    def see(self, event: Event) -> Iterable[tuple[Rule, Hit]]:
        """The cards that an event matches."""
        if isinstance(event, Call):
            return self._call(event)
        if isinstance(event, GetAttribute):
            return self._about(event, ("attribute", event.name), event.base)
        if isinstance(event, ObjectAccess):
            return self._use(event)
        if isinstance(event, SetAttribute):
            return self._about(event, ("set_attribute", event.name), event.base)
        if isinstance(event, Enter):
            return self._about(event, ("with", event.target), event.value)
        return ()

    def knows(self, event: Call) -> bool:
        """Whether any card is about the function or the method that is called."""
        named = self._by_target.get(event.target)
        if named is None:
            named = self._by_target[event.target] = [*self._candidates(event.target)]
        return bool(named) or ("method", event.method) in self._by_kind

    def _use(self, event: ObjectAccess) -> Iterator[tuple[Rule, Hit]]:
        """Objects of classes that Dynamo cannot wrap. It gives the whole frame up, so only the first use counts."""
        interp = event.frame.interp
        choices = [classes_of(interp, option) for option in options(without_none(event.value))]
        for name in choices[0]:
            for rule, match in self._by_kind.get(("call_instance", name), ()):
                fits = all(set(names) & set(match.names) for names in choices)
                if fits and is_first_use(rule.code, event):
                    yield rule, Hit(event.node)

    def _call(self, event: Call) -> Iterator[tuple[Rule, Hit]]:
        if not self.knows(event):
            return
        for rule, match in self._by_target[event.target]:
            if arguments_fit(match, event):
                yield rule, Hit(event.node)
        if event.method:
            for rule, match in self._by_kind.get(("method", event.method), ()):
                if is_on(match, event.owner) and arguments_fit(match, event):
                    yield rule, Hit(event.node)

    def _candidates(self, target: str) -> Iterator[tuple[Rule, Match]]:
        yield from self._calls.get(target, ())
        parent = target
        while "." in parent:
            parent = parent.rpartition(".")[0]
            yield from self._prefixes.get(parent, ())

    def _about(self, event: Event, what: tuple[str, str], subject: Value) -> Iterable[tuple[Rule, Hit]]:
        candidates = self._by_kind.get(what)
        if candidates is None:
            return ()
        return [(rule, Hit(event.node)) for rule, match in candidates if is_on(match, subject)]


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
