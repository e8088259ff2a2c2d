"""Random numbers that Python draws, from functions that are traced."""

from __future__ import annotations

import ast

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.permutations import permuted
from breaklint.fixes.shape_equality import operation, takes_tensor
from breaklint.interp.values import constant_kind

CONVERSIONS = frozenset({"builtins.int", "builtins.float", "builtins.round"})
UNIFORM = frozenset({"random", "random_sample", "rand", "uniform"})


def random_uniform(request: FixRequest) -> Outcome:
    """`random.random()` -> `random.uniform(0, 1)`."""
    call = request.node
    assert isinstance(call, ast.Call)
    if request.qualified(call.func) != "random.random":
        raise NotFixable("only random.random() has a traced twin that draws the same number")
    if not isinstance(call.func, ast.Attribute):
        raise NotFixable("`uniform` is not imported here; import the module `random`")
    _meets_tensors(request, call)
    verdict = Verdict(UNSAFE, request.rule.fix_why, "Use `random.uniform(0, 1)`, which is traced")
    return request.replace(call, f"{request.text(call.func.value)}.uniform(0, 1)", verdict)


def python_random(request: FixRequest) -> Outcome:
    """`np.random.random()` -> `random.uniform(0, 1)`, `np.random.randint(n)` -> `random.randrange(n)`."""
    call = request.node
    assert isinstance(call, ast.Call)
    library, _, name = request.qualified(call.func).rpartition(".")
    if library != "numpy.random" or name not in UNIFORM | {"randint"}:
        return permuted(request, call)
    plain = all(constant_kind(request.value(argument)) in ("int", "float") for argument in call.args)
    sized = bool(call.args) and name not in ("uniform", "randint")
    if call.keywords or not plain or len(call.args) > 2 or sized:
        raise NotFixable("its bounds are not known to be two numbers")
    bounds = [request.text(argument) for argument in call.args]
    if name == "randint":
        twin = "randrange"
    else:
        twin = "uniform"
        bounds = bounds if name == "uniform" and len(bounds) == 2 else [*bounds[:1], "1"] if bounds else ["0", "1"]
    _meets_tensors(request, call)
    random, imports = request.name_of("random")
    verdict = Verdict(UNSAFE, request.rule.fix_why, f"Use `random.{twin}`, which is traced")
    return request.replace(call, f"{random}.{twin}({', '.join(bounds)})", verdict, imports)


def _meets_tensors(request: FixRequest, drawn: ast.expr, names: frozenset[str] = frozenset()) -> None:
    """Dynamo computes with a random number and a tensor, but not with a random number and a Python number (GB0213)."""
    around = request.scope.parent(drawn)
    if isinstance(around, ast.Assign) and isinstance(around.targets[0], ast.Name):
        name = around.targets[0].id
        for load in request.scope.loads(name) if name not in names else ():
            _meets_tensors(request, load, names | {name})
    split = operation(request, around) if isinstance(around, ast.Call) else None
    converts = isinstance(around, ast.Call) and request.qualified(around.func) in CONVERSIONS
    converts = converts or (split is not None and not takes_tensor(request, split[0], split[1].index(drawn)))
    if converts or (isinstance(around, (ast.BinOp, ast.UnaryOp)) and request.tensor(around) is None):
        raise NotFixable("Python computes with the number before a tensor does, which breaks the graph as well")
