"""Products of settings, of which nothing tells whether they are integers: a function of the file tells when it runs."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Proof, required
from breaklint.fixes import imports
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.callables import Method
from breaklint.interp.lattice import Unknown, Value
from breaklint.interp.values import Static
from breaklint.model import Edit
from breaklint.project.module import FunctionInfo

NAME = "_int_prod"
# Whatever it is given, it gives and raises what `int(np.prod(values))` does: the product of integers that NumPy's 64
# bits hold is the same number in Python.
FUNCTION = """\
def _int_prod(values):
    numbers = values if type(values) in (list, tuple) else [values]
    if all(type(number) is int for number in numbers) and abs(product := {math}.prod(numbers)) < 2**63:
        return product
    return int({numpy}.prod(values))  # breaklint: ignore[{code}] of anything but integers
"""
# What FUNCTION reads of Python.
BUILTINS = ("type", "list", "tuple", "all", "int", "abs")


@fix("setting-product", match=("int(numpy.prod({values}))", "int(numpy.product({values}))"))
def setting_product(m: Match) -> Steps:
    """`int(np.prod(self.size))` -> `_int_prod(self.size)`, which asks for integers and asks NumPy for anything else."""
    request = m.request
    yield required(_is_open(request.value(m["values"])), "")
    yield Proof("integers are multiplied by Python, and anything else by NumPy, as it is now")
    message = f"Use a function `{NAME}` that multiplies integers"
    draft = m.replaced("_int_prod({values})", message, *_function(request))
    call = request.call.args[0]
    return draft._replace(of=tuple(each.func for each in (request.call, call) if isinstance(each, ast.Call)))


def _is_open(value: Value) -> bool:
    """Whether nothing is known of a value, such as an attribute that comes from the caller's configuration."""
    from_outside = isinstance(value, Method) and isinstance(value.owner, Unknown)
    return from_outside or isinstance(value, Unknown) or value == Static("")


def _function(request: FixRequest) -> tuple[Edit, ...]:
    """The edits that give the file the function, none where it has it; raises NotFixable."""
    module = request.module
    math, edits = imports.name_at_top(module, "math"), tuple[Edit, ...]()
    if math is None:
        math, edits = request.name_of("math")
    numpy = imports.name_at_top(module, "numpy")
    for name in BUILTINS:
        request.builtin(name)
    if not edits and request.bindings.qualified(math, request.node, request.whole) != "math":
        raise NotFixable("`math` means something else here")
    if numpy is None or request.bindings.qualified(numpy, request.node, request.whole) != "numpy":
        raise NotFixable("the file does not always import NumPy")
    code = FUNCTION.format(math=math, numpy=numpy, code=request.rule.code)
    known = module.names.get(NAME)
    if isinstance(known, FunctionInfo) and ast.dump(known.node) == ast.dump(ast.parse(code).body[0]):
        return ()
    edit = imports.edit_below(module, f"\n\n{code}", "\n\n")
    if edit is None or known is not None or NAME in module.text or imports.sees_own_names(module):
        raise NotFixable(f"the file has no place for a function `{NAME}`")
    request.added[edit] = NAME
    return (*edits, edit)
