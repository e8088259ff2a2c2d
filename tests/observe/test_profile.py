"""The profile: a stable text, merging, and what becomes of files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breaklint.observe.functions import Functions
from breaklint.observe.place import root_of
from breaklint.observe.profile import Break, FunctionState, Key, Profile, ProfileError, Recompile, merge, read, text_of

NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=7).map(lambda names: tuple(sorted(set(names))[:5]))
ROWS = st.integers(1, 9)
BREAK = st.builds(Break, ROWS, st.sampled_from(["GB0001", ""]), st.sampled_from("xy"), st.booleans(), NAMES)
SEEN = st.builds(
    FunctionState,
    st.frozensets(ROWS),
    st.lists(BREAK, max_size=2)
    .map(lambda breaks: tuple({(item.row, item.gb): item for item in sorted(breaks)}.values())),
    st.lists(st.builds(Recompile, ROWS, st.sampled_from("xy"), NAMES), max_size=1).map(tuple),
    NAMES,
    st.booleans(),
)  # fmt: skip
KEYS = st.builds(
    Key,
    st.sampled_from(["a.py", "b.py"]),
    st.just("Net.forward"),
    st.sampled_from(["0" * 16, "1" * 16]),
    st.sampled_from(["2.13.0", "2.15.0"]),
)
PROFILES = st.dictionaries(KEYS, SEEN)


@given(PROFILES, PROFILES, PROFILES)
def test_it_makes_no_difference_how_profiles_are_merged(one: Profile, two: Profile, three: Profile) -> None:
    whole = text_of(merge([one, two, three]))
    assert text_of(merge([three, merge([two, one])])) == whole
    assert text_of(merge([merge([one, two, three]), two])) == whole


@given(PROFILES)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, profile: Profile) -> None:
    place = tmp_path_factory.getbasetemp() / "observed.json"
    place.write_text(text_of(profile))
    assert text_of(read(place)) == text_of(profile)


SOUND = {Key("net.py", "f", "0" * 16, "2.13.0"): FunctionState(frozenset({1, 2}), (Break(2, "GB0001", "why"),))}


def damaged(*path: object, value: object) -> str:
    """A sound profile with another value at a place."""
    data = json.loads(text_of(SOUND))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(data)


FUNCTION = ("files", "net.py", "f", "0" * 16)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '{"format": 1}',
        "[" * 100_000,
        damaged("format", value=2),
        damaged("format", value=True),
        damaged("files", value=[]),
        damaged(*FUNCTION, value={"2.13.0; rm": {}}),
        damaged(*FUNCTION, "2.13.0", value=None),
        damaged(*FUNCTION, "2.13.0", "traced", value="1-999999999999"),
        damaged(*FUNCTION, "2.13.0", "traced", value="x"),
        damaged(*FUNCTION, "2.13.0", "breaks", 0, "row", value=-1),
        damaged(*FUNCTION, "2.13.0", "breaks", 0, "row", value=True),
        damaged(*FUNCTION, "2.13.0", "breaks", 0, "by", value="all"),
        damaged(*FUNCTION, "2.13.0", "by", value=[1]),
    ],
)
def test_what_is_no_profile_is_one_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "observed.json").write_text(text)
    with pytest.raises(ProfileError):
        read(tmp_path / "observed.json")


CODE = """\
import torch


class Net(torch.nn.Module):
    @property
    def width(self):
        return 1

    def forward(self, x):
        def inner(y):
            return y

        return inner(x)
"""


@pytest.mark.parametrize(
    ("row", "name"),
    [(1, None), (4, None), (5, "Net.width"), (9, "Net.forward"), (11, "Net.forward.inner"), (13, "Net.forward")],
)  # fmt: skip
def test_a_row_belongs_to_the_innermost_function(row: int, name: str | None) -> None:
    function = Functions("net.py", CODE).at(row)
    assert (function and function.name) == name


def test_the_root_of_a_profile_elsewhere_has_one_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "net.py").write_text("")
    monkeypatch.chdir(tmp_path / "pkg")
    assert root_of(tmp_path / "seen.json", "", ["pkg/net.py"]) == tmp_path
    assert root_of(tmp_path / "seen.json", "", ["other.py"]) == tmp_path / "pkg"
    assert root_of(tmp_path / ".breaklint" / "observed.json", "", []) == tmp_path
