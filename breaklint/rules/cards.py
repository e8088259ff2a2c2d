"""The rule cards of a run, from their files or from the cache. docs/cards.md describes every key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from breaklint.errors import CardError
from breaklint.model import Effect, Example, Match, Rule, Severity, Target
from breaklint.rules.card_cache import read_cached, write_cached
from breaklint.rules.python_sources import PYTHON
from breaklint.source.resources import rules_dir


def load_rules(extra: Sequence[Path] = ()) -> tuple[Rule, ...]:
    """The built-in cards and those of `extra` (files, or folders of `*.yaml`), ordered by code.

    Raises CardError for a card that is wrong, and for two cards of one code or name.
    """
    return _load(tuple(extra))


@cache
def _load(extra: tuple[Path, ...]) -> tuple[Rule, ...]:
    cards = _built_in() | _read(path for place in extra for path in card_paths(place))
    _refuse_twins(cards)
    return tuple(sorted(cards.values(), key=lambda rule: rule.code))


@cache
def _built_in() -> dict[Path, Rule]:
    return _read(card_paths(rules_dir()))


def _read(files: Iterable[Path]) -> dict[Path, Rule]:
    paths = [*dict.fromkeys(files)]
    if not paths:
        return {}
    if (cached := read_cached(paths)) is not None:
        return dict(zip(paths, map(_from_json, cached), strict=True))
    from breaklint.rules.card_parsing import read_card  # with PyYAML: slower than the check of a small file

    rules = [read_card(path) for path in paths]
    write_cached(paths, rules)
    return dict(zip(paths, rules, strict=True))


def card_paths(place: Path) -> list[Path]:
    """The card files at a place: itself, or the `*.yaml` of a folder. A Python file contains rules, not cards."""
    if os.path.isdir(place):
        return sorted(place.glob("*.yaml"))
    if place.suffix == PYTHON:
        return []
    if place.suffix not in (".yaml", ".yml"):
        raise CardError(f"{place}: no rule card; give a YAML file (*.yaml) or a folder of them")
    if not os.path.exists(place):
        raise CardError(f"{place}: no such rule card; give a YAML file or a folder of them")
    return [place]


def _refuse_twins(cards: Mapping[Path, Rule]) -> None:
    own, seen = rules_dir(), dict[str, str]()
    for path, rule in cards.items():
        for label in (rule.code, rule.name, *rule.aliases):
            if label in seen:
                raise CardError(f"{path}: {label} is taken by {seen[label]}")
            seen[label] = f"{rule.code} {rule.name}" + (f" in {path}" if path.parent != own else "")


def _from_json(row: list[Any]) -> Rule:
    """A rule from JSON, in which every tuple is a list."""
    rule = Rule._make(row)
    return rule._replace(
        effect=Effect(rule.effect),
        severity=Severity(rule.severity),
        dynamo=tuple(rule.dynamo),
        aliases=tuple(rule.aliases),
        targets=tuple(map(Target._make, rule.targets)),
        fix_alternatives=tuple(rule.fix_alternatives),
        match=tuple(map(_match_from_json, rule.match)),
        examples=tuple(example._replace(inputs=tuple(example.inputs)) for example in map(Example._make, rule.examples)),
    )


def _match_from_json(row: Sequence[Any]) -> Match:
    kind, names, on, where, *rest = row
    return Match(kind, tuple(names), tuple(on), tuple((name, tuple(kinds)) for name, kinds in where), *rest)
