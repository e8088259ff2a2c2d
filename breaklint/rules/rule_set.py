"""The rules that handle an event. Most events have none, and cost next to nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from breaklint.interp.events import Call, Event, Index, Truth
from breaklint.interp.frame import EventFilter
from breaklint.interp.lattice import Union
from breaklint.interp.values import Array, Const, ExternalInstance, ExternalName, Number, Tensor
from breaklint.model import Rule
from breaklint.rules.base import Check, Hit, Visit
from breaklint.rules.matching import CardMatcher
from breaklint.rules.registry import check_class

_WITH_DATA: Final = frozenset({Tensor, Array, Number, Union})  # whose truth may have to be read


class Visitor(NamedTuple):
    """A method of a rule's check class that handles one kind of event."""

    rule: Rule
    check: Check
    visit: Visit


class RuleSet:
    """The rules that are on: declarative cards, and the check classes that cards name."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        rules = tuple(rules)
        self._cards = CardMatcher(rules)
        self._visitors: dict[type[Event], list[Visitor]] = {}
        self._of_calls: dict[tuple[str, str], Sequence[Visitor]] = {}
        self._calls: dict[tuple[str, str], bool] = {}
        for rule in rules:
            if rule.check:
                check = check_class(rule)()
                for kind, visit in check.visitors():
                    self._visitors.setdefault(kind, []).append(Visitor(rule, check, visit))

    def event_filter(self) -> EventFilter:
        """Which of the frequent events the interpreter has to emit."""
        return self._cards.event_filter()

    def applies_to(self, event: Event) -> bool:
        """Whether any rule can match an event, by its type, its names and the type of its values."""
        kind = type(event)
        if kind is Call:
            return self._applies_to_call(event)  # type: ignore[arg-type]
        if kind is Truth:
            return event.kind == "assert" or type(event.value) in _WITH_DATA  # type: ignore[attr-defined]
        if kind is Index:
            return not _is_plain_load(event)  # type: ignore[arg-type]
        return True

    def _applies_to_call(self, call: Call) -> bool:
        names = (call.target, call.method or call.instance)
        result = self._calls.get(names)
        if result is None:
            result = self._calls[names] = self._cards.applies_to(call) or bool(self.visitors(call))
        return result

    def cards(self, event: Event) -> Iterable[tuple[Rule, Hit]]:
        """The cards that an event matches, with the hit of each."""
        return self._cards.match(event)

    def visitors(self, event: Event) -> Sequence[Visitor]:
        """The visitors of check classes that handle an event."""
        if isinstance(event, Call):
            return self._visitors_of_call(event.target, event.method)
        return self._visitors.get(type(event), ())

    def _visitors_of_call(self, target: str, method: str) -> Sequence[Visitor]:
        result = self._of_calls.get((target, method))
        if result is None:
            visitors = [visitor for visitor in self._visitors.get(Call, ()) if visitor.check.applies_to(target, method)]
            result = self._of_calls[target, method] = visitors
        return result


def _is_plain_load(index: Index) -> bool:
    """Whether an item is read only with a constant, as in `x.shape[0]`, from a value that is certainly not None."""
    if index.use != "load" or type(index.index) is not Const or type(index.base) in (ExternalName, ExternalInstance):
        return False
    base = index.node.value
    return type(base) is not ast.Name or type(index.frame.env.get(base.id)) is not Union
