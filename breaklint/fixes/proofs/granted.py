"""What proofs take for granted of tensors and calls, unless the file itself shows otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from breaklint.fixes.base import FixRequest
from breaklint.interp.callables import Method
from breaklint.interp.containers import Container
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.values import ExternalName, Shape, Tensor
from breaklint.project.walking import walk


def _word(word: str) -> str:
    """The pattern of a whole word. It begins with letters: after a boundary it would take thirty times as long."""
    return rf"{word}\b(?<!\w{word})"


# What is not as granted, and how a file shows that it meets such.
OWN_CLASS, NO_DATA = "tensors of a class of its own", "tensors without data"
NOT_STRIDED, NESTED = "tensors that are not strided", "nested tensors"
HOOKED = "hooks that may change what modules take and give"
TRANSFORMED = "calls that transform or trace functions"
NAMED = "tensors whose dimensions have names"
SAVED = "hooks for what is saved for backward"
CONJUGATE = "tensors that are conjugated or negated as a view"
FORWARD = "derivatives in forward mode"

# Each by words: a pattern is looked for where its word is, without which it matches nowhere; "": the word is enough. To
# look for words takes a tenth of the time, and for one pattern that begins with a word less than for several at once.
OTHERWISE = {
    OWN_CLASS: {
        "Tensor": r"class\s+\w+\((?:[\w., ]+,)?\s*[\w.]*Tensor\b",
        "Parameter": r"class\s+\w+\((?:[\w., ]+,)?\s*[\w.]*Parameter\b",
    }
    | dict.fromkeys(
        "__torch_function__ __torch_dispatch__ as_subclass _make_subclass _make_wrapper_subclass TorchFunctionMode "
        "TorchDispatchMode UninitializedParameter FakeTensor".split(),
        "",
    ),
    NO_DATA: {"meta": r"""["']meta\b""", "init_empty_weights": ""},
    NOT_STRIDED: {"torch.sparse": r"torch\.sparse\b", "sparse_": r"sparse_(?:coo|cs|bs|compressed)"}
    | dict.fromkeys(["to_sparse", "to_mkldnn", "quantize_per"], ""),
    NESTED: {"nested_tensor": _word("nested_tensor"), "as_nested": r"as_nested(?<!\was_nested)"},
    NAMED: {
        "refine_names": "",
        "rename": r"rename(?<!\wrename)_?\(\s*(?:[\"'*]|None)",
        ".names": r"\.names\b",
        "names": r"[(,]\s*names\s*=\s*\(",
        "align_to": _word("align_to"),
        "align_as": _word("align_as"),
    },
    CONJUGATE: {
        "conj(": r"conj(?<!\wconj)\(", ".H": r"\.H\b", ".mH": r"\.mH\b"}
    | {word: _word(word) for word in ("adjoint", "imag", "_neg_view")
    },
    FORWARD: {"forward_ad": r"forward_ad\b"}
    | {word: _word(word) for word in "dual_level make_dual jvp linearize jacfwd hessian".split()},
    SAVED: dict.fromkeys(["saved_tensors_hooks", "save_on_cpu"], ""),
    HOOKED: {"_forward_hooks": "", "_forward_pre_hooks": "", "return_indices": r"\.return_indices\s*="}
    | {
        f"register_{kind}": ""
        for kind in ("forward_hook", "forward_pre_hook", "module_forward_hook", "module_forward_pre_hook")
    },
    TRANSFORMED: {"torch.func": r"torch\.func\b"}
    | dict.fromkeys(
        "functorch jit.trace jit.script make_fx symbolic_trace torch.export onnx.export".split(),
        "",
    )
    | {word: _word(word) for word in "vmap jacrev jacfwd functionalize".split()},
}  # fmt: skip
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
    return Shown(what for what, patterns in OTHERWISE.items() if shows(text, patterns))


def shows(text: str, patterns: Mapping[str, str]) -> bool:
    """Whether a text matches one of `patterns`, which are keyed by a word that the text then contains."""
    return any(not pattern or re.search(pattern, text) for word, pattern in patterns.items() if word in text)
