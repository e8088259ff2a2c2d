"""Writing files: a source so that at every instant either the old or the new one is there, whole; and reports."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from breaklint.errors import SourceError, UsageError
from breaklint.source.decoding import encode, read_bytes
from breaklint.source.source_text import SourceText

CHANGED = "changed while it was being fixed: run breaklint again"


def write_text(path: Path, text: str, creates_folder: bool = False) -> None:
    """Write a file that is no source; UsageError if it cannot be written."""
    try:
        if creates_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error


def write_source(source: SourceText, text: str) -> None:
    """Replace the file that `source` was read from, keeping mode, encoding, byte order mark and newlines.

    A symbolic link stays one: the file it leads to is replaced. SourceError when the file changed since it was read
    or cannot be written; the old file is untouched then. A change by another program between the last read of the file
    and the rename is lost: file systems do not compare and rename in one call.
    """
    data = encode(source, text)
    try:
        _replace(source, Path(source.path).resolve(), data)
    except OSError as error:
        raise SourceError(source.path, f"cannot be written: {error.strerror or error}") from error


def _replace(source: SourceText, target: Path, data: bytes) -> None:
    status = target.stat()
    if not os.access(target, os.W_OK):
        raise PermissionError(0, "the file is read-only")
    # In the same folder: a rename is atomic only within one file system.
    descriptor, name = tempfile.mkstemp(prefix=".breaklint-", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _keep_owner(name, status)
        Path(name).chmod(status.st_mode & 0o7777)
        _keep_attributes(name, target)
        _refuse_changed(source, target)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _keep_owner(name: str, status: os.stat_result) -> None:
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):  # only root may give files away
            os.chown(name, status.st_uid, status.st_gid)


def _keep_attributes(name: str, target: Path) -> None:
    """Copy the extended attributes, including access control lists, if the system supports them."""
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for attribute in os.listxattr(target):
                with contextlib.suppress(OSError):  # not every user may set those of the system
                    os.setxattr(name, attribute, os.getxattr(target, attribute))


def _refuse_changed(source: SourceText, target: Path) -> None:
    """Raises SourceError if the file changed after it was read. Reading takes time, so a save during it is detected
    as well."""
    before = target.stat()
    same = read_bytes(str(target)) == source.data
    after = target.stat()
    stamps = [(status.st_ino, status.st_size, status.st_mtime_ns) for status in (before, after)]
    if not same or stamps[0] != stamps[1]:
        raise SourceError(source.path, CHANGED)
