"""Masks that torch's attention modules look into, or warn of, before they compute anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from breaklint.interp.events import Call
from breaklint.interp.lattice import Value
from breaklint.interp.values import NONE, Tensor
from breaklint.rules.base import Check, Hit


class Argument(NamedTuple):
    """A parameter of a forward: its position, if it can be passed by position, and its name."""

    place: int
    name: str


class CausalMask(NamedTuple):
    """A mask that torch compares with a causal mask, unless the parameter `flag` states whether it is causal."""

    mask: Argument
    flag: Argument


class Masks(NamedTuple):
    """Two masks of one attention, which are to have the same dtype."""

    mask: Argument
    padding: Argument


CAUSAL: Final = {
    "TransformerEncoder": [CausalMask(Argument(1, "mask"), Argument(3, "is_causal"))],
    "TransformerDecoder": [CausalMask(Argument(2, "tgt_mask"), Argument(6, "tgt_is_causal"))],
    "Transformer": [
        CausalMask(Argument(2, "src_mask"), Argument(8, "src_is_causal")),
        CausalMask(Argument(3, "tgt_mask"), Argument(9, "tgt_is_causal")),
    ],
}
PAIRS: Final = {
    "MultiheadAttention": [Masks(Argument(5, "attn_mask"), Argument(3, "key_padding_mask"))],
    "TransformerEncoderLayer": [Masks(Argument(1, "src_mask"), Argument(2, "src_key_padding_mask"))],
    "TransformerEncoder": [Masks(Argument(1, "mask"), Argument(2, "src_key_padding_mask"))],
    "TransformerDecoderLayer": [
        Masks(Argument(2, "tgt_mask"), Argument(4, "tgt_key_padding_mask")),
        Masks(Argument(3, "memory_mask"), Argument(5, "memory_key_padding_mask")),
    ],
    "TransformerDecoder": [
        Masks(Argument(2, "tgt_mask"), Argument(4, "tgt_key_padding_mask")),
        Masks(Argument(3, "memory_mask"), Argument(5, "memory_key_padding_mask")),
    ],
    "Transformer": [
        Masks(Argument(2, "src_mask"), Argument(5, "src_key_padding_mask")),
        Masks(Argument(3, "tgt_mask"), Argument(6, "tgt_key_padding_mask")),
        Masks(Argument(4, "memory_mask"), Argument(7, "memory_key_padding_mask")),
    ],
}


class TransformerMask(Check):
    """`self.encoder(x, mask)` of an nn.TransformerEncoder: whether the mask is causal is read from its values."""

    def applies_to(self, target: str, method: str) -> bool:
        return not target and not method

    def visit_call(self, call: Call) -> Iterator[Hit]:
        pairs = () if call.starred else CAUSAL.get(_module(call), ())
        if any(_may_be_causal(_argument(call, mask)) and _argument(call, flag) is NONE for mask, flag in pairs):
            yield Hit(call.node)


class MixedMasks(Check):
    """A mask of numbers and a padding mask of bools, or the other way round: torch warns that this is deprecated."""

    def applies_to(self, target: str, method: str) -> bool:
        return not target and not method

    def visit_call(self, call: Call) -> Iterator[Hit]:
        for mask, padding in () if call.starred else PAIRS.get(_module(call), ()):
            both = _argument(call, mask), _argument(call, padding)
            if {value.dtype for value in both if isinstance(value, Tensor)} == {"float", "bool"}:
                yield Hit(call.node)
                return


def _module(call: Call) -> str:
    """The name of a class of torch.nn, as `torch.nn` and `torch.nn.modules.…` have it."""
    return call.instance.rpartition(".")[2] if call.instance.startswith("torch.nn.") else ""


def _argument(call: Call, argument: Argument) -> Value:
    """The argument of a call for a parameter with the default None."""
    if argument.place < len(call.args):
        return call.args[argument.place]
    return call.kwargs.get(argument.name, NONE)


def _may_be_causal(value: Value) -> bool:
    """Whether a mask is compared with the causal one: torch takes one of three dimensions for another at once."""
    return isinstance(value, Tensor) and value.ndim in (None, 2)
