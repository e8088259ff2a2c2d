"""The tables that `scripts/torch_facts.py` generates.

`facts.json`, `signatures.json` and `api.json` contain the facts of the newest torch, `facts-2.13.json` and
`api-2.13.json` the differences of an older one. A run reads the files of its target version.

A row that the newest version lacks is present and empty, so that a section has the keys of all versions.

`unmeasured` in `facts.json` maps a section to the versions on which it was not measured. They have the rows of the
next newer version.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

Table = dict[str, dict[str, str]]
HERE: Final = Path(__file__).parent


@cache
def versions() -> tuple[str, ...]:
    """The torch versions that were measured, the oldest first."""
    return tuple(_read("facts")["versions"])


@cache
def read_table(version: str = "") -> Table:
    """The sections of a version, by default the newest."""
    table = _merged("facts", version)
    return {**table, "uses": {**table["refused"], **table["uses"], **table["packages"]}}


@cache
def read_signatures(version: str = "") -> Table:
    """`function_signatures` and `method_signatures` of a version: few runs need them."""
    return _merged("signatures", version)


@cache
def read_api(version: str = "") -> Table:
    """`names` and `options` of a version: only a comparison of versions needs them."""
    return _merged("api", version, "api")


def _merged(name: str, version: str, differing: str = "facts") -> Table:
    newest = _read(name)
    if version in ("", versions()[-1]):
        return newest
    measured = {section: _measured(section, version) for section in newest}
    last = versions()[-1]
    older = {section: _read(f"{differing}-{of}") if of != last else {} for section, of in measured.items()}
    return {section: {**rows, **older[section].get(section, {})} for section, rows in newest.items()}


def _measured(section: str, version: str) -> str:
    """The version whose entries a section uses for a version: itself, or the next newer measured one."""
    without = _read("facts")["unmeasured"].get(section, "").split(" ")
    return next((item for item in versions()[versions().index(version) :] if item not in without), version)


@cache
def _read(name: str) -> Table:
    table: Table = json.loads((HERE / f"{name}.json").read_bytes())
    return table


def nearest(target: str, candidates: tuple[str, ...]) -> str:
    """The newest measured version that is not newer than the target, or else the oldest."""
    not_newer = [version for version in candidates if release(version) <= release(target)]
    return max(not_newer, key=release) if not_newer else min(candidates, key=release)


def release(version: str) -> tuple[int, int]:
    """Major and minor number of a version; 0 if it is missing."""
    numbers = [int(part) for part in version.split(".")[:2] if part.isdigit()]
    return (*numbers, 0, 0)[0], (*numbers, 0, 0)[1]
