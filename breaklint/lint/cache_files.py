"""The folder of the cache and the files in it: one for each set of settings, with a checksum in its first line."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from breaklint.errors import SourceError
from breaklint.source.decoding import read_bytes

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by breaklint; see https://bford.info/cachedir/\n"
TICK = 20_000_000  # ns; a file written so shortly before it was read may change again within one tick of its clock
# The data of a file has another structure than its checksum promises.
STRUCTURE = (KeyError, IndexError, TypeError, ValueError, AttributeError)
to_json = json.JSONEncoder(separators=(",", ":")).encode
_KEPT = 16  # caches of other settings and folders that stay when a new one is written


def stamp(path: str) -> list[int] | None:
    """The size and time of a file; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def read_rows(location: Path) -> tuple[dict[str, Any], dict[str, list[str]]] | None:
    """The object that `rows_as_text` wrote, and by key its rows as JSON; None if it is missing or damaged."""
    text = read_text(location)
    try:
        data = None if text is None else json.loads(text)
    except (ValueError, RecursionError):  # the checksum is right, but `rows_as_text` did not write it
        return None
    if text is None or not isinstance(data, dict):
        return None
    texts: dict[str, list[str]] = {key: [] for key in data}
    rows: list[str] = []
    for line in text.decode().split("\n"):
        if line.endswith(":["):
            rows = texts[line.strip('{}],:["')]
        else:
            rows.append(line.removesuffix(","))
    return data, texts


def rows_as_text(arrays: Mapping[str, Iterable[str]], others: Mapping[str, object]) -> Iterator[str]:
    """A JSON object of arrays, with one line per row, and of `others`: in parts, because the whole is large."""
    end = "{"
    for key, rows in arrays.items():
        yield f'{end}"{key}":[\n'
        yield ",\n".join(rows)
        end = "\n],"
    yield f"{end}{to_json(others)[1:]}"


def read_text(location: Path) -> bytes | None:
    """The written text; None if there is none or it is damaged."""
    try:
        checksum, _, text = location.read_bytes().partition(b"\n")
    except OSError:
        return None
    return text if checksum == _line(zlib.crc32(text)) else None


def write(location: Path, texts: Iterable[str], remaining: int = _KEPT) -> None:
    """Replace a file by a text in parts; does nothing if that is not possible.

    The most recent files with this suffix remain, up to a number.
    """
    import tempfile  # slow to import, and a run with nothing new does without

    with contextlib.suppress(OSError):
        make_folder(location.parent)
        descriptor, temporary = tempfile.mkstemp(dir=location.parent, suffix=".tmp")
        checksum = 0
        with os.fdopen(descriptor, "wb") as file:
            file.write(_line(checksum) + b"\n")
            for text in texts:
                data = text.encode()
                checksum = zlib.crc32(data, checksum)
                file.write(data)
            file.seek(0)
            file.write(_line(checksum))
        Path(temporary).replace(location)
        _drop_oldest(location.parent, location.suffix, remaining)


def _line(checksum: int) -> bytes:
    return b"%08x" % checksum


def make_folder(folder: Path) -> None:
    """Make the folder, and mark it as one that neither git nor backups want."""
    if folder.is_symlink():
        raise OSError("the folder of the cache is a link: checking an untrusted folder must not write elsewhere")
    if not (folder / "CACHEDIR.TAG").exists():
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            create(folder / ".gitignore", "# Made by breaklint\n*\n")
        create(folder / "CACHEDIR.TAG", _TAG)


def create(path: Path, text: str) -> None:
    """Write a new file; raises FileExistsError if there is a file, or a link."""
    with path.open("x", encoding="utf-8") as file:
        file.write(text)


def is_cache(folder: Path) -> bool:
    """Whether `make_folder` created a folder."""
    try:
        return not folder.is_symlink() and read_bytes(str(folder / "CACHEDIR.TAG")) == _TAG.encode()
    except SourceError:
        return False


def _drop_oldest(folder: Path, suffix: str, remaining: int) -> None:
    caches = sorted(folder.glob(f"*{suffix}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for old in caches[remaining:]:
        old.unlink(missing_ok=True)
