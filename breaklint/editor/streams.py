"""Standard input and output as the language server uses them: messages of bounded size, streams of its own."""

from __future__ import annotations

import io
import os
import re
import sys
from typing import BinaryIO

from breaklint.errors import UsageError
from breaklint.source.decoding import MAX_BYTES

LARGEST = 2 * MAX_BYTES  # in one message: JSON may write two characters for one
_LONGEST = 1_000  # bytes in one line of a header
_LENGTH = re.compile(rb"content-length:[ \t]*([^\r\n]*)", re.IGNORECASE)


class Messages(io.BufferedReader):
    """A stream of messages; raises UsageError for input that violates the protocol."""

    def readline(self, size: int | None = -1, /) -> bytes:
        """A line of a header."""
        line = super().readline(_LONGEST)
        if len(line) == _LONGEST and not line.endswith(b"\n"):
            raise UsageError(f"standard input: a line of {_LONGEST:,} bytes is not a header of a message")
        if (header := _LENGTH.match(line)) is not None:
            _refuse_length(header[1].strip())
        return line

    def read(self, size: int | None = -1, /) -> bytes:
        """The body of a message."""
        body = super().read(size)
        if size is not None and 0 < len(body) < size:
            raise UsageError(f"standard input: ended after {len(body):,} of the {size:,} bytes of a message")
        return body


def _refuse_length(digits: bytes) -> None:
    excerpt = digits[:20].decode("ascii", "backslashreplace") + ("…" if len(digits) > 20 else "")
    if not digits.isdigit():
        raise UsageError(f"standard input: Content-Length is {excerpt!r}: give a number of bytes")
    if len(digits.lstrip(b"0")) > len(str(LARGEST)) or int(digits) > LARGEST:
        raise UsageError(f"standard input: Content-Length is {excerpt}: at most {LARGEST:,} bytes are read at once")


def messages() -> BinaryIO:
    """Standard input as a stream of messages."""
    return Messages(io.FileIO(sys.stdin.fileno(), closefd=False))


def replies() -> BinaryIO:
    """The replacement of standard output, which is redirected to standard error.

    The server closes it at exit; output of rules cannot mix with its messages.
    """
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return stream
