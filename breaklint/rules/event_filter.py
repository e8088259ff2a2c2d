"""Which rules an event could concern. Most events concern none, and shall cost next to nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Final

from breaklint.errors import CardError
from breaklint.interp.events import Call, Event, Index, Truth
from breaklint.interp.frame import EventFilter
from breaklint.interp.lattice import Union
from breaklint.interp.values import Array, Const, ExternalName, Number, Tensor
from breaklint.model import Rule
from breaklint.rules.base import Check, Hit
from breaklint.rules.matching import Cards

Checks = Sequence[tuple[Rule, Check]]
_WITH_DATA: Final = frozenset({Tensor, Array, Number, Union})  # whose truth may have to be read


class Listeners:
    """All rules that are on: cards, and the check classes that cards name."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        rules = tuple(rules)
        self._cards = Cards(rules)
        self._checks: dict[type[Event], list[tuple[Rule, Check]]] = {}
        self._of_calls: dict[tuple[str, str], Checks] = {}
        self._concerned: dict[tuple[str, str], bool] = {}
        for rule in rules:
            if rule.check:
                check = _check_class(rule)()
                for kind in check.events:
                    self._checks.setdefault(kind, []).append((rule, check))

    def heard(self) -> EventFilter:
        """What the machine need tell of the things that happen all the time."""
        return self._cards.heard()

    def concern(self, event: Event) -> bool:
        """Whether any rule could be about an event: a look at its kind, its names and the sort of its values."""
        kind = type(event)
        if kind is Call:
            return self._concern_call(event)  # type: ignore[arg-type]
        if kind is Truth:
            return event.kind == "assert" or type(event.value) in _WITH_DATA  # type: ignore[attr-defined]
        if kind is Index:
            return not _is_plain_load(event)  # type: ignore[arg-type]
        return True

    def _concern_call(self, event: Call) -> bool:
        names = (event.target, event.method)
        known = self._concerned.get(names)
        if known is None:
            known = self._concerned[names] = self._cards.knows(event) or bool(self.checks(event))
        return known

    def cards(self, event: Event) -> Iterable[tuple[Rule, Hit]]:
        """The cards that an event matches."""
        return self._cards.see(event)

    def checks(self, event: Event) -> Checks:
        """The checks that want to see an event."""
        if isinstance(event, Call):
            return self._of_call(event.target, event.method)
        return self._checks.get(type(event), ())

    def _of_call(self, target: str, method: str) -> Checks:
        known = self._of_calls.get((target, method))
        if known is None:
            hear = [(rule, check) for rule, check in self._checks.get(Call, ()) if check.hears(target, method)]
            known = self._of_calls[target, method] = hear
        return known


def _is_plain_load(event: Index) -> bool:
    """Whether a constant is all that an item is read with, as in `x.shape[0]`."""
    return event.use == "load" and type(event.index) is Const and type(event.base) is not ExternalName


def _check_class(rule: Rule) -> type[Check]:
    module, _, name = rule.check.rpartition(".")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        found = None
    if not (isinstance(found, type) and issubclass(found, Check)):
        raise CardError(f"card {rule.code}: check {rule.check!r} does not exist")
    return found
