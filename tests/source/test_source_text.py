"""Reading a source and writing it back, byte for byte what it was but for the change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from breaklint.errors import SourceError
from breaklint.source.decoding import decode, encode, read_source
from breaklint.source.writing import write_source

SOURCES = {
    "plain": b"x = 1\ny = 2\n",
    "no newline at the end": b"x = 1\ny = 2",
    "empty": b"",
    "windows newlines": b"x = 1\r\ny = 2\r\n",
    "old newlines": b"x = 1\ry = 2\r",
    "mixed newlines": b"x = 1\r\ny = 2\nz = 3\rw = 4",
    "byte order mark": b"\xef\xbb\xbfx = '\xc3\xa4'\n",
    "declared latin-1": b"# -*- coding: latin-1 -*-\nx = '\xe4'\n",
    "declared on the second row": b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n",
    "form feed": b"x = 1\n\x0cy = 2\n",
    "line separators inside a string": "x = '\u2028\x85\x1c'\n".encode(),
}


@pytest.mark.parametrize("data", SOURCES.values(), ids=SOURCES)
def test_an_unchanged_text_gives_the_same_bytes(data: bytes) -> None:
    source = decode("a.py", data)
    assert "\r" not in source.text
    assert encode(source, source.text) == data


@pytest.mark.parametrize(
    ("data", "after", "expected"),
    [
        pytest.param(b"a\r\nb\r\n", "a\nnew\nb\n", b"a\r\nnew\r\nb\r\n", id="windows"),
        pytest.param(b"a\r\nb\nc\r\nd\n", "a\nB\nc\nd\n", b"a\r\nB\nc\r\nd\n", id="mixed: every line keeps its own"),
        pytest.param(b"\xef\xbb\xbfa\n", "b\n", b"\xef\xbb\xbfb\n", id="byte order mark"),
    ],
)
def test_a_change_keeps_newlines_and_byte_order_mark(data: bytes, after: str, expected: bytes) -> None:
    assert encode(decode("a.py", data), after) == expected


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"x = 1\ny = '\xff'\n", "a.py:2: is not utf-8", id="bytes that are not UTF-8"),
        pytest.param(b"# coding: klingon\n", "a.py:1: klingon is not an encoding", id="unknown encoding"),
        pytest.param(b"# coding: rot13\n", "a.py:1: rot13 is not an encoding", id="codec that is no encoding"),
        pytest.param(b"\xef\xbb\xbf# coding: latin-1\n", "a.py:1: has a UTF-8 byte order mark", id="contradiction"),
    ],
)
def test_what_cannot_be_decoded_is_told_with_its_row(data: bytes, message: str) -> None:
    with pytest.raises(SourceError) as raised:
        decode("a.py", data)
    assert str(raised.value).startswith(message)


def test_text_that_the_encoding_cannot_hold_is_not_written() -> None:
    with pytest.raises(SourceError, match="does not fit its encoding latin-1"):
        encode(decode("a.py", b"# coding: latin-1\n"), "x = '\u20ac'\n")


def test_writing_keeps_the_mode_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n")
    path.chmod(0o750)
    write_source(read_source(str(path)), "x = 2\n")
    assert path.read_bytes() == b"x = 2\n"
    assert path.stat().st_mode & 0o7777 == 0o750
    assert os.listdir(tmp_path) == ["a.py"]


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(b"x = 1\n")
    link = tmp_path / "link.py"
    link.symlink_to("real.py")
    write_source(read_source(str(link)), "x = 2\n")
    assert link.is_symlink()
    assert (tmp_path / "real.py").read_bytes() == b"x = 2\n"


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n")
    source = read_source(str(path))
    path.write_bytes(b"x = 1  # edited\n")
    with pytest.raises(SourceError, match="changed while it was being fixed"):
        write_source(source, "x = 2\n")
    assert path.read_bytes() == b"x = 1  # edited\n"


@pytest.mark.parametrize("name", ["a\0.py", "a\ud800.py"], ids=["null", "surrogate"])
def test_a_name_that_no_file_can_have_is_told(name: str) -> None:
    with pytest.raises(SourceError, match="no file can have such a name"):
        read_source(name)


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"gone\.py: cannot be read: No such file"):
        read_source(str(tmp_path / "gone.py"))
