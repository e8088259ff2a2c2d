"""The profile `.breaklint/observed.json`: Dynamo's results by the text of a function and torch version.

It is sorted and contains no times: the same tests give the same text. All input is validated, because a profile may
come with a checkout; lines count from the first line of their function.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from breaklint.errors import BreaklintError, SourceError
from breaklint.source.decoding import read_bytes

FORMAT = 1
INSTALLED = "site-packages/"  # the start of the path of a file outside the project
_VERSION = re.compile(r"\d{1,4}\.\d{1,4}[\w.]{0,20}", re.ASCII)
NAMES, GUARDS, REASON, MOST_ROWS, MOST_TRACED = 5, 16, 400, 100_000, 5_000_000
"""How many tests are named a line, guards a function; characters of a reason; rows of a function, traced ones of a
profile."""


class ProfileError(BreaklintError):
    """A profile cannot be read; the message names it and the reason."""


class Break(NamedTuple):
    """A line with a break, by its id and Dynamo's reason; `gave_up`: the rest of the function ran in eager mode.

    `by` are the tests or scripts that led there, the first few in order.
    """

    row: int
    gb: str
    reason: str
    gave_up: bool = False
    by: tuple[str, ...] = ()


class Recompile(NamedTuple):
    """The reason why a function was recompiled, with the line of the guard in it (0: none)."""

    row: int
    reason: str
    by: tuple[str, ...] = ()


class FunctionState(NamedTuple):
    """Dynamo's results for one function under one torch version; `with_callee`: it skipped the function because of a
    break in a callee."""

    traced: frozenset[int] = frozenset()
    breaks: tuple[Break, ...] = ()
    recompiles: tuple[Recompile, ...] = ()
    by: tuple[str, ...] = ()
    with_callee: bool = False

    @property
    def given_up(self) -> bool:
        """Whether Dynamo skipped the rest of the function, which ran in eager mode."""
        return self.with_callee or any(item.gave_up for item in self.breaks)


class Key(NamedTuple):
    """A function as it is written, under one torch version; `path` is relative to the project."""

    path: str
    function: str
    digest: str
    torch: str


Profile = Mapping[Key, FunctionState]
"""The observed state of every function."""


def few(names: Iterable[str], most: int = NAMES) -> tuple[str, ...]:
    """The first of some names in order, so that it makes no difference in which order profiles merge."""
    return tuple(sorted(set(names))[:most])


def merge(profiles: Iterable[Profile]) -> Profile:
    """One profile of several; merging is associative, commutative and idempotent."""
    functions: dict[Key, FunctionState] = {}
    for profile in profiles:
        for key, state in profile.items():
            functions[key] = _both(functions[key], state) if key in functions else state
    return functions


def _both(one: FunctionState, other: FunctionState) -> FunctionState:
    breaks: dict[tuple[int, str], Break] = {}
    for item in (*one.breaks, *other.breaks):
        old = breaks.get((item.row, item.gb), item)
        gave_up, by = old.gave_up or item.gave_up, few([*old.by, *item.by])
        breaks[item.row, item.gb] = Break(item.row, item.gb, min(old.reason, item.reason), gave_up, by)
    recompiles: dict[tuple[int, str], Recompile] = {}
    for again in (*one.recompiles, *other.recompiles):
        same = recompiles.get((again.row, again.reason), again)
        recompiles[again.row, again.reason] = again._replace(by=few([*same.by, *again.by]))
    forms = sorted(recompiles.values())[:GUARDS]
    traced = one.traced | other.traced
    by, with_callee = few([*one.by, *other.by]), one.with_callee or other.with_callee
    return FunctionState(traced, tuple(sorted(breaks.values())), tuple(forms), by, with_callee)


def text_of(profile: Profile) -> str:
    """The profile as JSON, one line per function."""
    files: dict[str, Any] = {}
    for key, state in sorted(profile.items()):
        functions = files.setdefault(key.path, {}).setdefault(key.function, {})
        functions.setdefault(key.digest, {})[key.torch] = _to_data(state)
    data = {"format": FORMAT, "files": files}
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def _to_data(state: FunctionState) -> dict[str, Any]:
    data = {
        "traced": _ranges(state.traced),
        "breaks": [item._asdict() for item in state.breaks],
        "recompiles": [recompile._asdict() for recompile in state.recompiles],
        "by": state.by,
        "with_callee": state.with_callee,
    }
    return {name: value for name, value in data.items() if value}


def _ranges(rows: Iterable[int]) -> str:
    """Rows as `1-4 7`."""
    runs: list[list[int]] = []
    for row in sorted(rows):
        if runs and runs[-1][1] == row - 1:
            runs[-1][1] = row
        else:
            runs.append([row, row])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def read(path: Path) -> Profile:
    """The profile in a file.

    Raises: ProfileError: there is none, it cannot be read, or it is not a profile of this format.
    """
    try:
        data = json.loads(read_bytes(str(path)))
    except SourceError as error:
        raise ProfileError(str(error)) from error
    except (ValueError, RecursionError):
        raise ProfileError(f"{path}: no profile of breaklint observe: not JSON; run breaklint observe again") from None
    if not isinstance(data, dict) or type(data.get("format")) is not int or data["format"] != FORMAT:
        raise ProfileError(f"{path}: no profile of this version of breaklint; run breaklint observe again")
    try:
        return _profile(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ProfileError(f"{path}: damaged; run breaklint observe again") from None


def _profile(data: dict[str, Any]) -> Profile:
    functions: dict[Key, FunctionState] = {}
    remaining = MOST_TRACED
    for path, names in data["files"].items():
        for name, digests in names.items():
            for digest, torches in digests.items():
                for torch, entry in torches.items():
                    state = _from_data(entry)
                    remaining -= len(state.traced)
                    if remaining < 0:  # a few bytes stand for many rows
                        raise ValueError(path)
                    if _are_names(path, name, digest):
                        functions[Key(path, name, digest, _version(torch))] = state
    return functions


def _are_names(*names: str) -> bool:
    """Whether a terminal can print these names. Other characters are not replaced: the names would be wrong."""
    return all(name.isprintable() for name in names)


def _from_data(data: dict[str, Any]) -> FunctionState:
    rows = frozenset(row for part in _text(data.get("traced", "")).split() for row in _run(part))
    breaks = tuple(
        Break(_row(item["row"]), _text(item["gb"]), _text(item["reason"]), item["gave_up"] is True, _texts(item["by"]))
        for item in _list(data.get("breaks", []))
    )
    recompiles = tuple(
        Recompile(_row(item["row"]), _text(item["reason"]), _texts(item["by"]))
        for item in _list(data.get("recompiles", []))
    )
    return FunctionState(rows, breaks, recompiles, _texts(data.get("by", [])), data.get("with_callee") is True)


def _run(part: str) -> range:
    first, _, last = part.partition("-")
    return range(_row(int(first)), _row(int(last or first)) + 1)


def _row(row: Any) -> int:
    if type(row) is not int or not 0 <= row <= MOST_ROWS:
        raise ValueError(row)
    return row


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return " ".join(value.encode("utf-8", "replace").decode().split())  # which every output can write


def _version(value: Any) -> str:
    if not _VERSION.fullmatch(_text(value)):
        raise ValueError(value)
    return _text(value)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))
