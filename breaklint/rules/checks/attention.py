"""Masks that torch's attention modules look into, or warn of, before they compute anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from breaklint.interp.events import Call
from breaklint.interp.lattice import Value
from breaklint.interp.values import NONE, Tensor
from breaklint.rules.base import Check, Hit

Argument = tuple[int, str]  # a parameter of a forward: its position and its name
Pairs = Mapping[str, Sequence[tuple[Argument, Argument]]]  # by the class of a module

# A mask that torch compares with a causal mask, unless the second parameter states whether it is causal.
CAUSAL: Final[Pairs] = {
    "TransformerEncoder": [((1, "mask"), (3, "is_causal"))],
    "TransformerDecoder": [((2, "tgt_mask"), (6, "tgt_is_causal"))],
    "Transformer": [((2, "src_mask"), (8, "src_is_causal")), ((3, "tgt_mask"), (9, "tgt_is_causal"))],
}
_OF_DECODER: Final = (
    ((2, "tgt_mask"), (4, "tgt_key_padding_mask")),
    ((3, "memory_mask"), (5, "memory_key_padding_mask")),
)
# Two masks of one attention, which are to have the same dtype.
PAIRS: Final[Pairs] = {
    "MultiheadAttention": [((5, "attn_mask"), (3, "key_padding_mask"))],
    "TransformerEncoderLayer": [((1, "src_mask"), (2, "src_key_padding_mask"))],
    "TransformerEncoder": [((1, "mask"), (2, "src_key_padding_mask"))],
    "TransformerDecoderLayer": _OF_DECODER,
    "TransformerDecoder": _OF_DECODER,
    "Transformer": [
        ((2, "src_mask"), (5, "src_key_padding_mask")),
        ((3, "tgt_mask"), (6, "tgt_key_padding_mask")),
        ((4, "memory_mask"), (7, "memory_key_padding_mask")),
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
    place, name = argument
    return call.args[place] if place < len(call.args) else call.kwargs.get(name, NONE)


def _may_be_causal(value: Value) -> bool:
    """Whether a mask is compared with the causal one: torch takes one of three dimensions for another at once."""
    return isinstance(value, Tensor) and value.ndim in (None, 2)
