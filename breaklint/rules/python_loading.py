"""Loading rules written in Python, which runs them: see SECURITY.md for whose are loaded."""

from __future__ import annotations

import importlib
import os
import sys
import types
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from breaklint.errors import CardError, SourceError
from breaklint.model import Rule, Settings
from breaklint.rules.cards import load_rules
from breaklint.rules.python_rules import PythonRule
from breaklint.rules.python_sources import GROUP, PYTHON
from breaklint.source.decoding import read_source


def rules_of(settings: Settings) -> tuple[Rule, ...]:
    """All rules of some settings: built-in rules, cards, and rules in Python, sorted by code.

    CardError when one is wrong.
    """
    cards = load_rules(tuple(map(Path, settings.rules)))
    python_cards = [cls.card() for cls in load_python_rules(settings.python_rules, cards)]
    return tuple(sorted((*cards, *python_cards), key=lambda rule: rule.code))


def load_python_rules(sources: tuple[str, ...], cards: Iterable[Rule] = ()) -> tuple[type[PythonRule], ...]:
    """The rules of Python files, by path, and of installed packages, by the `module` or `module:Class` they name.

    CardError, naming the file, if one cannot be loaded, contains an invalid rule, or one whose code or name another
    rule, including one of `cards`, has.
    """
    result: dict[str, tuple[type[PythonRule], str]] = {}
    owners = {label: f"{rule.code} {rule.name}" for rule in cards for label in (rule.code, rule.name)}
    for source in dict.fromkeys(sources):
        for cls in _loaded(source):
            card = cls.card()
            for label in (card.code, card.name):
                if label in owners:
                    raise CardError(f"{source}: {cls.__name__}: {label} is taken by {owners[label]}")
                owners[label] = f"{card.code} {card.name} in {source}"
            result[card.code] = cls, source
    return tuple(cls for cls, _ in result.values())


def _loaded(source: str) -> tuple[type[PythonRule], ...]:
    if not source.endswith(PYTHON):
        return _from_package(source)
    try:
        status = os.stat(source)
    except OSError as error:
        raise CardError(f"{source}: rules cannot be read: {error.strerror or error}") from error
    return _from_file(source, status.st_mtime_ns, status.st_size)


@cache
def _from_file(path: str, _changed: int, _size: int) -> tuple[type[PythonRule], ...]:
    """The rules of a file; an editor's server loads it again when it has changed."""
    module = types.ModuleType(f"{GROUP}.{Path(path).stem}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses and pickles look it up there
    try:
        exec(compile(read_source(path).text, path, "exec", dont_inherit=True), module.__dict__)
    except SourceError as error:
        raise CardError(str(error)) from error
    except (Exception, SystemExit) as error:
        raise CardError(_failed(path, error)) from error
    return tuple(_rules_in(module))


@cache
def _from_package(source: str) -> tuple[type[PythonRule], ...]:
    name, _, attribute = source.partition(":")
    try:
        module = importlib.import_module(name)
        result = getattr(module, attribute) if attribute else module
    except (Exception, SystemExit) as error:
        raise CardError(_failed(source, error)) from error
    if isinstance(result, types.ModuleType):
        return tuple(_rules_in(result))
    if isinstance(result, type) and issubclass(result, PythonRule):
        return (result,)
    raise CardError(f"{source}: is not a rule; the entry point group {GROUP} names modules, or classes of LintRule")


def _rules_in(module: types.ModuleType) -> Iterator[type[PythonRule]]:
    """The rules that a module defines itself."""
    classes = (var for var in vars(module).values() if isinstance(var, type) and issubclass(var, PythonRule))
    return (cls for cls in classes if cls.__module__ == module.__name__ and cls.code)


def _failed(source: str, error: BaseException) -> str:
    """The reason why rules cannot be loaded, and the line in their file."""
    row, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == source:
            row = f":{trace.tb_lineno}"
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == source:
        row = f":{error.lineno}"
    return f"{source}{row}: rules cannot be loaded: {type(error).__name__}: {error}"
