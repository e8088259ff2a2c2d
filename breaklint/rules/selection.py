"""Which rules are on: by code or name, by torch version, by file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from functools import lru_cache

from breaklint.errors import UsageError
from breaklint.model import Applicability, Rule, Settings, Severity
from breaklint.source.patterns import pattern_spec
from breaklint.torchops.torch_versions import holds

TURNED_OFF = "the settings turn the fixes of this rule off (`fixable`, `unfixable`)"
CALLERS = "BRK801"  # off unless requested: the finding to act on is the one in the callee


def active_rules(rules: tuple[Rule, ...], settings: Settings) -> tuple[Rule, ...]:
    """The rules that the settings select and that apply to the target torch; raises UsageError for an unknown
    selector."""
    for selector in _selectors(settings):
        if not any(selects(selector, rule) for rule in rules):
            where = f" (configuration in {settings.root})" if settings.root else ""
            waiting = "; rules in Python that the configuration names are not run" if settings.untrusted_rules else ""
            raise UsageError(f"no rule is called {selector!r}{where}{near(selector, rules)}{waiting}")
    chosen = (rule for rule in rules if _chosen(rule, settings.select, settings.ignore, settings.extend_select))
    enabled = (rule for rule in chosen if rule.code != CALLERS or settings.show_callers)
    return tuple(variant for rule in enabled if (variant := for_version(rule, settings.target_torch)) is not None)


def codes(rules: Iterable[Rule]) -> set[str]:
    """The codes of rules, with those that they had before."""
    return {code for rule in rules for code in (rule.code, *rule.aliases)}


def for_version(rule: Rule, torch: str) -> Rule | None:
    """The rule with the patterns for a torch version, or None if it does not apply."""
    match = tuple(item for item in rule.match if not item.torch or holds(item.torch, torch))
    if not holds(rule.torch, torch) or (rule.match and not match):
        return None
    return rule if len(match) == len(rule.match) else rule._replace(match=match)


def near(label: str, rules: Sequence[Rule]) -> str:
    """A suggestion for an unknown code or name, as the end of an error message."""
    from breaklint.source.did_you_mean import did_you_mean, suggestion  # of use to errors only

    holding = [rule.name for rule in rules if label.lower() in rule.name]
    names = [name for rule in rules for name in (rule.code, rule.name)]
    return (
        suggestion(holding[:3])
        if holding
        else did_you_mean(label, names, "; `breaklint rule` lists them", likeness=0.7)
    )


def _selectors(settings: Settings) -> Iterator[str]:
    yield from (*settings.select, *settings.ignore, *settings.extend_select, *settings.fixable, *settings.unfixable)
    yield from (*settings.extend_safe_fixes, *settings.extend_unsafe_fixes)
    yield from (selector for selector, _ in settings.severity)
    yield from (selector for _, selectors in settings.per_file_ignores for selector in selectors)


def selects(selector: str, rule: Rule) -> bool:
    """Whether a selector (`BRK2`, `BRK201`, `tensor-item`, `ALL`) names a rule, as it is or was called."""
    upper = selector.upper()
    labels = (rule.code, rule.name, *rule.aliases)
    return upper == "ALL" or any(label.startswith(upper) or label == selector for label in labels)


def may_be_fixed(rule: Rule, settings: Settings) -> bool:
    """Whether `fixable` and `unfixable` allow the fixes of a rule."""
    return _chosen(rule, settings.fixable, settings.unfixable)


def applicability(rule: Rule, settings: Settings, own: Applicability) -> Applicability:
    """How far the settings trust a fix that is `own` by itself; advice stays advice."""
    safe, unsafe = _heaviest(settings.extend_safe_fixes, rule), _heaviest(settings.extend_unsafe_fixes, rule)
    if own is Applicability.DISPLAY or safe == unsafe == -1:
        return own
    return Applicability.SAFE if safe > unsafe else Applicability.UNSAFE


def severity(rule: Rule, settings: Settings, own: Severity) -> Severity:
    """The severity of a rule's finding in the settings, by the longest selector that names the rule; else `own`."""
    by_weight = {_weight(selector, rule): value for selector, value in settings.severity if selects(selector, rule)}
    return Severity(by_weight[max(by_weight)]) if by_weight else own


def _chosen(rule: Rule, on: Sequence[str], off: Sequence[str], also: Sequence[str] = ()) -> bool:
    """Whether the longest selector that names the rule is in `on` or `also`; `off` wins over one of the same length.

    If `on` is empty, everything that is not in `off` is selected.
    """
    expected, unwanted = _heaviest((*on, *also), rule), _heaviest(off, rule)
    return (expected >= 0 or not on) and (unwanted < 0 or expected > unwanted)


def _heaviest(selectors: Sequence[str], rule: Rule) -> int:
    return max((_weight(selector, rule) for selector in selectors), default=-1)


def _weight(selector: str, rule: Rule) -> int:
    if not selects(selector, rule):
        return -1
    return 0 if selector.upper() == "ALL" else len(selector)


def is_ignored(settings: Settings, path: str, rule: Rule) -> bool:
    """Whether `per-file-ignores` turns a rule off in a file.

    A pattern matches the path as it is spelled, or like a line of .gitignore relative to the configuration's folder.
    """
    return any(
        selects(selector, rule) and _covers(pattern, path, settings.root)
        for pattern, selectors in settings.per_file_ignores
        for selector in selectors
    )


@lru_cache(maxsize=4096)
def _covers(pattern: str, path: str, root: str) -> bool:
    return fnmatch(path, pattern) or pattern_spec((pattern,)).match_file(os.path.relpath(path, root or os.curdir))
