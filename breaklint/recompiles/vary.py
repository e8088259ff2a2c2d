"""The inputs that vary from call to call: `x.0=4,5,6`, `n=2,3`, `mode=a,b`, `m=None,tensor`, `xs.len=2,3`."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from breaklint.errors import UsageError

TENSOR: Final = "tensor"
LIMIT: Final = "recompile_limit"
"""The end of a call that Dynamo did not compile, because the function has as many entries as it allows."""
LENGTH: Final = "len"
_NAME: Final = re.compile(r"[A-Za-z_*][\w*]*(\.\w+)*")
# The properties of a tensor that an option may vary.
ATTRIBUTES: Final = ("dtype", LENGTH)


@dataclass(frozen=True)
class Variation:
    """One `--vary`: the argument, its varying part ("" for the value), and the values, call by call."""

    key: str
    argument: str
    part: str
    values: tuple[Any, ...]

    @property
    def dim(self) -> int | None:
        """The dimension that varies."""
        return int(self.part) if self.part.isdigit() else None


def read_variations(texts: Sequence[str]) -> list[Variation]:
    """The variations that an option gives.

    Raises:
        UsageError: one cannot be read, or they have different numbers of values.
    """
    result = [_read(text) for text in texts]
    if not result:
        raise UsageError("pass the varying input, for example --vary x.0=4,5,6 (dimension 0 of x) or --vary n=2,3")
    counts = {len(item.values) for item in result}
    if len(counts) > 1:
        output = ", ".join(f"{item.key} has {len(item.values)}" for item in result)
        raise UsageError(f"every --vary needs as many values as the others, for they change together: {output}")
    keys = [item.key for item in result]
    if len({*keys}) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UsageError(f"--vary {twice} appears twice")
    return result


def _read(text: str) -> Variation:
    key, equals, rest = (part.strip() for part in text.partition("="))
    if not equals or not _NAME.fullmatch(key) or not rest:
        raise UsageError(f"--vary {text}: write NAME=VALUE,VALUE, as x.0=4,5,6 (dimension 0 of x) or n=2,3")
    argument, _, part = key.partition(".")
    if argument == "self":
        argument, part = key, ""
    values = tuple(value_of(item) for item in _split(rest))
    variation = Variation(key, argument, part, values)
    if part.isdigit() or part == LENGTH:
        for value in values:
            if type(value) is not int or value < 0:
                what = "a length" if part == LENGTH else "a size"
                raise UsageError(f"--vary {text}: {value!r} is not {what}")
    elif part and part not in ATTRIBUTES:
        raise UsageError(f"--vary {text}: .{part} is none of a dimension (.0), .len and .dtype")
    return variation


def _split(text: str) -> list[str]:
    """The values between commas, those in brackets and quotes whole."""
    parts, depth, quote, start = [], 0, "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and not depth:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in [*parts, text[start:]]]


def value_of(text: str) -> Any:
    """A value as it is written: a Python literal, else a text; `tensor` is a tensor."""
    if text.lower() in ("inf", "-inf", "nan"):
        return float(text)
    if text in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
