"""Writing a file so that at every instant either the old or the new one is there, whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from breaklint.errors import SourceError
from breaklint.source.decoding import encode, read_bytes
from breaklint.source.source_text import SourceText


def write_source(source: SourceText, text: str) -> None:
    """Replace the file that `source` was read from, keeping mode, encoding, byte order mark and newlines.

    A symbolic link stays one: the file it leads to is replaced. SourceError when the file changed since it was read
    or cannot be written; the old file is untouched then.
    """
    data = encode(source, text)
    target = Path(source.path).resolve()
    try:
        if read_bytes(str(target)) != source.data:
            raise SourceError(source.path, "changed while it was being fixed: run breaklint again")
        _replace(target, data)
    except OSError as error:
        raise SourceError(source.path, f"cannot be written: {error.strerror or error}") from error


def _replace(target: Path, data: bytes) -> None:
    status = target.stat()
    if not os.access(target, os.W_OK):
        raise PermissionError(0, "the file is read-only")
    # In the same folder: a rename is atomic only within one file system.
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _keep_owner(name, status)
        Path(name).chmod(status.st_mode & 0o7777)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _keep_owner(name: str, status: os.stat_result) -> None:
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):  # only root may give files away
            os.chown(name, status.st_uid, status.st_gid)
