"""The check class that a card names."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from breaklint.errors import CardError
from breaklint.model import Rule
from breaklint.rules import checks
from breaklint.rules.base import CHECKS, Check


def check_class(rule: Rule) -> type[Check]:
    """The class that a card names. Only the last part of a dotted name counts: no module is imported."""
    classes, name = all_checks(), rule.check.rpartition(".")[2]
    result = classes.get(name)
    if result is None:
        from breaklint.source.did_you_mean import did_you_mean

        raise CardError(f"card {rule.code}: check {rule.check!r} does not exist{did_you_mean(name, classes)}")
    return result


@cache
def all_checks() -> dict[str, type[Check]]:
    """Every check class of breaklint/rules/checks by name; importing a module registers those in it."""
    for module in pkgutil.iter_modules(checks.__path__):
        import_module(f"{checks.__name__}.{module.name}")
    return CHECKS
