"""The differences that the reason of a fix warns of; any other difference is a bug of the fix."""

from __future__ import annotations

from breaklint.model import Applicability, Fix

EXACT: frozenset[str] = frozenset()
QUIET = frozenset({"quiet"})  # what warned may be what an unsafe fix replaced
ROUNDING = frozenset({"rounding", "gradient-rounding"})
COARSE = frozenset({"coarse-rounding", "gradient-coarse-rounding"})  # that of a narrower dtype
# What follows when a tensor no longer is the one, or no longer shares the memory of the one, that is changed later.
COPY = ROUNDING | COARSE | {"alias", "requires-grad", "stride", "effect", "value", "not-finite", "late", "silent"}
COPY |= {"gradient", "gradient-not-finite", "integer-value", "integer-gradient"}
# A kind of fix -> words of its reasons -> what these words warn of. A reason may hold several of them.
WARNED: dict[str, dict[str, frozenset[str]]] = {
    "drop-gradient": {
        "another object may have no such flag yet": frozenset({"raises", "error"}),
    },
    "drop-variable": {
        "the warning that says so is gone": QUIET,
        "is not known to be a tensor": frozenset({"raises", "error"}),
    },
    "guard-compiling": {
        "it needs torch 2.11, and compiled code prints a tensor without its grad_fn": EXACT,
        "nothing is printed, logged or warned any more": frozenset({"printed", "logged", "quiet"}),
    },
    "handed-out-number": {"compiled code hands out a 0-dim tensor": EXACT},
    "keep-tensor": {
        "may give another dtype": frozenset({"dtype", "integer-value", "integer-gradient"}),  # integers wrap around
        "is rounded like a tensor": ROUNDING | COARSE | {"not-finite", "gradient-not-finite"},
        "where Python raises (division by zero, overflow) it goes on": frozenset({"silent", "error", "warned"}),
        "a store takes no other dtype": frozenset({"raises", "error"}),
        "a power of it may lie in another order": frozenset({"stride"}),
        "more than one element is another error": frozenset({"error"}),
        "complex tensors have no order": frozenset({"raises", "error"}),
    },
    "masked-where": {
        "the sum is rounded in another order": ROUNDING,
        "infinite or NaN reach the gradient": frozenset({"gradient-not-finite"}),
        "a mean of integers does not raise": frozenset({"silent"}),
        "a mask that indexing refuses may be broadcast": frozenset({"silent", "error"}),
        "a mask that does not have the shape of every tensor raises": frozenset({"raises", "error"}),
        "values of another dtype are converted instead of refused": frozenset({"silent", "error"}),
        "an expanded tensor raises": frozenset({"raises", "error"}),
        "a new tensor takes the place": COPY,
        "of bools it gives integers where the store raises": frozenset({"silent", "error"}),
        "both sides are computed for every element": frozenset({"gradient-not-finite", "gradient-zeros"}),
    },
    "plain-module": {
        "results may round differently": ROUNDING | COARSE,
        "errors have other words": frozenset({"error"}),
        "types are not checked": frozenset({"silent"}),
    },
    "python-random": {
        "the number comes from another generator": (COPY | COARSE) - {"silent"},
        "the error of an empty range has other words": frozenset({"error"}),
        "where CUDA graphs replay the model": EXACT,
    },
    "saved-tensors": {
        "the warning that says so is gone": QUIET | {"raises", "silent", "error"},  # the file may make it an error
        "may have no such attribute": frozenset({"raises", "error"}),
    },
    "tensor-assert": {
        "its message is no longer computed": frozenset({"error"}),
        "another message": frozenset({"error"}),
        "for a condition of more than one element the error has other words": frozenset({"error"}),
        "one that was skipped may raise or warn": frozenset({"raises", "error", "warned"}),
    },
    "torch-where": {
        "it raises for a leaf that needs a gradient": frozenset({"raises", "error", "late"}),
        "raises or warns for an expanded tensor": frozenset({"warned"}),
        "also where nothing is selected": COPY,
        "a NaN no longer keeps the others": COPY,
        "an infinity or NaN in the side that is not taken": frozenset(
            {"gradient-not-finite", "raises", "error", "warned", "late"}
        ),
        "a gradient of zeros instead of none": frozenset({"gradient-zeros", "requires-grad"}),
        "the result is a new tensor": COPY,
        "gradients have been switched off since": frozenset({"requires-grad", "gradient-zeros", "gradient"}),
        "sparse tensors are refused": EXACT,  # none is made here
        "the condition must be on the same device": EXACT,  # all tensors are on the CPU here
        "for a condition of more than one element the error has other words": frozenset({"error"}),
        "one that was skipped may raise or warn": frozenset({"raises", "error", "warned"}),
        "the two values have different dtypes": frozenset({"dtype", "rounding"}),
        "backward no longer raises": frozenset({"late"}),
        "sums of gradients round differently": frozenset({"gradient-rounding"}),
        "a 0-dim tensor of the default dtype takes the place": ROUNDING | COARSE | {"dtype", "type"},
    },
    "vectorise-rows": {
        "or a tensor without dimensions, gives a result where the loop raises, or another error": frozenset(
            {"silent", "error"}
        ),
        "the result lies in memory as the tensor does": frozenset({"stride"}),
        "after a change of it in place backward may raise": frozenset({"late"}),
        "where there is no row the result asks for a gradient": frozenset(
            {"requires-grad", "gradient-zeros", "warned"}
        ),
        "an error in one row leaves the rows before it alone": EXACT,
        "that of a tensor without dimensions has other words": frozenset({"error"}),
        "a reduction rounds in another order": ROUNDING,
        "of a row with NaN every gradient is NaN": frozenset({"gradient-not-finite"}),
        "raises for a tensor of one dimension": frozenset({"raises", "error"}),
    },
}
WARNED["masked-sums"] = {
    **WARNED["masked-where"],
    "gradients round differently": frozenset({"gradient-rounding"}),
    "values of another dtype are converted instead of refused": frozenset({"silent", "error", "warned"}),
    "an expanded tensor raises": frozenset({"raises", "error"}),
}
# What any kind may say: eager mode stays the same, or something in the file is not as it looks.
OF_EVERY_KIND = {
    "the compiled model no longer": EXACT,
    "what stands on one line warns of the same once": frozenset({"warned"}),
    "the result or the error may be another one": COPY | COARSE | {"raises", "silent", "error", "shape", "dtype"},
}
# What a safe fix may change all the same: the warning that the old name is old.
RENAMED = {"saved-tensors": QUIET}


def allowed(kind: str, fix: Fix) -> frozenset[str]:
    """The kinds of difference that a fix may bring. KeyError for a reason that has no entry."""
    if fix.applicability is Applicability.SAFE:
        return RENAMED.get(kind, EXACT)
    known = OF_EVERY_KIND | WARNED.get(kind, {})
    found = [differences for words, differences in known.items() if words in fix.why]
    if not found:
        raise KeyError(f"{kind}: what does the reason `{fix.why}` warn of? Say it in differential/reasons.py")
    return QUIET.union(*found)
