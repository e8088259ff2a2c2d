"""Tests that are run at night: more cases of what others test by day (`make nightly`; CONTRIBUTING.md names them)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest


def by_day(values: Iterable[Any], names: Collection[str], name: Callable[[Any], str]) -> list[Any]:
    """Parameters with their names as ids, those that are not in `names` for the night; KeyError for an unknown name."""
    known = {name(value): value for value in values}
    if missing := {*names} - known.keys():
        raise KeyError(*sorted(missing))
    return [
        pytest.param(value, id=item, marks=() if item in names else pytest.mark.nightly)
        for item, value in known.items()
    ]


def selected(request: pytest.FixtureRequest, argument: str) -> list[Any]:
    """What the tests of the requesting file that are run in this session get as `argument`, each once."""
    ours = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    return list(dict.fromkeys(item.callspec.params[argument] for item in ours if argument in item.callspec.params))


def one_in(step: int, values: Iterable[Any], ids: Iterable[str] | None = None) -> list[Any]:
    """Parameters of which the first, and every `step`-th after it, is tested by day and the others at night."""
    values = list(values)
    return [
        pytest.param(value, id=item, marks=pytest.mark.nightly if number % step else ())
        for number, (value, item) in enumerate(zip(values, ids or map(str, values), strict=True))
    ]
