"""The folder of the cache and the files in it: one for each set of settings, with a checksum in its first line."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Iterable, Mapping, Set
from importlib.util import source_hash
from pathlib import Path

from breaklint.errors import SourceError
from breaklint.source.decoding import read_bytes

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by breaklint; see https://bford.info/cachedir/\n"
TICK = 20_000_000  # ns; a file written so shortly before it was read may change again within one tick of its clock
# The data of a file has another structure than its checksum promises.
STRUCTURE = (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError)
to_json = json.JSONEncoder(separators=(",", ":")).encode
_KEPT = 16  # caches of other settings and folders that stay when a new one is written


def stamp(path: str) -> list[int] | None:
    """The size and time of a file; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def digests(folders: Mapping[str, Set[str]], words: Set[str]) -> dict[str, str]:
    """The digests of the names in folders, without folders that do not exist according to their parent folder."""
    result = {}
    for folder, names in folders.items():
        above, name = os.path.split(folder)
        if name in folders.get(above, {name}):
            result[folder] = digest_of(names, words)
    return result


def digest_of(names: Iterable[str], words: Set[str]) -> str:
    """The digest of those names in a folder that modules with these words in their names may have."""
    relevant = sorted(name for name in names if name.removesuffix(".py") in words)
    return source_hash("/".join(relevant).encode("utf-8", "surrogateescape")).hex()


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
