"""Random numbers that NumPy draws, drawn by Python's functions that are traced."""

from __future__ import annotations

from breaklint.analysis.queries import Doubt, No, required
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.fixes.randomness.random_uses import meets_tensors
from breaklint.interp.values import constant_kind

UNIFORM = frozenset({"random", "random_sample", "rand", "uniform"})


@fix("python-random")
def python_random(m: Match) -> Steps:
    """`np.random.random()` -> `random.uniform(0, 1)`, `np.random.randint(n)` -> `random.randrange(n)`."""
    call = m.request.call
    library, _, name = m.request.qualified(call.func).rpartition(".")
    if library != "numpy.random" or name not in UNIFORM | {"randint"}:
        yield No()
    plain = all(constant_kind(m.request.value(argument)) in ("int", "float") for argument in call.args)
    sized = bool(call.args) and name not in ("uniform", "randint")
    numbers = plain and not call.keywords and len(call.args) <= 2 and not sized
    yield required(numbers, "its bounds are not known to be two numbers")
    yield meets_tensors(m.request, call)
    yield Doubt(m.request.rule.fix_why)
    bounds = [m.request.code(argument) for argument in call.args]
    if name != "randint" and len(bounds) < 2:
        bounds = [*bounds, "1"] if bounds else ["0", "1"]
    twin = "randrange" if name == "randint" else "uniform"
    random, imports = m.request.name_of("random")
    code = f"{random}.{twin}({', '.join(bounds)})"
    return m.exchanged(call, code, f"Use `random.{twin}`, which is traced", *imports)
