"""Functions of sizes that stay symbolic: shown, never written."""

from __future__ import annotations

from breaklint.fixes.advice import shown
from breaklint.fixes.base import FixRequest, NotFixable, Outcome, codemod

ROOTS = frozenset({"numpy.sqrt"})
# Of Python and NumPy, which have no schemas.
LOGARITHMS = frozenset(
    f"{library}.{name}" for library in ("math", "numpy") for name in ("log", "log2", "log10", "log1p", "exp")
)


@codemod
def show_symbolic(request: FixRequest) -> Outcome:
    """`np.sqrt(n)` -> `n**0.5`, `math.log(n)` -> `torch.tensor(n).log()`, for a size."""
    call = request.call
    name = request.qualified(call.func)
    if len(call.args) != 1 or call.keywords:
        raise NotFixable(request.rule.fix_why)
    if name in ROOTS:
        return shown(request, call, f"{request.operand(call.args[0])} ** 0.5")
    if name not in LOGARITHMS:
        raise NotFixable(request.rule.fix_why)
    torch, imports = request.name_of("torch")
    content = f"{torch}.tensor({request.code(call.args[0])}).{name.rpartition('.')[2]}()"
    return shown(request, call, content, imports)
