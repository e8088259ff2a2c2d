"""The result of a torch function, and its notation in the table: `tensor/same/scalar pointwise`."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Result(NamedTuple):
    """The result of a call.

    `kind`: tensor, tuple (of `items`), list (of any number of `items[0]`), int, float, bool, complex, number (one of
    these, by the tensor's dtype), none, size, dtype, device, string or other.
    `dtype` of a tensor: same (as the first input), bool, int, float (ints become float), sum (bool becomes int),
    complex, other, or empty when unknown.
    `shape` of a tensor: same (as the first input), scalar (0-dim), less (one dimension fewer), rank (as many
    dimensions), other, or empty when unknown.
    `dynamic_shape`: the shape depends on data. `data_dependent`: the value cannot be had without the data.
    """

    kind: str
    dtype: str = ""
    shape: str = ""
    items: tuple[Result, ...] = ()
    dynamic_shape: bool = False
    data_dependent: bool = False


class OpFact(NamedTuple):
    """One function or Tensor method.

    `plain` is the result for one tensor, or for the fewest arguments that the function needs. The others are None if
    they do not differ: with `dim`, with a number as second argument, with two tensors, with three.
    """

    plain: Result
    dim: Result | None = None
    number: Result | None = None
    two: Result | None = None
    three: Result | None = None
    inplace: bool = False
    view: bool = False
    pointwise: bool = False
    random: bool = False
    fresh: bool = False
    values: bool = False

    @property
    def dynamic_shape(self) -> bool:
        """Whether the result of some call has a shape that depends on data."""
        return any(result.dynamic_shape for result in self.results())

    @property
    def data_dependent(self) -> bool:
        """Whether the result of some call needs the data."""
        return any(result.data_dependent for result in self.results())

    def results(self) -> list[Result]:
        """The results of all variants of the call."""
        return [item for item in (self.plain, self.dim, self.number, self.two, self.three) if item is not None]

    def result(self, tensors: int = 1, *, dim: bool = False, number: bool = False) -> Result:
        """The result of a call with so many leading tensors, with `dim=`, or with a number in second place."""
        if tensors >= 2:
            return (self.three if tensors > 2 else self.two) or self.plain
        return (dim and (self.dim or self.number)) or (number and self.number) or self.plain


@cache
def understood(row: str) -> OpFact | None:
    """`tensor/same/scalar dim:tensor/same/less pointwise` as a fact."""
    if not row:
        return None
    plain, *words = row.split(" ")
    values: dict[str, Any] = {}
    for word in words:
        label, colon, text = word.partition(":")
        values[label] = parse_result(text) if colon else True
    return OpFact(parse_result(plain), **values)


@cache
def parse_result(text: str) -> Result:
    """`(tensor/same/less,tensor/int/less)`, `[tensor/same/same]`, `number!data` as a result."""
    text, _, doubt = text.partition("!") if not text.startswith(("(", "[")) else split_doubt(text)
    items: tuple[Result, ...] = ()
    if text.startswith(("(", "[")):
        kind, dtype, shape = "tuple" if text[0] == "(" else "list", "", ""
        items = tuple(parse_result(item) for item in split_items(text[1:-1]))
    else:
        kind, dtype, shape = [*text.split("/"), "", ""][:3]
    return Result(kind, dtype, shape, items, dynamic_shape=doubt == "shape", data_dependent=doubt == "data")


def split_doubt(text: str) -> tuple[str, str, str]:
    """The text after the closing bracket of a sequence."""
    end = max(text.rfind(")"), text.rfind("]")) + 1
    return text[:end], "", text[end:].removeprefix("!")


def split_items(text: str) -> list[str]:
    """The items of a sequence, at the commas that are not inside brackets."""
    items, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            items.append("")
        else:
            items[-1] += character
    return items
