"""Random numbers that NumPy draws, drawn by Python's functions that are traced."""

from __future__ import annotations

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.codemods.permutations import permuted
from breaklint.fixes.proofs.random_uses import meets_tensors
from breaklint.interp.values import constant_kind

UNIFORM = frozenset({"random", "random_sample", "rand", "uniform"})


@codemod
def python_random(request: FixRequest) -> Outcome:
    """`np.random.random()` -> `random.uniform(0, 1)`, `np.random.randint(n)` -> `random.randrange(n)`."""
    call = request.call
    library, _, name = request.qualified(call.func).rpartition(".")
    if library != "numpy.random" or name not in UNIFORM | {"randint"}:
        return permuted(request, call)
    plain = all(constant_kind(request.value(argument)) in ("int", "float") for argument in call.args)
    sized = bool(call.args) and name not in ("uniform", "randint")
    if call.keywords or not plain or len(call.args) > 2 or sized:
        raise NotFixable("its bounds are not known to be two numbers")
    bounds = [request.code(argument) for argument in call.args]
    if name == "randint":
        twin = "randrange"
    else:
        twin = "uniform"
        bounds = bounds if name == "uniform" and len(bounds) == 2 else [*bounds[:1], "1"] if bounds else ["0", "1"]
    meets_tensors(request, call)
    random, imports = request.name_of("random")
    verdict = Verdict(UNSAFE, request.rule.fix_why, f"Use `random.{twin}`, which is traced")
    return request.replace(call, f"{random}.{twin}({', '.join(bounds)})", verdict, imports)
