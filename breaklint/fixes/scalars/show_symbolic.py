"""Functions of sizes that stay symbolic: shown, never written."""

from __future__ import annotations

from breaklint.fixes.protocol import Draft, Match, fix

ROOTS = frozenset({"numpy.sqrt"})
# Of Python and NumPy, which have no schemas.
LOGARITHMS = frozenset(
    f"{library}.{name}" for library in ("math", "numpy") for name in ("log", "log2", "log10", "log1p", "exp")
)


@fix("show-symbolic")
def show_symbolic(m: Match) -> Draft:
    """`np.sqrt(n)` -> `n**0.5`, `math.log(n)` → `torch.tensor(n).log()`, for a size."""
    request, call = m.request, m.request.call
    name, why = request.qualified(call.func), request.rule.fix_why
    m.require(len(call.args) == 1 and not call.keywords and name in ROOTS | LOGARITHMS, why)
    if name in ROOTS:
        return m.advised(call, f"{request.operand(call.args[0])} ** 0.5")
    torch, imports = request.name_of("torch")
    content = f"{torch}.tensor({request.code(call.args[0])}).{name.rpartition('.')[2]}()"
    return m.advised(call, content, *imports)
