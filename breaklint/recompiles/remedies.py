"""Remedies with which fewer calls compile: candidates from the guards that failed, each tried by running."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from breaklint.recompiles.vary import LIMIT, Variation

MAX_CANDIDATES: Final = 8  # that are tried, each of which runs all calls
_SIZE: Final = re.compile(r"(?P<name>\w+)\.size\((?P<dim>\d+)\)|(?P<other>\w+)'?\]?\.size\(\)\[(?P<place>\d+)\]")
_NUMBER: Final = re.compile(r"(?P<place>self(?:\.\w+)+|\w+)'?\]? ?(?:==|!=|<|>)=? ?-?(?:\d|inf|nan|float)")
_OWNER: Final = re.compile(r"L\['(\w+)'\]")


@dataclass(frozen=True)
class Remedy:
    """The text of a remedy, and the changes of the calls. `compilations` are those that are left."""

    text: str
    settings: dict[str, Any] = field(default_factory=dict)
    compilations: int = 0


Calls = Sequence[dict[str, Any]]
Run = Callable[[dict[str, Any]], Calls]


def remedies(calls: Sequence[dict[str, Any]], run: Run, variations: Sequence[Variation]) -> list[Remedy]:
    """The remedies that bring fewer compilations, each together with those before it; `run` makes the calls again."""
    search = _Search(run, variations)
    accepted: list[Remedy] = []
    settings: dict[str, Any] = {}
    while (result := search.better(calls, settings)) is not None:
        remedy, calls = result
        settings = remedy.settings
        accepted.append(remedy)
    return accepted


class _Search:
    """Tries candidates, so many in all."""

    def __init__(self, run: Run, variations: Sequence[Variation]) -> None:
        self._run, self._variations, self._remaining = run, variations, MAX_CANDIDATES
        self._tried: set[str] = set()

    def better(
        self, calls: Calls, settings: dict[str, Any], least: int | None = None, before: str = ""
    ) -> tuple[Remedy, Calls] | None:
        """The first remedy with which fewer calls compile, or two that only help together."""
        least = _compilations(calls) if least is None else least
        for candidate in _candidates(calls, self._variations) if least > 1 else ():
            text = f"{before}; {candidate.text}" if before else candidate.text
            if self._remaining == 0 or text in self._tried:
                continue
            self._remaining -= 1
            self._tried.add(text)
            combined = _merge(settings, candidate.settings)
            again = self._run(combined)
            if any("error" in call for call in again):
                continue
            if _compilations(again) < least:
                return Remedy(text, combined, _compilations(again)), again
            if not before and (pair := self.better(again, combined, least, text)) is not None:
                return pair
        return None


def _compilations(calls: Calls) -> int:
    return sum(call["compiles"] for call in calls)


def _merge(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    changes = {key: [*one.get(key, []), *value] if isinstance(value, list) else value for key, value in other.items()}
    return one | changes


def _candidates(calls: Sequence[dict[str, Any]], variations: Sequence[Variation]) -> Iterator[Remedy]:
    """Candidates for the guards that failed."""
    for guard in dict.fromkeys(call["guard"] for call in calls if call["guard"]):
        yield from _of_size(guard, variations)
        yield from _of_number(guard, variations)
    if any(call.get("ends") == LIMIT for call in calls):
        yield Remedy(
            f"torch.compile(…, recompile_limit={len(calls)}), if these are all the values", {"limit": len(calls)}
        )


def _of_size(guard: str, variations: Sequence[Variation]) -> Iterator[Remedy]:
    plain = _OWNER.sub(r"\1", guard)
    result = {(match["name"] or match["other"], int(match["dim"] or match["place"])) for match in _SIZE.finditer(plain)}
    for variation in variations:
        if variation.dim is None or not any(name == variation.argument for name, _ in result):
            continue
        mark = {"argument": variation.argument, "dim": variation.dim, "is_weak": False}
        yield Remedy(
            f"torch._dynamo.mark_dynamic({variation.argument}, {variation.dim}) before the call", {"marks": [mark]}
        )
        weak = f"torch._dynamo.maybe_mark_dynamic({variation.argument}, {variation.dim}) before the call"
        yield Remedy(weak, {"marks": [{**mark, "is_weak": True}]})


def _of_number(guard: str, variations: Sequence[Variation]) -> Iterator[Remedy]:
    plain = _OWNER.sub(r"\1", guard)
    places = {match["place"] for match in _NUMBER.finditer(plain)}
    by_key = {variation.key: variation for variation in variations if not variation.part}
    for place in sorted(places):
        item = by_key.get(place)
        numbers = item is not None and all(type(value) in (int, float) for value in item.values)
        if place.startswith("self.") and place.count(".") == 1 and (item is None or numbers):
            name = place.partition(".")[2]
            text = f'self.register_buffer("{name}", torch.tensor(self.{name}), persistent=False)'
            yield Remedy(text, {"tensors": [place]})
            yield Remedy("torch._dynamo.config.allow_unspec_int_on_nn_module = True", {"allow_unspec_int": True})
        elif item is not None and numbers:
            yield Remedy(f"pass torch.tensor({place}) for {place}", {"tensors": [place]})
