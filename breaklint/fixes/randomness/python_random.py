"""Single random numbers, drawn by those of Python's functions that are traced."""

from __future__ import annotations

import ast

from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.randomness.random_uses import check_meets_tensors
from breaklint.interp.values import constant_kind

UNIFORM = frozenset({"random", "random_sample", "rand", "uniform"})
TWIN = "only random.random() has a traced twin that draws the same number"
UNIMPORTED = "`uniform` is not imported here; import the module `random`"
OTHER = (
    "neither Python nor torch draws such numbers in a form that is traced; torch.randperm and torch.multinomial choose "
    "among the items of a tensor"
)

UNSAFE = "Another generator may draw the number. If CUDA graphs replay the model, it may stay the same."


@fix("python-random", unsafe=UNSAFE)
def python_random(m: Match) -> Draft:
    """`random.random()`, `np.random.rand()` → `random.uniform(0, 1)`.

    Numbers that Python draws do not change; numbers of NumPy come from another generator.
    """
    request, call = m.request, m.request.call
    library, _, name = request.qualified(call.func).rpartition(".")
    if library == "random":
        m.require(name == "random", TWIN)
        m.require(isinstance(call.func, ast.Attribute), UNIMPORTED)
        check_meets_tensors(request, call)
        assert isinstance(call.func, ast.Attribute)
        return _draft(m, call, request.code(call.func.value), "uniform", ["0", "1"])
    m.require(library == "numpy.random" and name in UNIFORM | {"randint"}, OTHER)
    kinds = ("int",) if name == "randint" else ("int", "float")
    plain = all(constant_kind(request.value(argument)) in kinds for argument in call.args)
    takes_size = bool(call.args) and name not in ("uniform", "randint")
    numbers = plain and not call.keywords and len(call.args) <= 2 and not takes_size
    m.require(numbers, "breaklint cannot infer that its bounds are two numbers")
    check_meets_tensors(request, call)
    bounds = [request.code(argument) for argument in call.args]
    if name != "randint" and len(bounds) < 2:
        bounds = [*bounds, "1"] if bounds else ["0", "1"]
    random, imports = request.name_of("random")
    draft = _draft(m, call, random, "randrange" if name == "randint" else "uniform", bounds)
    return draft._replace(changes=(*imports, *draft.changes))


def _draft(m: Match, call: ast.Call, random: str, twin: str, bounds: list[str]) -> Draft:
    return m.exchanged(call, f"{random}.{twin}({', '.join(bounds)})", f"Use `random.{twin}`, which is traced")
