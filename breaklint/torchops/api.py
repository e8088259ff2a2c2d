"""Changes of the public API between two torch versions: options, functions, arguments."""

from __future__ import annotations

from typing import NamedTuple

from breaklint.torchops.tables import nearest, read_api, versions


class Changes(NamedTuple):
    """Names of one version that a newer one does not have.

    `removed` are functions, classes and re-exports by qualified name, `options` options of the compiler that are gone,
    `dead` those that nothing reads any more; `arguments` maps a function to its arguments that are gone, each with the
    one that takes its place, or "".
    """

    removed: frozenset[str]
    options: frozenset[str]
    dead: frozenset[str]
    arguments: dict[str, dict[str, str]]


def changes(older: str, newer: str) -> Changes:
    """The changes from one version to another, by the nearest versions that were measured."""
    old, new = (read_api(nearest(version, versions())) for version in (older, newer))
    names = {name: (row, new["names"].get(name, "")) for name, row in old["names"].items() if row}
    options = {name: (row, new["options"].get(name, "")) for name, row in old["options"].items() if row}
    groups = {name.rpartition(".")[0] for name in new["options"]}  # classes of options, which are there as well
    missing = {name: _removed_arguments(*rows) for name, rows in names.items()}
    return Changes(
        frozenset(name for name, (_, row) in names.items() if not row),
        frozenset(name for name, (_, row) in options.items() if not row and name not in groups),
        frozenset(name for name, (before, row) in options.items() if row == "dead" != before),
        {name: arguments for name, arguments in missing.items() if arguments},
    )


def _removed_arguments(old: str, new: str) -> dict[str, str]:
    """The removed arguments of a function; one removed beside one new argument counts as renamed."""
    if not (old.startswith("def") and new.startswith("def")) or new.endswith("**"):
        return {}
    before, after = old.split(" ")[1:], new.split(" ")[1:]
    removed, added = [name for name in before if name not in after], [name for name in after if name not in before]
    same_place = len(removed) == len(added) == 1 and before.index(removed[0]) == after.index(added[0])
    return dict.fromkeys(removed, added[0] if same_place else "")
