"""Pytest plugin: two fixtures, a marker, and a summary of the graph breaks that tests met.

Loaded by every pytest run where breaklint is installed, so it imports nothing but pytest until a test asks for it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from breaklint.testing import Traced

PROPERTY = "graph_breaks"
MARKER = "no_graph_breaks(allow=[], own_paths=[], max_recompiles=None): fail when what the test compiles breaks"

NOTHING = (
    "the marker no_graph_breaks watches what the test compiles, and this test compiles nothing: call "
    "torch.compile(model)(x) in the test, or use the fixture, assert_no_graph_breaks(model, x)"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Settings of the project, which hold for every test."""
    parser.addini("graph_breaks_allow", "Graph breaks that may stay: GB0170, FILE or FILE:ROW.", "linelist", [])
    parser.addini("graph_breaks_own_paths", "Count only graph breaks in code below these folders.", "paths", [])


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture
def graph_breaks(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`graph_breaks(model, *args, **kwargs)`: the list of breaks, as `breaklint.testing.graph_breaks` gives it."""
    from breaklint.testing import trace

    def run(model: Callable[..., Any], *args: Any, **kwargs: Any) -> list[Any]:
        own_paths = kwargs.pop("own_paths", _own_paths(request.config))
        traced = trace(model, args, kwargs, own_paths, calls=1)
        _remember(request.node, traced)
        return list(traced.breaks)

    return run


@pytest.fixture
def assert_no_graph_breaks(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`assert_no_graph_breaks(model, *args, allow=[], own_paths=[], max_recompiles=None, **kwargs)`, as in testing."""
    from breaklint.testing import CALLS, judge, listed, name_of, trace

    def run(
        model: Callable[..., Any], *args: Any, allow: Any = (), max_recompiles: int | None = None, **kwargs: Any
    ) -> None:
        own_paths = kwargs.pop("own_paths", _own_paths(request.config))
        traced = trace(model, args, kwargs, own_paths, calls=1 if max_recompiles is None else CALLS)
        _remember(request.node, traced)
        if wrong := judge(traced, [*_allowed(request.config), *listed(allow)], own_paths, max_recompiles):
            pytest.fail(f"{name_of(model)}: {wrong}", pytrace=False)

    return run


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Of a test with the marker, watch all that it compiles."""
    marker = item.get_closest_marker("no_graph_breaks")
    if marker is None:
        return (yield)
    from breaklint.testing import judge, listed, watch

    asked = _asked(marker)
    own_paths = asked.own_paths or _own_paths(item.config)
    with watch(own_paths) as seen:
        result = yield
    if not (seen.traced.compilations or seen.traced.breaks):
        pytest.fail(NOTHING, pytrace=False)
    _remember(item, seen.traced)
    if wrong := judge(seen.traced, [*_allowed(item.config), *listed(asked.allow)], own_paths, asked.max_recompiles):
        pytest.fail(wrong, pytrace=False)
    return result


@dataclass(frozen=True)
class _Asked:
    """The arguments of the marker."""

    allow: Any = ()
    own_paths: Any = ()
    max_recompiles: int | None = None


def _asked(marker: pytest.Mark) -> _Asked:
    from breaklint.source.did_you_mean import did_you_mean

    names = [field.name for field in fields(_Asked)]
    for name in marker.kwargs:
        if name not in names:
            told = did_you_mean(name, names, f"; known are {', '.join(names)}")
            pytest.fail(f"the marker no_graph_breaks has no argument `{name}`{told}", pytrace=False)
    return _Asked(*marker.args, **marker.kwargs)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Every line that broke, and in how many tests."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind if _is_call(report)]
    told = [json.loads(value) for report in reports for name, value in report.user_properties if name == PROPERTY]
    if not told:
        return
    tests = Counter(line for lines in told for line in dict.fromkeys(lines))
    terminalreporter.section("graph breaks")
    for line, count in tests.most_common():
        terminalreporter.write_line(f"{_counted(count, 'test')}  {line}")
    traced, broken = _counted(len(told), "model"), sum(map(bool, told))
    terminalreporter.write_line(f"{traced} traced, {broken} with graph breaks, on {_counted(len(tests), 'line')}")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _is_call(report: object) -> bool:
    return isinstance(report, pytest.TestReport) and report.when == "call"


def _remember(item: pytest.Item, traced: Traced) -> None:
    """User properties travel with the report, also from the processes of pytest-xdist, and into JUnit files."""
    from breaklint.testing import line

    item.user_properties.append((PROPERTY, json.dumps([line(broken) for broken in traced.breaks])))


def _allowed(config: pytest.Config) -> list[str]:
    return list(config.getini("graph_breaks_allow"))


def _own_paths(config: pytest.Config) -> list[str]:
    return [str(path) for path in config.getini("graph_breaks_own_paths")]
