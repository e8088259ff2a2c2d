"""Finding and loading rules written in Python. Loading them runs them: see SECURITY.md for whose are loaded."""

from __future__ import annotations

import importlib
import os
import site
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from breaklint.errors import CardError, SourceError
from breaklint.model import Rule
from breaklint.rules.cards import card_paths, load_rules
from breaklint.rules.python_rules import PythonRule
from breaklint.source.decoding import read_source

PYTHON = ".py"
GROUP = "breaklint.rules"
NO_RULES = ("_", "test_", "conftest.")  # how names of files begin that hold none


def python_files(place: Path) -> list[Path]:
    """The files with Python rules at a place: itself, or those right in a folder."""
    if place.is_dir():
        return sorted(path for path in place.glob(f"*{PYTHON}") if not path.name.startswith(NO_RULES))
    return [place] if place.suffix == PYTHON else []


def holds_cards(place: Path) -> bool:
    """Whether a place is to be read as rule cards: all but a Python file."""
    return place.suffix != PYTHON or place.is_dir()


def rule_files(places: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """The cards and the Python files at some places; CardError for one that is neither."""
    places = list(places)
    cards = [card for place in places if holds_cards(place) for card in card_paths(place)]
    return cards, [path for place in places for path in python_files(place)]


def all_rules(cards: Sequence[str], python: Sequence[str]) -> tuple[Rule, ...]:
    """The built-in rules, those of cards, and those written in Python, ordered by code; CardError when one is wrong."""
    own = load_rules(tuple(map(Path, cards)))
    return tuple(sorted((*own, *(cls.card() for cls in load_python_rules(tuple(python)))), key=lambda rule: rule.code))


def load_python_rules(sources: tuple[str, ...], known: Iterable[Rule] = ()) -> tuple[type[PythonRule], ...]:
    """The rules of Python files, by path, and of installed packages, by the `module` or `module:Class` they name.

    CardError, naming the file, when one cannot be loaded, holds a rule that is wrong, or one whose code or name is
    taken, also by a `known` rule.
    """
    found: dict[str, tuple[type[PythonRule], str]] = {}
    taken = {label: f"{rule.code} {rule.name}" for rule in known for label in (rule.code, rule.name)}
    for source in dict.fromkeys(sources):
        for cls in _loaded(source):
            card = cls.card()
            for label in (card.code, card.name):
                if label in taken:
                    raise CardError(f"{source}: {cls.__name__}: {label} is taken by {taken[label]}")
                taken[label] = f"{card.code} {card.name} in {source}"
            found[card.code] = cls, source
    return tuple(cls for cls, _ in found.values())


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
    sys.modules[module.__name__] = module  # where dataclasses and pickles look for it
    try:
        exec(compile(read_source(path).text, path, "exec", dont_inherit=True), module.__dict__)
    except SourceError as error:
        raise CardError(str(error)) from error
    except (Exception, SystemExit) as error:
        raise CardError(_failed(path, error)) from error
    return tuple(_rules_in(module, path))


@cache
def _from_package(source: str) -> tuple[type[PythonRule], ...]:
    name, _, attribute = source.partition(":")
    try:
        module = importlib.import_module(name)
        found = getattr(module, attribute) if attribute else module
    except (Exception, SystemExit) as error:
        raise CardError(_failed(source, error)) from error
    if isinstance(found, types.ModuleType):
        return tuple(_rules_in(found, source))
    if isinstance(found, type) and issubclass(found, PythonRule):
        return (found,)
    raise CardError(f"{source}: is no rule; the entry point group {GROUP} names modules, or classes of LintRule")


def _rules_in(module: types.ModuleType, source: str) -> Iterator[type[PythonRule]]:
    """The rules that a module defines itself."""
    classes = (found for found in vars(module).values() if isinstance(found, type) and issubclass(found, PythonRule))
    return (cls for cls in classes if cls.__module__ == module.__name__ and cls.code)


def _failed(source: str, error: BaseException) -> str:
    """The line that tells why rules cannot be loaded, with the row in their file."""
    row, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == source:
            row = f":{trace.tb_lineno}"
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == source:
        row = f":{error.lineno}"
    return f"{source}{row}: rules cannot be loaded: {type(error).__name__}: {error}"


@cache
def installed_rules() -> tuple[str, ...]:
    """What the installed packages name in the entry point group `breaklint.rules`.

    Only folders count in which packages are installed: what lies in the current folder is not asked, though Python may
    import from there.
    """
    folders = [folder for folder in _site_folders() if folder in sys.path]
    if not any(map(_may_name_rules, folders)):
        return ()
    from importlib.metadata import distributions  # slow to import, and needed where there are such packages only

    points = (point for found in distributions(path=folders) for point in found.entry_points if point.group == GROUP)
    return tuple(sorted({point.value for point in points}))


def _site_folders() -> list[str]:
    folders = site.getsitepackages() if hasattr(site, "getsitepackages") else []
    return [*folders, *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]


def _may_name_rules(folder: str) -> bool:
    """Whether a package installed in a folder mentions the group; reads a few small files."""
    try:
        with os.scandir(folder) as entries:
            found = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return False
    for path in found:
        try:
            with open(os.path.join(path, "entry_points.txt"), "rb") as file:
                if GROUP.encode() in file.read():
                    return True
        except OSError:
            continue
    return False
