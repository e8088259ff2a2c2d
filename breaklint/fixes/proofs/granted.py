"""What proofs take for granted of tensors and calls, unless the file itself shows otherwise."""

from __future__ import annotations

import ast
import re
from functools import cache

from breaklint.fixes.base import FixRequest
from breaklint.interp.callables import Method
from breaklint.interp.containers import Container
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.values import ExternalName, Shape, Tensor
from breaklint.project.walking import walk

# What is not as granted, and how a file shows that it meets such.
OWN_CLASS, NO_DATA = "tensors of a class of its own", "tensors without data"
NOT_STRIDED, NESTED = "tensors that are not strided", "nested tensors"
HOOKED = "hooks that may change what modules take and give"
TRANSFORMED = "calls that transform or trace functions"
NAMED = "tensors whose dimensions have names"
SAVED = "hooks for what is saved for backward"
CONJUGATE = "tensors that are conjugated or negated as a view"
FORWARD = "derivatives in forward mode"
OTHERWISE = {
    OWN_CLASS: r"__torch_function__|__torch_dispatch__|as_subclass|_make_subclass|_make_wrapper_subclass"
    r"|Torch(?:Function|Dispatch)Mode|UninitializedParameter|FakeTensor"
    r"|class\s+\w+\((?:[\w., ]+,)?\s*[\w.]*(?:Tensor|Parameter)\b",
    NO_DATA: r"""["']meta\b|init_empty_weights""",
    NOT_STRIDED: r"to_sparse|torch\.sparse\b|sparse_(?:coo|cs|bs|compressed)|to_mkldnn|quantize_per",
    NESTED: r"\bnested_tensor\b|\bas_nested",
    NAMED: r"refine_names|\brename_?\(\s*(?:[\"'*]|None)|\.names\b|\balign_(?:to|as)\b|[(,]\s*names\s*=\s*\(",
    CONJUGATE: r"\bconj\(|\badjoint\b|\.m?H\b|\bimag\b|\b_neg_view\b",
    FORWARD: r"forward_ad\b|\bdual_level\b|\bmake_dual\b|\bjvp\b|\blinearize\b|\bjacfwd\b|\bhessian\b",
    SAVED: r"saved_tensors_hooks|save_on_cpu",
    HOOKED: r"register_(?:module_)?forward_(?:pre_)?hook|_forward_(?:pre_)?hooks|\.return_indices\s*=",
    TRANSFORMED: r"\bvmap\b|functorch|torch\.func\b|jit\.(?:trace|script)|make_fx"
    r"|symbolic_trace|(?:torch|onnx)\.export|\bjacrev\b|\bjacfwd\b|\bfunctionalize\b",
}
# One of which is in every text that the pattern matches: to look for them takes a tenth of the time.
WORDS = {
    OWN_CLASS: "__torch_ as_subclass _make_ TorchFunctionMode TorchDispatchMode Uninitialized FakeTensor class".split(),
    NO_DATA: ["meta", "init_empty_weights"],
    NOT_STRIDED: "to_sparse torch.sparse sparse_ to_mkldnn quantize_per".split(),
    NESTED: ["nested"],
    NAMED: "rename refine_names names align_".split(),
    CONJUGATE: ["conj", "adjoint", ".H", ".mH", "imag", "_neg_view"],
    FORWARD: "forward_ad dual_level make_dual jvp linearize jacfwd hessian".split(),
    SAVED: ["saved_tensors_hooks", "save_on_cpu"],
    HOOKED: ["forward_hook", "forward_pre_hook", "return_indices"],
    TRANSFORMED: "vmap functorch torch.func jit. make_fx symbolic_trace .export jacrev jacfwd functionalize".split(),
}
# What matters to the safe fixes of some kinds: those that ask for no element of a tensor, or for sizes alone.
CONCERNS = {
    "count-nonzero": (OWN_CLASS, NO_DATA, NESTED, TRANSFORMED),
    "drop-gradient": (OWN_CLASS, FORWARD, HOOKED),
    "drop-variable": (OWN_CLASS, FORWARD, HOOKED),
    "math-function": (OWN_CLASS, NESTED, TRANSFORMED),
}


class Shown(tuple[str, ...]):
    """What the text of a file shows that is not as granted."""

    __slots__ = ()


def not_granted(request: FixRequest) -> str:
    """What a file shows for which the proofs of a fix do not hold, "" for nothing."""
    shown = request.module.derive(Shown, lambda: _shown(request.module.text))
    kind = request.rule.fix_kind
    concerns = CONCERNS.get(kind) or [what for what in OTHERWISE if what != CONJUGATE or kind == "new-empty"]
    return next((what for what in shown if what in concerns and (what != HOOKED or _calls_modules(request))), "")


def _calls_modules(request: FixRequest) -> bool:
    """Whether hooks may run for the function of a finding: it is a module's, or calls more than torch and builtins."""
    root, values = request.scope.root, request.event.frame.interp.values
    if getattr(root, "name", "") in ("forward", "__call__"):
        return True
    called = [node.func for node in walk(root) if isinstance(node, ast.Call)]
    return not all(
        request.qualified(each).startswith(("builtins.", "torch.")) or _is_of_torch(values.get(each, UNKNOWN))
        for each in called
    )


def _is_of_torch(callee: Value) -> bool:
    return all(
        isinstance(each, ExternalName)
        or (isinstance(each, Method) and isinstance(each.owner, (Tensor, Container, Shape)))
        for each in options(callee)
    )


def _shown(text: str) -> Shown:
    held = (what for what, words in WORDS.items() if any(word in text for word in words))
    return Shown(what for what in held if _pattern(what).search(text))


@cache
def _pattern(what: str) -> re.Pattern[str]:
    """Compiled when a text first has one of its words, which few texts have."""
    return re.compile(OTHERWISE[what])
