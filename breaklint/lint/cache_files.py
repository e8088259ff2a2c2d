"""The folder of the cache and the files in it: one for each set of settings, with checksums."""

from __future__ import annotations

import contextlib
import os
import time
import zlib
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib.util import source_hash
from pathlib import Path
from typing import Any

from breaklint.errors import SourceError
from breaklint.lint.plain_data import to_json
from breaklint.source.decoding import read_bytes

State = list[int | str]  # of a file: size, time, digest
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by breaklint; see https://bford.info/cachedir/\n"
TICK = 20_000_000  # ns; a file written so shortly before it was read may change again within one tick of its clock
_HEADER = b"%08x %016x\n"  # checksum and size
_KEPT = 16  # caches of other settings and folders that stay when a new one is written


def stamp(path: str) -> list[int] | None:
    """The size and time of a file; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


class FileStates:
    """The states of files, in the previous run and now; files with the same size and time are not read."""

    def __init__(self, previous: dict[str, State]) -> None:
        self.previous = previous
        self.have_news = False  # these states, or what rests on them, are not in the cache yet
        self._now: dict[str, State | None] = {}
        self._began = time.time_ns()

    def now(self, path: str) -> State | None:
        """The state of a file; None if it has changed since the run began, or cannot be read."""
        if path not in self._now:
            previous, current = self.previous.get(path), stamp(path)
            self._now[path] = previous if previous and previous[:2] == current else self._read(path, current)
        return self._now[path]

    def _read(self, path: str, current: list[int] | None) -> State | None:
        if current is None or current[1] >= self._began - TICK:
            return None
        with contextlib.suppress(SourceError):
            return [*current, source_hash(read_bytes(path)).hex()]
        return None

    def is_same(self, path: str) -> bool:
        """Whether a file has the content of the previous run."""
        previous, now = self.previous.get(path), self.now(path)
        if previous is None or now is None or previous[2] != now[2]:
            return False
        self.have_news = self.have_news or previous is not now
        return True


def digest_of(names: Iterable[str]) -> str:
    """The digest of the names in a folder."""
    return source_hash("/".join(sorted(names)).encode("utf-8", "surrogateescape")).hex()


class Rows:
    """Rows of JSON, to which results refer by number; equal rows share a number."""

    def __init__(self, texts: list[str]) -> None:
        self.texts, self.read = texts, len(texts)  # `read` are of the previous run
        self.number = cache(self._number)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.texts)}

    def _number(self, row: Any) -> int:
        """The number of a row."""
        text = to_json(row)
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def read(location: Path) -> Iterator[str]:
    """The parts of a written file, one after the other; they end where it is damaged."""
    with contextlib.suppress(OSError, ValueError), location.open("rb") as file:
        while header := file.readline():
            checksum, size = (int(number, 16) for number in header.split())
            data = file.read(size)
            if zlib.crc32(data) != checksum:
                break
            yield data.decode()


def write(location: Path, parts: Iterable[Iterable[str]]) -> None:
    """Replace a file by texts in parts, of which each is read as a whole; does nothing if that is not possible."""
    import tempfile  # slow to import, and a run with nothing new does without

    with contextlib.suppress(OSError):
        make_folder(location.parent)
        descriptor, temporary = tempfile.mkstemp(dir=location.parent, suffix=".tmp")
        with os.fdopen(descriptor, "wb") as file:
            for texts in parts:
                start, checksum, size = file.tell(), 0, 0
                file.write(_HEADER % (checksum, size))
                for data in map(str.encode, texts):
                    checksum, size = zlib.crc32(data, checksum), size + len(data)
                    file.write(data)
                file.seek(start)
                file.write(_HEADER % (checksum, size))
                file.seek(0, os.SEEK_END)
        Path(temporary).replace(location)
        _drop_oldest(location.parent, location.suffix)


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


def _drop_oldest(folder: Path, suffix: str) -> None:
    caches = sorted(folder.glob(f"*{suffix}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for old in caches[_KEPT:]:
        old.unlink(missing_ok=True)
