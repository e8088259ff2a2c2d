"""Code from before torch 0.4: Variable, saved_variables, resize_, requires_grad = False."""

from __future__ import annotations

import ast

from breaklint.fixes import layout
from breaklint.fixes.aliasing import is_fresh
from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.gradients import needs_no_gradient
from breaklint.fixes.layer_sizes import is_layer_size
from breaklint.fixes.purity import is_pure
from breaklint.fixes.scope import single_target
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.values import Array, Const, Number, Shape, Size, Static, Tensor
from breaklint.model import Edit, Fix, Position, Span
from breaklint.project.spans import span_of

NO_TENSORS = Array | Const | Dict | Number | Sequence | Shape | Size | Tuple


def drop_variable(request: FixRequest) -> Outcome:
    """`Variable(t)` shares t's data and needs no gradient: `t.detach()`, or t itself when it is new."""
    call = request.node
    assert isinstance(call, ast.Call)
    argument = _wrapped(call)
    warns = sum(_warns(keyword) for keyword in call.keywords) > 0
    around = request.scope.parent(call)
    dropped_anyway = isinstance(around, ast.Attribute) and around.attr in ("detach", "data")
    if isinstance(request.value(argument), NO_TENSORS):
        raise NotFixable("what it wraps is no tensor")
    new = is_fresh(request, argument)
    content = request.operand(argument) if new or dropped_anyway else f"{request.operand(argument)}.detach()"
    message = "Drop `Variable`" if new or dropped_anyway else "Replace `Variable(…)` by `.detach()`"
    if warns:
        verdict = Verdict(UNSAFE, "volatile has no effect, but the warning that says so is gone", message)
    elif new:
        verdict = Verdict(SAFE, "the argument is a new tensor without a gradient", message)
    elif request.tensor(argument) is None:
        verdict = Verdict(UNSAFE, "the argument is not known to be a tensor; `Variable(None)` is an empty one", message)
    else:
        verdict = Verdict(SAFE, "Variable(t) is t without its gradient, sharing its data", message)
    return request.replace(call, content, verdict)


def _wrapped(call: ast.Call) -> ast.expr:
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotFixable("its arguments come from a starred expression")
    if len(call.args) > 1:
        raise NotFixable("whether it asks for a gradient is decided by a second argument")
    named = [keyword.value for keyword in call.keywords if keyword.arg == "data"]
    if len(call.args) + len(named) != 1:
        raise NotFixable("it wraps no tensor")
    return [*call.args, *named][0]


def _warns(keyword: ast.keyword) -> bool:
    """Whether an option makes Variable warn; raises NotFixable for one that does more."""
    on = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
    if keyword.arg == "data" or (keyword.arg == "requires_grad" and on is False):
        return False
    if keyword.arg == "volatile" and isinstance(on, bool):
        return on
    if keyword.arg == "requires_grad":
        raise NotFixable(
            "it asks for a gradient, which Dynamo does not trace in any spelling; create the tensor outside"
        )
    raise NotFixable(f"what `{keyword.arg or '**'}` asks for is not visible here")


def new_empty(request: FixRequest) -> Outcome:
    """`x.new().resize_(size)` -> `x.new_empty(size)`."""
    call = request.node
    assert isinstance(call, ast.Call)
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    empty = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr == "new"
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute) or not empty or made.args:
        raise NotFixable("whether the number of elements stays is not visible here")
    other = isinstance(request.value(made.func.value), NO_TENSORS)
    if made.keywords or call.keywords or not call.args or other:
        raise NotFixable("what it makes room for is not known to be a new tensor")
    size = _room(request, call)
    verdict = Verdict(SAFE, "both make a tensor of this size with nothing in it", "Use `new_empty`")
    if request.tensor(made.func.value) is None:
        why = "what it is made of is not known to be a tensor, and of a negative size the error has other words"
        verdict = Verdict(UNSAFE, why, verdict.message)
    elif not all(_never_negative(request, argument) for argument in call.args):
        verdict = Verdict(UNSAFE, "of a negative size the error has other words", verdict.message)
    return request.replace(call, f"{request.operand(made.func.value)}.new_empty({size})", verdict)


def _room(request: FixRequest, call: ast.Call) -> str:
    """The source of the size that `resize_(size)` or `resize_as_(other)` asks for."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "resize_":
        return ", ".join(request.text(argument) for argument in call.args)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "resize_as_" and len(call.args) == 1:
        return f"{request.operand(call.args[0])}.shape"
    raise NotFixable("whether the number of elements stays is not visible here")


def _never_negative(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is a size, or a row of sizes, as a tensor has it."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(_never_negative(request, item) for item in node.elts)
    value = request.value(node)
    plain = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    whole = isinstance(value, Const) and isinstance(value.value, int) and value.value >= 0
    if isinstance(value, Tensor):
        return True  # of resize_as_, whose shape counts
    return (
        whole
        or is_layer_size(request, node)
        or (plain and not isinstance(node, ast.Name) and isinstance(value, Size | Shape))
    )


def saved_tensors(request: FixRequest) -> Outcome:
    """`ctx.saved_variables` was renamed."""
    node = request.node
    assert isinstance(node, ast.Attribute)
    end = span_of(request.module, node).end
    start = Position(end.row, end.column - len(node.attr))
    why = "saved_variables is the old name of the same tuple, and warns that it is"
    return Fix(SAFE, "Rename to `saved_tensors`", why, (Edit(Span(start, end), "saved_tensors"),))


def drop_gradient(request: FixRequest) -> Outcome:
    """`t.requires_grad = False`: gone where t is a new tensor, else `if t.requires_grad:` above it."""
    statement = request.statement()
    target = single_target(statement)
    if not isinstance(target, ast.Attribute) or not isinstance(statement, ast.Assign):
        raise NotFixable("when the flag should change instead is for a person to say")
    if isinstance(statement.value, ast.Constant) and statement.value.value is not False:
        raise NotFixable("a gradient can only be asked for outside of the compiled code")
    value = request.value(target.value)
    if not isinstance(target.value, ast.Name) or (isinstance(value, Tensor) and value.role == "parameter"):
        raise NotFixable("it changes something that outlives the call")
    name = target.value.id
    definition = request.scope.definition(name, statement)
    between = [read for read in request.scope.loads(name) if _in_between(read, definition.statement, target.value)]
    made = definition.value
    if isinstance(made, ast.Call) and any(keyword.arg == "requires_grad" for keyword in made.keywords):
        raise NotFixable("the gradient is asked for where the tensor is made")
    plain = made is not None and not between and (is_fresh(request, made) or needs_no_gradient(request, made))
    flag = None if isinstance(statement.value, ast.Constant) else statement.value
    if plain and flag is None:
        return request.delete(statement, Verdict(SAFE, "the tensor needs no gradient as it is", "Delete it"))
    return _set_where_needed(request, statement, target.value, plain, flag)


def _set_where_needed(
    request: FixRequest, statement: ast.Assign, tensor: ast.Name, plain: bool, flag: ast.expr | None
) -> Outcome:
    """`t.requires_grad = flag` under a test of what it would change; Dynamo knows the flag of every tensor.

    `flag` is None where the value is False; a `plain` tensor is known to need no gradient.
    """
    around, name = request.scope.parent(statement), tensor.id
    step = layout.indent_unit(request.module, request.scope.root)
    text = layout.indented(request.text(statement), step).lstrip()
    if isinstance(around, ast.If) and around.body == [statement] and _asks_for(around.test, name, flag):
        raise NotFixable("it is set only where it is asked for")
    why = "of a tensor that needs no gradient the flag is False as it is"
    if flag is None:
        test = f"{name}.requires_grad"
    elif not is_pure(request, flag):
        raise NotFixable("its value may do more than give a flag")
    elif plain and request.value(flag) == Static("bool"):
        test, text = request.text(flag), f"{name}.requires_grad = True"
    else:
        wanted = f"{request.operand(flag)} is not False"  # what is no bool raises, as before
        test = wanted if plain else f"{name}.requires_grad or {wanted}"
    verdict = Verdict(SAFE, why, "Set the flag only where it changes")
    if request.tensor(tensor) is None:
        verdict = Verdict(UNSAFE, "it is not known to be a tensor, and another object may have no such flag yet",
                          verdict.message)  # fmt: skip
    indent = layout.indent_of(request.module, statement)
    return request.rewrite(statement, statement, f"if {test}:\n{indent}{step}{text}", verdict)


def _asks_for(test: ast.expr, name: str, flag: ast.expr | None) -> bool:
    """Whether a test is about the flag of a tensor, or about the value that the flag would get."""
    if flag is not None:
        return ast.dump(flag) in {ast.dump(part) for part in ast.walk(test)}
    asked = test.value if isinstance(test, ast.Attribute) and test.attr == "requires_grad" else None
    return isinstance(asked, ast.Name) and asked.id == name


def _in_between(read: ast.Name, made: ast.AST | None, here: ast.Name) -> bool:
    """Whether a name is read between two places: something may have been stored into the new tensor there."""
    return made is not None and getattr(made, "lineno", 0) <= read.lineno <= here.lineno and read is not here
