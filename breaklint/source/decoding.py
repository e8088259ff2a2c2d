"""Bytes to text and back without loss: encoding (PEP 263), byte order mark and newlines."""

from __future__ import annotations

import codecs
import os
import re
import stat

from breaklint.errors import SourceError
from breaklint.source.source_text import NOTEBOOK, SourceText, refuse_too_long

MAX_BYTES = 50_000_000  # of one file; notebooks hold images
MAX_SETTINGS = 500_000  # of a rule card or a configuration: of what YAML reads, a byte may take 600 in memory
_LEAST = 65_536  # bytes; the size of some files is not known before they are read
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:[#\r\n]|$)")
_ENDING = re.compile("\r\n|\r|\n")


def read_source(path: str) -> SourceText:
    """Read and decode the file at `path`; SourceError when it cannot be read or decoded."""
    return decode(path, read_bytes(path))


def read_bytes(path: str) -> bytes:
    """The bytes of the file at `path`; raises SourceError if it cannot be read, is not a file or has more than
    MAX_BYTES."""
    try:
        # Opening or reading a pipe or a device could wait without end.
        with open(os.open(path, _OPEN), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise SourceError(path, "is not a regular file")
            # A buffer of MAX_BYTES would be mapped and unmapped for each file, which takes longer than reading.
            data = file.read(min(max(status.st_size, _LEAST), MAX_BYTES) + 1)
    except OSError as error:
        raise SourceError(path, f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a null character, or one that the file system cannot hold
        raise SourceError(path, "cannot be read: no file can have such a name") from error
    if len(data) > MAX_BYTES:
        raise SourceError(path, f"is larger than {MAX_BYTES // 1_000_000} MB: exclude it")
    return data


def read_small(path: str) -> bytes:
    """The bytes of a rule card or a configuration; SourceError as from `read_bytes`, and for more than MAX_SETTINGS."""
    data = read_bytes(path)
    if len(data) > MAX_SETTINGS:
        raise SourceError(
            path, f"is larger than {MAX_SETTINGS // 1000} kB: too large for a rule card or a configuration"
        )
    return data


def decode(path: str, data: bytes) -> SourceText:
    """Decode `data` as Python does; raises SourceError with the line if it does not match its encoding.

    The cells of a notebook become one text (notebooks.py).
    """
    if path.endswith(NOTEBOOK):
        from breaklint.source.notebooks import decode_notebook

        return decode_notebook(path, data)
    refuse_too_long(path, len(data))
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    encoding = _encoding(path, body, bom)
    try:
        raw = body.decode(encoding)
    except UnicodeDecodeError as error:
        row = len(_ENDING.findall(body[: error.start].decode("latin-1"))) + 1
        raise SourceError(path, f"is not {encoding}: declare its encoding (PEP 263) or convert it", row) from error
    except (LookupError, UnicodeError) as error:
        raise SourceError(path, f"{encoding} is not an encoding of Python source", 1) from error
    if "\r" not in raw:
        return SourceText(path, raw, encoding, "\n", bom, data)
    return SourceText(path, _ENDING.sub("\n", raw), encoding, _most_frequent_newline(raw), bom, data)


def encode(source: SourceText, text: str) -> bytes:
    """`text` (with `\\n` newlines) as bytes of the file `source` came from; lines that stay keep their own newline.

    SourceError when `text` does not fit the encoding, or when the encoding does not give the file's own bytes back:
    writing would then change lines that no fix touches.
    """
    if source.path.endswith(NOTEBOOK):
        from breaklint.source.notebooks import encode_notebook

        return encode_notebook(source, text)
    raw = _raw(source)
    if _encoded(source, raw) != source.data:
        raise SourceError(source.path, f"{source.encoding} does not keep its bytes: convert the file to UTF-8 first")
    endings = _ENDING.findall(raw)
    mixed = len(set(endings)) > 1
    text = _with_endings(source, endings, text) if mixed else text.replace("\n", source.newline)
    return _encoded(source, text)


def _encoded(source: SourceText, text: str) -> bytes:
    try:
        data = text.encode(source.encoding)
    except UnicodeError as error:  # not only UnicodeEncodeError: `idna` raises its base class
        raise SourceError(source.path, f"the new text does not fit its encoding {source.encoding}") from error
    return codecs.BOM_UTF8 + data if source.bom else data


def _raw(source: SourceText) -> str:
    return source.data[len(codecs.BOM_UTF8) if source.bom else 0 :].decode(source.encoding)


def _encoding(path: str, body: bytes, bom: bool) -> str:
    for line in body[:4096].splitlines()[:2]:
        if cookie := _COOKIE.match(line):
            name = cookie[1].decode("ascii")
            if bom and name.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig"):
                raise SourceError(path, f"has a UTF-8 byte order mark but declares {name}: remove one of them", 1)
            return "utf-8" if bom or name.lower().replace("_", "-") == "utf-8-sig" else name
        if not _BLANK.match(line):
            break
    return "utf-8"


def _most_frequent_newline(raw: str) -> str:
    windows = raw.count("\r\n")
    counts = {"\n": raw.count("\n") - windows, "\r\n": windows, "\r": raw.count("\r") - windows}
    return max(counts, key=counts.__getitem__)


def _with_endings(source: SourceText, endings: list[str], text: str) -> str:
    """Join the lines of `text`, each with the newline that its line, or the one it replaces, had in a mixed file."""
    from difflib import SequenceMatcher  # a run that writes nothing does without

    before, after = source.text.split("\n"), text.split("\n")
    newlines = [source.newline] * (len(after) - 1)
    for _, old, old_end, new, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for was, now in zip(range(old, old_end), range(new, new_end), strict=False):
            if was < len(endings) and now < len(newlines):
                newlines[now] = endings[was]
    return "".join(line + ending for line, ending in zip(after, [*newlines, ""], strict=True))
