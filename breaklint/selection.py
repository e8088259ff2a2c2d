"""Which rules are on: by code or name, by torch version, by file."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from functools import lru_cache

from breaklint.errors import UsageError
from breaklint.model import Rule, Settings

CALLERS = "BRK801"  # off unless asked for: the finding to act on is the one in the callee


def active_rules(rules: tuple[Rule, ...], settings: Settings) -> tuple[Rule, ...]:
    """The rules that the settings select and that hold for the target torch; raises UsageError for an unknown
    selector."""
    for selector in (*settings.select, *settings.ignore, *settings.extend_select):
        if not any(selects(selector, rule) for rule in rules):
            raise UsageError(f"no rule is called {selector!r}; `breaklint rule` lists them")
    rules = tuple(rule for rule in rules if rule.code != CALLERS or settings.show_callers)
    return tuple(rule for rule in rules if _selected(rule, settings) and holds_for(rule.torch, settings.target_torch))


def selects(selector: str, rule: Rule) -> bool:
    """Whether a selector (`BRK2`, `BRK201`, `tensor-item`, `ALL`) names a rule."""
    return selector.upper() == "ALL" or rule.code.startswith(selector.upper()) or rule.name == selector


def _selected(rule: Rule, settings: Settings) -> bool:
    """The longest selector that names the rule wins, an ignore before a select of the same length."""
    on = max((_weight(s, rule) for s in (*settings.select, *settings.extend_select)), default=-1)
    off = max((_weight(s, rule) for s in settings.ignore), default=-1)
    if off >= 0 and off >= on:
        return False
    return on >= 0 or not settings.select


def _weight(selector: str, rule: Rule) -> int:
    if not selects(selector, rule):
        return -1
    return 0 if selector.upper() == "ALL" else len(selector)


def holds_for(specifier: str, version: str) -> bool:
    """Whether a torch version meets a card's `torch:` specifier; an empty one holds for all."""
    if not specifier:
        return True
    from packaging.specifiers import SpecifierSet  # costs 20 ms, and few cards need it

    return SpecifierSet(specifier).contains(version, prereleases=True)


def is_ignored(settings: Settings, path: str, code: str, name: str) -> bool:
    """Whether `per-file-ignores` turns a rule off in a file: by its code, a prefix of it, or its name.

    A pattern holds for the path as it is spelled, or like a line of .gitignore relative to the configuration's folder.
    """
    return any(
        (code.startswith(ignored) or name == ignored) and _covers(pattern, path, settings.root)
        for pattern, codes in settings.per_file_ignores
        for ignored in codes
    )


@lru_cache(maxsize=4096)
def _covers(pattern: str, path: str, root: str) -> bool:
    if fnmatch(path, pattern):
        return True
    from pathspec import GitIgnoreSpec  # slow to import, and needed by few runs

    return GitIgnoreSpec.from_lines([pattern]).match_file(os.path.relpath(path, root or os.curdir))
