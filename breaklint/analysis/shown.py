"""What a file shows of tensors and calls that proofs take to be otherwise: by its text, in one pass for its index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from breaklint.project.module import Module
from breaklint.project.words import Words


def _word(word: str) -> str:
    """The pattern of a whole word. It begins with letters: after a boundary it would take thirty times as long."""
    return rf"{word}\b(?<!\w{word})"


# What is not as granted, and how a file shows that it meets such.
OWN_CLASS, NO_DATA = "tensors of a class of its own", "tensors without data"
NOT_STRIDED, NESTED = "tensors that are not strided", "nested tensors"
HOOKED = "hooks that may change what modules take and give"
TRANSFORMED, TRACED = "calls that transform functions", "calls that trace functions"
SCRIPTED = "functions that TorchScript compiles where they are defined"
NAMED = "tensors whose dimensions have names"
CONJUGATE = "tensors that are conjugated or negated as a view"
SAVED = "hooks for what is saved for backward"
FORWARD = "derivatives in forward mode"
BACKWARD = "`{}.backward` as a function of its own"
# Not told by words:
WARNED = "filters for warnings, or code that sees them"
REPARTED = "code that replaces modules, or what they run"
RESIZED = "tensors that get another size, or others in their place"

# Each by words: a pattern is looked for where its word is, without which it matches nowhere; "": the word is enough.
OTHERWISE = {
    OWN_CLASS: {
        "Tensor": r"class\s+\w+\((?:[\w., ]+,)?\s*[\w.]*Tensor\b",
        "type(": r"type\([^()]*\([^()]*\bTensor\b",
        "new_class(": r"new_class\([^()]*\([^()]*\bTensor\b",
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
    CONJUGATE: {"conj(": r"conj(?<!\wconj)\(", ".H": r"\.H\b", ".mH": r"\.mH\b"}
    | {word: _word(word) for word in ("adjoint", "imag", "_neg_view")},
    FORWARD: {"forward_ad": r"forward_ad\b"}
    | {word: _word(word) for word in "dual_level make_dual jvp linearize jacfwd hessian".split()},
    SAVED: dict.fromkeys(["saved_tensors_hooks", "save_on_cpu"], ""),
    HOOKED: {"_forward_hooks": "", "_forward_pre_hooks": "", "return_indices": r"\.return_indices\s*="}
    | {
        f"register_{kind}": ""
        for kind in ("forward_hook", "forward_pre_hook", "module_forward_hook", "module_forward_pre_hook")
    },
    TRANSFORMED: {"torch.func": r"torch\.func\b"}
    | dict.fromkeys("functorch make_fx torch.export".split(), "")
    | {word: _word(word) for word in "vmap jacrev jacfwd functionalize".split()},
    TRACED: {"jit.script": r"(?<!@)(?<!@torch\.)jit\.script", "Tracer": _word("Tracer")}
    | dict.fromkeys("jit.trace symbolic_trace onnx.export".split(), ""),
    SCRIPTED: {"jit.script": r"@(?:torch\.)?jit\.script"},
}  # fmt: skip


def shown(module: Module) -> list[str]:
    """What the text of a file shows; not what its imports and bases stand for under other names."""
    return _shown(module.text, module.words)


def shown_by(imported: Iterable[str], bases: Iterable[str]) -> list[str]:
    """What the full names of what a file imports, and of what it derives classes from, show."""
    text = "\n".join([*imported, *(f"class Own({base})" for base in bases)])
    return _shown(text, Words(text))


def _shown(text: str, words: Words) -> list[str]:
    return [what for what, patterns in OTHERWISE.items() if shows(text, words, patterns)]


def shows(text: str, words: Words, patterns: Mapping[str, str]) -> bool:
    """Whether a text matches one of `patterns`, which are keyed by a word that the text then contains."""
    held = (word for word in patterns if words.may_hold(word) and word in text)
    return any(not patterns[word] or re.search(patterns[word], text) for word in held)
