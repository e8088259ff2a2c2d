"""What proofs take for granted of tensors and calls, unless the file itself shows otherwise."""

from __future__ import annotations

import re

from breaklint.project.module import Module

# What is not as granted, and how a file shows that it meets such.
OWN_CLASS = "tensors of a class of its own"
OTHERWISE = {
    OWN_CLASS: r"__torch_function__|__torch_dispatch__|as_subclass|_make_subclass|_make_wrapper_subclass"
    r"|Torch(?:Function|Dispatch)Mode|UninitializedParameter|FakeTensor"
    r"|class\s+\w+\((?:[\w., ]+,)?\s*[\w.]*(?:Tensor|Parameter)\b",
    "tensors without data": r"""["']meta\b|init_empty_weights""",
    "tensors that are not strided": r"to_sparse|torch\.sparse\b|sparse_(?:coo|cs|bs|compressed)|to_mkldnn"
    r"|\bnested_tensor\b|\bas_nested|quantize_per",
    "calls that transform or trace functions": r"\bvmap\b|functorch|torch\.func\b|jit\.(?:trace|script)|make_fx"
    r"|symbolic_trace|(?:torch|onnx)\.export|\bjacrev\b|\bjacfwd\b|\bfunctionalize\b",
}
PATTERNS = {what: re.compile(pattern) for what, pattern in OTHERWISE.items()}
ANY_DATA = frozenset({"drop-variable", "drop-gradient"})  # kinds of fixes that ask for no element of a tensor


class Shown(tuple[str, ...]):
    """What the text of a file shows that is not as granted."""

    __slots__ = ()


def not_granted(module: Module, kind: str) -> str:
    """What a file shows for which proofs of a kind of fix do not hold, "" for nothing."""
    shown = module.derive(Shown, lambda: _shown(module.text))
    return next((what for what in shown if what == OWN_CLASS or kind not in ANY_DATA), "")


def _shown(text: str) -> Shown:
    return Shown(what for what, pattern in PATTERNS.items() if pattern.search(text))
