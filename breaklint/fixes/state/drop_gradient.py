"""`t.requires_grad = False`, gone where it changes nothing and under a test elsewhere."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh
from breaklint.analysis.gradients import needs_no_gradient
from breaklint.analysis.literals import same_code
from breaklint.analysis.mutation import is_unchanged
from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.interp.values import Static, Tensor
from breaklint.project.own_names import FUNCTIONS
from breaklint.project.syntax import name_of_variable
from breaklint.project.walking import variables_in, walk

WHY = "The flag of a tensor that needs no gradient is False already."
OTHER = "The object is not known to be a tensor."
FLAG = "needs_gradient"  # the name of a flag that is computed


@fix("drop-gradient", safe=WHY, unsafe=OTHER)
def drop_gradient(m: Match) -> Draft:
    """`t.requires_grad = False`: gone where t is a new tensor, else `if t.requires_grad:` above it."""
    request, statement = m.request, m.request.statement()
    found = request.matched(statement, "{t}.requires_grad = {flag}")
    if found is None:
        raise NotFixable("when the flag should change instead is for a person to say")
    tensor, flag = found["t"], None if request.matched(found["flag"], "False") is not None else found["flag"]
    if flag is not None and not variables_in(flag):
        raise NotFixable("a gradient can only be requested outside of the compiled code")
    value = request.value(tensor)
    if not isinstance(tensor, ast.Name) or (isinstance(value, Tensor) and value.role == "parameter"):
        raise NotFixable("it changes something that outlives the call")
    made = request.definition(tensor.id, statement).value
    if isinstance(made, ast.Call) and any(keyword.arg == "requires_grad" for keyword in made.keywords):
        raise NotFixable("the gradient is requested where the tensor is made")
    new = made is not None and (is_fresh(request, made) or needs_no_gradient(request, made, statement))
    plain = new and is_unchanged(request, tensor.id, statement)
    if plain and flag is None:
        return m.deleted(statement)
    m.safe_if(request.tensor(tensor) is not None and not request.may_be_none(tensor))
    code = _set_where_needed(request, statement, tensor, plain, flag)
    return m.put(statement, code, "Set the flag only where it changes")


def _set_where_needed(
    request: FixRequest, statement: ast.stmt, tensor: ast.Name, plain: bool, flag: ast.expr | None
) -> str:
    """`t.requires_grad = flag` under a test of what it would change; Dynamo knows the flag of every tensor.

    `flag` is None where the value is False; a `plain` tensor is known to need no gradient.
    """
    around, name = request.scope.parent(statement), tensor.id
    text, head = request.code(statement), ""
    if isinstance(around, ast.If) and around.body == [statement] and _asks_for(request, around.test, name, flag):
        raise NotFixable("it is set only where it is requested")
    if flag is None:
        test = f"{name}.requires_grad"
    elif not is_pure(request, flag):
        raise NotFixable("its value may do more than give a flag")
    elif plain and _is_bool(request, flag):
        test, text = request.code(flag), f"{name}.requires_grad = True"
    else:
        wanted = flag.id if isinstance(flag, ast.Name) else _new_name(request, statement)
        if not isinstance(flag, ast.Name):  # what computes it may do more than give it: it runs once, as before
            head, text = f"{wanted} = {request.code(flag)}\n", f"{name}.requires_grad = {wanted}"
        test = f"{wanted} is not False"  # what is no bool raises, as before
        test = test if plain else f"{test} or {name}.requires_grad"  # as before, the value first
    return f"{head}if {test}:\n    {text}"


def _new_name(request: FixRequest, statement: ast.stmt) -> str:
    """A local name for the value of a flag, which nothing in the file reads."""
    if not isinstance(request.scope.root, FUNCTIONS):
        raise NotFixable("its value may do more than give a flag, and there is no place to keep it")
    if FLAG in request.module.text or any(isinstance(up, ast.ClassDef) for up in request.scope.parents(statement)):
        raise NotFixable(f"the name `{FLAG}` means something else here")
    return FLAG


def _is_bool(request: FixRequest, flag: ast.expr) -> bool:
    """Whether a flag is surely a bool: any other value raises, which a parameter or a setting may be."""
    made = request.definition(flag.id, flag).value if isinstance(flag, ast.Name) else flag
    if isinstance(made, ast.Call):
        return request.qualified(made.func) == "builtins.bool"
    told = isinstance(made, (ast.Compare, ast.UnaryOp)) or (isinstance(made, ast.Attribute) and made.attr == "training")
    return told and request.value(flag) == Static("bool")


def _asks_for(request: FixRequest, test: ast.expr, name: str, flag: ast.expr | None) -> bool:
    """Whether a test is about the flag of a tensor, or about the value that the flag would get."""
    if flag is not None:
        return any(same_code(flag, part) for part in walk(test))
    found = request.matched(test, "{t}.requires_grad")
    return found is not None and name_of_variable(found["t"]) == name
