"""Inputs as strings: `bf16[8, 128, 512]`, `int[0, 1000][8, 128]`, `bool[B, 128]`. Parses them; creates no tensor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

# The short names in which inputs are written, and torch's own.
DTYPES = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "c64": "complex64",
    "c128": "complex128",
    "i64": "int64",
    "i32": "int32",
    "i16": "int16",
    "i8": "int8",
    "u8": "uint8",
    "int": "int64",
    "bool": "bool",
}
"""The short names of torch's dtypes."""

_WHOLE = {"i64", "i32", "i16", "i8", "u8", "int"}
_NAMES = "|".join(sorted(DTYPES, key=len, reverse=True))
_SPEC = re.compile(
    rf"\s*(?P<dtype>{_NAMES})\s*(?:\[(?P<range>[^\][]*)\]\s*)?\[(?P<shape>[^\][]*)\]\s*(?:<\s*(?P<below>\d+)\s*)?"
)
_LIKE_A_SPEC = re.compile(rf"\s*({_NAMES})\s*\[")
_NEARLY = re.compile(r"\s*(?:bf|fp|[cfiu]|u?int|float)\d+\s*[\[(][\w\s,]*[\])]\s*")  # `f23[8]`, `f32(8)`
# The spellings of users for these names.
_LONG = {"float": "f32", "double": "f64", "half": "f16", "long": "i64"} | {
    name: short for short, name in DTYPES.items() if name != short and short != "int"
}
_TORCH_SPEC = re.compile(rf"\s*(?:torch\.)?(?P<dtype>{'|'.join(_LONG)})\s*\[[^\][]*\]")
_SIZE = re.compile(r"\d+|[A-Za-z_]\w*")
DEFAULT_RANGE = (0, 10)


class SpecError(ValueError):
    """An input in words cannot be parsed; the message shows the syntax."""


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A random tensor: its dtype as torch names it, its shape in numbers and named sizes, integers in [low, high)."""

    dtype: str
    shape: tuple[int | str, ...]
    low: int | None = None
    high: int | None = None

    def sizes(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """The shape in numbers; SpecError when a name has none."""
        for size in self.shape:
            if isinstance(size, str) and size not in values:
                raise SpecError(f"the size {size} has no value; give it one in `sizes`")
        return tuple(values[size] if isinstance(size, str) else size for size in self.shape)


def is_spec(text: str) -> bool:
    """Whether a text describes a tensor, and is not a plain string."""
    return (_LIKE_A_SPEC.match(text) or _TORCH_SPEC.match(text) or _NEARLY.fullmatch(text)) is not None


def read_spec(text: str) -> TensorSpec:
    """The tensor that a text such as `f32[4, 8]`, `int[0, 5][4]` or `i64[4] < 5` describes; SpecError if none."""
    if torch_spec := _TORCH_SPEC.match(text):
        raise SpecError(f"`{text}`: write {_LONG[torch_spec['dtype']]} for {torch_spec['dtype']}")
    match = _SPEC.fullmatch(text)
    sizes = [size.strip() for size in match["shape"].split(",") if size.strip()] if match else []
    if match is None or not all(_SIZE.fullmatch(size) for size in sizes):
        raise SpecError(f"`{text}` is not like bf16[8, 128], int[0, 1000][8, 128] or bool[8]")
    low, high = _range(text, match)
    shape = tuple(int(size) if size.isdigit() else size for size in sizes)
    return TensorSpec(DTYPES[match["dtype"]], shape, low, high)


def _range(text: str, match: re.Match[str]) -> tuple[int | None, int | None]:
    if match["dtype"] not in _WHOLE:
        if match["range"] is not None or match["below"]:
            raise SpecError(f"`{text}`: only integers have a range")
        return None, None
    if match["range"] is None:
        return DEFAULT_RANGE[0], int(match["below"] or DEFAULT_RANGE[1])
    try:
        low, high = (int(bound) for bound in match["range"].split(","))
    except ValueError:
        raise SpecError(f"`{text}`: a range is two numbers, as in int[0, 1000][8, 128]") from None
    if low >= high:
        raise SpecError(f"`{text}`: the range is empty; its upper end does not count")
    return low, high
