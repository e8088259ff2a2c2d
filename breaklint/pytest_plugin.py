"""Pytest plugin: two fixtures, a marker, and a summary of the graph breaks that tests met.

Loaded by every pytest run if breaklint is installed, so that it imports only pytest until a test uses it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from breaklint.dynamo.events import Break

PROPERTY = "graph_breaks"
MARKER = (
    "no_graph_breaks(allow=[], own_paths=[], max_recompiles=None): fail if code that the test compiles breaks the graph"
)

NOTHING = (
    "the marker no_graph_breaks needs a test that compiles, and this test compiles nothing: call "
    "torch.compile(model)(x) in the test, or use the fixture, assert_no_graph_breaks(model, x)"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Settings of the project, which hold for every test."""
    parser.addini("graph_breaks_allow", "Accepted graph breaks: GB0170, FILE or FILE:ROW.", "linelist", [])
    parser.addini("graph_breaks_own_paths", "Count only graph breaks in code below these folders.", "paths", [])


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture
def graph_breaks(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`graph_breaks(model, *args, **kwargs)`: the list of breaks, as `breaklint.testing.graph_breaks` gives it."""
    from breaklint import testing

    def run(model: Callable[..., Any], *args: Any, **kwargs: Any) -> list[Break]:
        breaks = testing.graph_breaks(model, *args, **{"own_paths": _own_paths(request.config), **kwargs})
        _remember(request.node, breaks)
        return breaks

    return run


@pytest.fixture
def assert_no_graph_breaks(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`assert_no_graph_breaks(model, *args, **options)`, as in testing."""
    from breaklint.testing import as_list, judge, name_of, trace

    def run(
        model: Callable[..., Any],
        *args: Any,
        allow: Any = (),
        max_recompiles: int | None = None,
        more_calls: Any = (),
        **kwargs: Any,
    ) -> None:
        own_paths = kwargs.pop("own_paths", _own_paths(request.config))
        listener = trace(model, args, kwargs, max_recompiles, more_calls)
        _remember(request.node, listener.breaks(as_list(own_paths)))
        patterns = [*_allow_patterns(request.config), *as_list(allow)]
        if wrong := judge(listener, patterns, own_paths, max_recompiles):
            pytest.fail(f"{name_of(model)}: {wrong}", pytrace=False)

    return run


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """For a test with the marker, watch everything that it compiles."""
    marker = item.get_closest_marker("no_graph_breaks")
    if marker is None:
        return (yield)
    from breaklint.testing import as_list, judge, watch

    options = _arguments(marker)
    own_paths = options.own_paths or _own_paths(item.config)
    with watch() as listener:
        result = yield
    if not (listener.compilations or listener.reports):
        pytest.fail(NOTHING, pytrace=False)
    _remember(item, listener.breaks(as_list(own_paths)))
    patterns = [*_allow_patterns(item.config), *as_list(options.allow)]
    if wrong := judge(listener, patterns, own_paths, options.max_recompiles):
        pytest.fail(wrong, pytrace=False)
    return result


class _Allowed(NamedTuple):
    """The arguments of the marker."""

    allow: Any = ()
    own_paths: Any = ()
    max_recompiles: int | None = None


def _arguments(marker: pytest.Mark) -> _Allowed:
    from breaklint.source.did_you_mean import did_you_mean

    for name in marker.kwargs:
        if name not in _Allowed._fields:
            output = did_you_mean(name, _Allowed._fields, f"; valid are {', '.join(_Allowed._fields)}")
            pytest.fail(f"the marker no_graph_breaks has no argument `{name}`{output}", pytrace=False)
    return _Allowed(*marker.args, **marker.kwargs)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Every line with a break, and the number of tests."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind if _is_call(report)]
    results = [json.loads(value) for report in reports for name, value in report.user_properties if name == PROPERTY]
    if not results:
        return
    from breaklint.output.wording import number_of

    tests = Counter(line for lines in results for line in dict.fromkeys(lines))
    terminalreporter.section("graph breaks")
    for line, count in tests.most_common():
        terminalreporter.write_line(f"{number_of(count, 'test')}  {line}")
    models, broken = number_of(len(results), "model"), sum(map(bool, results))
    terminalreporter.write_line(f"{models} traced, {broken} with graph breaks, on {number_of(len(tests), 'line')}")


def _is_call(report: object) -> bool:
    return isinstance(report, pytest.TestReport) and report.when == "call"


def _remember(item: pytest.Item, breaks: Iterable[Break]) -> None:
    """User properties travel with the report, also from the processes of pytest-xdist, and into JUnit files."""
    from breaklint.testing import line

    item.user_properties.append((PROPERTY, json.dumps([line(broken) for broken in breaks])))


def _allow_patterns(config: pytest.Config) -> list[str]:
    return list(config.getini("graph_breaks_allow"))


def _own_paths(config: pytest.Config) -> list[str]:
    return [str(path) for path in config.getini("graph_breaks_own_paths")]
