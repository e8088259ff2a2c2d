"""Profiles that come from elsewhere: a wrong row, path, version or name costs a line of a report at most."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from harness import RunBreaklint, WriteFiles
from test_join import BY, FORWARD, NET, PLACE, broken, check, profile, said

from breaklint.observe.profile import Break, FunctionState, Recompile, text_of

CLEAN = [(6, "BRK101", "unreached"), (8, "BRK101", "unreached")]


def altered(change: Callable[[dict[str, Any]], Any]) -> str:
    """A sound profile of the net, changed as data."""
    data = json.loads(text_of(profile(NET, FORWARD, broken(2))))
    change(data)
    return json.dumps(data)


def _function(data: dict[str, Any]) -> dict[str, Any]:
    (torches,) = data["files"]["net.py"][FORWARD].values()
    seen: dict[str, Any] = torches["2.13.0"]
    return seen


def _moved(path: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["files"].__setitem__(path, data["files"].pop("net.py"))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_moved("../net.py"), id="a path outside"),
        pytest.param(_moved("/net.py"), id="an absolute path"),
        pytest.param(_moved("site-packages/net.py"), id="a path of an installed file"),
        pytest.param(_moved("net.py/../net.py"), id="a path that is not written as observe does"),
        pytest.param(lambda data: _function(data)["breaks"][0].update(row=99), id="a row behind the function"),
        pytest.param(lambda data: _function(data)["breaks"][0].update(row=0), id="no row"),
        pytest.param(lambda data: _function(data).update(breaks=[], recompiles=[]), id="an empty list"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_file_confirms_nothing(
    write_files: WriteFiles, breaklint: RunBreaklint, change: Callable[[dict[str, Any]], Any]
) -> None:
    write_files({"net.py": NET, PLACE: altered(change)})
    done = check(breaklint)
    assert "Traceback" not in done.stderr
    result = [item for item in said(done) if item[1] < "BRK9"]
    assert [(row, code) for row, code, _ in result] == [(row, code) for row, code, _ in CLEAN]
    assert "confirmed" not in {state for _, _, state in result}


@pytest.mark.parametrize("output", ["full", "json", "sarif", "github", "concise"])
@pytest.mark.parametrize("text", ["\ud800", "\x00", "::error::x\r\n::error::y", "a" * 100_000, "\u202e", "\x1b[2J"])
def test_texts_of_a_profile_break_no_output(
    write_files: WriteFiles, breaklint: RunBreaklint, output: str, text: str
) -> None:
    seen = FunctionState(frozenset({2}), (Break(2, text, text, by=(text,)),), (Recompile(2, text, (text,)),), (text,))
    write_files({"net.py": NET, PLACE: text_of(profile(NET, "Net.extra", seen))})
    done = breaklint("check", "--isolated", "--output-format", output, "net.py")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert not any(line.startswith("::error::") for line in done.stdout.splitlines())
    assert "\x1b" not in done.stdout


def test_rows_without_end_are_refused(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    """A few bytes name 100,000 rows: a megabyte of them would take all memory."""
    many = {f"f{number}": {"0" * 16: {"2.13.0": {"traced": "1-100000"}}} for number in range(20_000)}
    write_files({"net.py": NET, PLACE: json.dumps({"format": 1, "files": {"net.py": many}, "entries": {}})})
    done = check(breaklint)
    assert [state for _, _, state in said(done)] == [None, None]
    assert "observed.json: damaged" in done.stderr


@pytest.mark.parametrize("bad", ["{", "missing"])
def test_a_merge_with_what_is_no_profile_writes_nothing(
    write_files: WriteFiles, breaklint: RunBreaklint, bad: str
) -> None:
    folder = write_files({"a.json": text_of(profile(NET, FORWARD, broken(2))), "b.json": bad, PLACE: "kept"})
    other = "b.json" if bad == "{" else "missing.json"
    assert breaklint("observe", "--merge", "a.json", other).returncode == 2
    assert (folder / PLACE).read_text() == "kept"


def test_a_profile_that_knows_a_function_of_that_text_elsewhere_speaks_of_that_one(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    """Two classes with the same method: what was seen of one is not said of the other."""
    twice = NET + "\n\n" + NET.partition("\n\n\n")[2].replace("class Net", "class Other")
    write_files(
        {
            "net.py": twice,
            PLACE: text_of(profile(twice, FORWARD, FunctionState(frozenset({2}), broken(2).breaks, by=BY))),
        }
    )
    states = {row: state for row, code, state in said(check(breaklint)) if code == "BRK101"}
    assert sorted(states.values()) == ["confirmed", "unreached", "unreached", "unreached"]
    assert states[6] == "confirmed"
