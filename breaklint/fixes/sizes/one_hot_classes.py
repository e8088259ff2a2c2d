"""one_hot() with the number of classes that the code around it tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.mutation import is_unchanged
from breaklint.analysis.queries import Doubt, Proof
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, ExternalInstance, constant_kind
from breaklint.project.scope import single_name

WIDER = "the result is as wide as there are classes, also where the last ones do not occur or there are no labels"
FLAT = "scores without dimensions raise"
BEYOND = "a label beyond them raises"
NAMES = ("num_classes", "n_classes", "nclasses", "num_labels", "n_labels", "vocab_size", "num_embeddings", "n_vocab")
CASTS = frozenset({"to", "type", "type_as", "cuda"})  # measured without such a device or argument they tell nothing
# Conversions to integers of 32 bits or more, and copies: the facts tell the class of a dtype, not its width.
KEEPING = frozenset({"clone", "contiguous", "cpu", "cuda", "detach", "int", "long"})
# Where a module keeps how many classes it takes; schemas say nothing of modules.
LAYERS = {"torch.nn.Linear": "in_features", "torch.nn.Embedding": "num_embeddings"}


@fix("one-hot-classes")
def one_hot_classes(m: Match) -> Steps:
    """`F.one_hot(labels)` -> `F.one_hot(labels, num_classes=…)`."""
    request, call = m.request, m.request.call
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        raise NotFixable(request.rule.fix_why)
    labels = _made(request, call.args[0])
    known, counted, largest = _counted(request, labels), _literal(request, labels), _largest(request, labels)
    if known and _holds_all(request, call.args[0]):
        yield Proof("the labels are all classes, in their order")
        return _with(m, call, known)
    yield Doubt(WIDER)
    if counted or known:
        if known:
            yield Doubt(BEYOND)
        return _with(m, call, counted or known)
    if largest:
        yield Doubt(FLAT)
        return _with(m, call, largest)
    yield Doubt(BEYOND)
    used = next(_layers(request, call), "") or next(_embeddings(request, call.args[0]), "")
    if used:
        return _with(m, call, used)
    named = next(_named(request), "")
    if not named:
        raise NotFixable(request.rule.fix_why)
    yield Doubt(f"whether `{named}` counts these classes is for a person to say")
    return _with(m, call, named)._replace(shown=True)


def _with(m: Match, call: ast.Call, classes: str) -> Draft:
    content = f"{m.request.code(call.func)}({m.request.code(call.args[0])}, num_classes={classes})"
    return m.exchanged(call, content, f"Pass `num_classes={classes}`")


def _casts(request: FixRequest, method: str) -> bool:
    """Whether a method leaves integers what they are."""
    return method in CASTS or request.facts.keeps_values(method)


def _made(request: FixRequest, node: ast.expr) -> ast.expr:
    """The expression behind a name and behind conversions that keep the values of integers."""
    for _ in range(6):
        if isinstance(node, ast.Name):
            found = request.definition(node.id, node).value
            if found is None:
                return node
            node = found
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _casts(request, node.func.attr):
            node = node.func.value
        else:
            break
    return node


def _holds_all(request: FixRequest, node: ast.expr) -> bool:
    """Whether labels that come from `torch.arange(N)` are still the integers below N: unchanged on the way, through
    conversions that hold as many."""
    if request.tensor(node) is None:
        return False
    while not (isinstance(node, ast.Call) and request.qualified(node.func) == "torch.arange"):
        if isinstance(node, ast.Name):
            found = request.definition(node.id, node).value
            if found is None or not is_unchanged(request, node.id, request.node):  # conversions may share its memory
                return False
            node = found
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _keeps_integers(request, node):
            node = node.func.value
        else:
            return False
    return all(each.arg == "device" or _is_integer_type(request, each.value) for each in node.keywords)


def _keeps_integers(request: FixRequest, call: ast.Call) -> bool:
    """Whether a method copies, moves, or converts to integers that are wide enough."""
    assert isinstance(call.func, ast.Attribute)
    method = call.func.attr
    if method in ("to", "type"):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return len(given) == 1 and (_is_integer_type(request, given[0]) or _is_device(request, given[0]))
    return method in KEEPING


def _is_integer_type(request: FixRequest, node: ast.expr) -> bool:
    return request.qualified(node) in ("torch.long", "torch.int64", "torch.int", "torch.int32")


def _is_device(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is `x.device` of a tensor, or a device by name."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.partition(":")[0] in ("cpu", "cuda")
    return isinstance(node, ast.Attribute) and node.attr == "device" and request.tensor(node.value) is not None


def _counted(request: FixRequest, labels: ast.expr) -> str:
    """N of `torch.arange(N)`, a literal."""
    if isinstance(labels, ast.Call) and request.qualified(labels.func) == "torch.arange" and len(labels.args) == 1:
        return _positive(labels.args[0])
    return ""


def _literal(request: FixRequest, labels: ast.expr) -> str:
    """N of `labels % N`, `torch.randint(0, N, …)`, `torch.randint(N, …)` and `labels.clamp(0, N - 1)`, a literal."""
    if isinstance(labels, ast.BinOp) and isinstance(labels.op, ast.Mod):
        return _positive(labels.right)
    split = operation(request, labels) if isinstance(labels, ast.Call) else None
    if split is None:
        return ""
    name, arguments = split
    if name == "randint" and len(arguments) >= 2:
        return _positive(arguments[0 if isinstance(arguments[1], (ast.Tuple, ast.List)) else 1])
    return ""


def _positive(node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else ""


def _largest(request: FixRequest, labels: ast.expr) -> str:
    """The size of the dimension whose largest element `x.argmax(dim)` finds."""
    split = operation(request, labels) if isinstance(labels, ast.Call) else None
    if split is None or not isinstance(labels, ast.Call) or split[0] not in ("argmax", "argmin"):
        return ""
    dims = [*split[1][1:2], *(keyword.value for keyword in labels.keywords if keyword.arg == "dim")]
    known = request.value(dims[0]) if dims else None
    scores = split[1][0]
    if (
        not isinstance(scores, ast.Name)
        or not _same(request, scores)
        or not isinstance(known, Const)
        or not isinstance(known.value, int)
    ):
        return ""
    return f"{request.code(scores)}.shape[{known.value}]"


def _same(request: FixRequest, name: ast.Name) -> bool:
    """Whether a name still stands for the same value where the labels are used."""
    there, here = (request.definition(name.id, at).version for at in (name, request.node))
    return there == here


def _layers(request: FixRequest, call: ast.Call) -> Iterator[str]:
    """The layers that take the result: they take no other width."""
    for use in _uses(request, call):
        around = request.scope.parent(use)
        if isinstance(around, ast.Call) and around.args[:1] == [use]:
            yield from _width(request, around.func, "torch.nn.Linear")
        elif isinstance(around, ast.BinOp) and isinstance(around.op, ast.MatMult) and around.left is use:
            weight = around.right
            if isinstance(weight, ast.Attribute) and weight.attr == "weight":
                yield from _width(request, weight.value, "torch.nn.Embedding")


def _uses(request: FixRequest, node: ast.expr) -> Iterator[ast.expr]:
    """Where a value goes, through conversions and one name."""
    around = request.scope.parent(node)
    outer = request.scope.parent(around) if around is not None else None
    if isinstance(around, ast.Attribute) and _casts(request, around.attr) and isinstance(outer, ast.Call):
        yield from _uses(request, outer)
    elif (name := single_name(around)) is not None:
        if len(request.scope.stores(name)) == 1:
            for load in request.scope.loads(name):
                yield from _uses(request, load)
    else:
        yield node


def _embeddings(request: FixRequest, labels: ast.expr) -> Iterator[str]:
    """The embeddings that look the same labels up."""
    if not isinstance(labels, ast.Name) or len(request.scope.stores(labels.id)) > 1:
        return
    for load in request.scope.loads(labels.id):
        around = request.scope.parent(load)
        if isinstance(around, ast.Call) and around.args == [load]:
            yield from _width(request, around.func, "torch.nn.Embedding")


def _width(request: FixRequest, layer: ast.expr, kind: str) -> Iterator[str]:
    value = request.value(layer)
    if isinstance(value, ExternalInstance) and value.cls == kind and isinstance(layer, (ast.Name, ast.Attribute)):
        yield f"{request.code(layer)}.{LAYERS[kind]}"


def _named(request: FixRequest) -> Iterator[str]:
    """Integers of the module, or parameters of the function, whose name says that they count classes."""
    owner = request.event.frame.owner
    root = request.scope.root
    if isinstance(root, ast.FunctionDef):
        parameters = [*root.args.args, *root.args.kwonlyargs]
        yield from (each.arg for each in parameters if each.arg in NAMES and not request.scope.stores(each.arg))
        if isinstance(owner, Instance) and parameters:
            for name in NAMES:
                value = owner.get(name)
                if value is not None and constant_kind(value) == "int":
                    yield f"{parameters[0].arg}.{name}"
