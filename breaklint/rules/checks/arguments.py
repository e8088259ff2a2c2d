"""Arguments of operators that take a number, and get a tensor: torch reads its value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.context import Condition
from breaklint.interp.events import Call, Index, Loop, Repeat
from breaklint.interp.lattice import Value
from breaklint.interp.values import CONSTANT, SIZED_BY_DATA, Array, Number, Shape, Slice, Tensor, is_captured
from breaklint.project.scope import single_name
from breaklint.rules.base import NO_RESUME, Check, Hit
from breaklint.rules.checks.loops import iterated
from breaklint.rules.operator_parameters import (
    FLOATS,
    INTEGERS,
    NUMBERS,
    has_data,
    has_parameter,
    needs_captured,
    nodes_of,
    parameters_of,
    signature_of,
    takes_only,
)
from breaklint.rules.value_kinds import certain_tensor
from breaklint.torchops.signatures import Signature

# No schema: parameters annotated as float that also take a tensor, because Python computes with them (measured).
COMPUTED_WITH: Final = frozenset(
    f"torch.nn.functional.{name}"
    for name in (
        "gumbel_softmax normalize local_response_norm lp_pool1d lp_pool2d lp_pool3d gaussian_nll_loss poisson_nll_loss "
        "triplet_margin_with_distance_loss"
    ).split()
) | {"torch.full"}
# Methods that were measured with NumPy numbers.
SHAPING: Final = frozenset("expand view reshape repeat new_zeros new_ones new_empty narrow topk".split())
# No schema: their argument may also be a number of elements.
NEEDS_CAPTURED: Final = "`{source}` needs the value of a number that fullgraph=True keeps in the graph"
NEEDS_LENGTH: Final = "the loop over `{source}` needs its length, which depends on data"
SEVERAL: Final = Condition(ast.Name("several sizes are multiplied"), True)
COUNTING: Final = frozenset({"torch.arange", "torch.range"})

# No schema: Dynamo rewrites these as a product before torch sees the number, so that a tensor will do.
REWRITTEN: Final = frozenset({"add_", "addcmul_", "addcdiv_"})
READ_AS_INTEGER: Final = frozenset({"start"})  # torch.narrow has an overload that takes a tensor, and reads it


class TensorAsNumber(Check):
    """A tensor or a random number as a float argument of an operator: `F.leaky_relu(x, slope)`, `x.add(y, alpha=t)`."""

    def applies_to(self, target: str, method: str) -> bool:
        if method in REWRITTEN or target.removeprefix("torch.Tensor.") in REWRITTEN:
            return False
        return target not in COMPUTED_WITH and target not in COUNTING and has_parameter(target, method, NUMBERS)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if not has_data(call):
            return
        reads = (takes_only(parameter, NUMBERS) for parameter in parameters_of(call, _is_read_as_number))
        if any(reads) or any(takes_only(parameter, FLOATS) for parameter in parameters_of(call, _is_array_scalar)):
            yield Hit(call.node)


def _is_read_as_number(value: Value) -> bool:
    """Whether torch has to read the value of an argument; an integer that is an input of the graph is a symbol."""
    if isinstance(value, Number):
        return value.symbolic
    tensor = certain_tensor(value)
    if tensor is None or tensor.ndim or tensor.role in ("sparse", "parameter", CONSTANT):
        return False
    return not tensor.role or tensor.dtype == "float"


class TensorAsSize(Check):
    """A 0-dim tensor that Python needs as an int: a size, a dimension, a slice bound, the count of a repeated list."""

    ranges = frozenset({"builtins.range", "builtins.slice"})
    arrays = frozenset({"numpy.zeros", "numpy.ones", "numpy.arange", "numpy.empty", "numpy.full"})  # of no schema here
    array_taking = frozenset({"torch.nn.functional.one_hot", "torch.nn.functional.pad"})

    def applies_to(self, target: str, method: str) -> bool:
        is_listed = target in self.ranges or target in self.arrays or target in COUNTING
        return is_listed or has_parameter(target, method, INTEGERS)

    def visit_loop(self, loop: Loop) -> Iterator[Hit]:
        rows = certain_tensor(loop.iterable) if loop.iterable is not None else None
        if rows is not None and rows.role == SIZED_BY_DATA:
            yield Hit(iterated(loop), NEEDS_LENGTH)

    def visit_repeat(self, repeat: Repeat) -> Iterator[Hit]:
        if is_captured(repeat.value, repeat.frame.interp.captures):
            yield Hit(repeat.node, NEEDS_CAPTURED)
        tensor = certain_tensor(repeat.value)
        counts = tensor is not None and tensor.dtype in ("", "int", "bool") and tensor.ndim in (None, 0)
        if tensor is not None and counts and tensor.role != CONSTANT:
            yield Hit(repeat.node)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        parts = index.node.slice.elts if isinstance(index.node.slice, ast.Tuple) else [index.node.slice]
        values = index.index.items if isinstance(index.index, Tuple) else (index.index,)
        slices = [pair for pair in zip(parts, values, strict=False) if isinstance(pair[0], ast.Slice)]
        if any(_is_read_slice(part, value) for part, value in slices if isinstance(part, ast.Slice)):
            target = "stored-slice" if isinstance(index.node.ctx, ast.Store) else ""
            yield Hit(index.node, target=target, end=NO_RESUME)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.target == "builtins.range" and needs_captured(call):
            yield Hit(call.node, NEEDS_CAPTURED)
        if not has_data(call):
            return
        reads_tensor: bool | None
        computed: tuple[ast.Name, ...] = ()
        if call.target in self.ranges:
            reads_tensor = any(_is_read_by_python(value) for value in call.args)
        elif call.target in self.arrays:
            reads_tensor = any(_is_array_scalar(part) for value in call.args for part in _parts(value))
        elif reads_tensor := self._reads_integer(call):
            computed = _computed_sizes(call)
        else:
            reads_tensor = _computes_with_array(call)
        if reads_tensor is not False:
            yield Hit(call.node, conditions=() if reads_tensor else (SEVERAL,), computed=computed)

    def _reads_integer(self, call: Call) -> bool:
        """Whether an integer parameter of an operator gets a tensor."""
        kinds = INTEGERS | NUMBERS if call.target in COUNTING else INTEGERS
        takes_arrays = call.target in self.array_taking

        def is_read(value: Value) -> bool:
            return any(_is_read_as_integer(part) or (takes_arrays and _is_array_scalar(part)) for part in _parts(value))

        parameters = parameters_of(call, is_read)
        return any(
            takes_only(parameter, kinds)
            or (parameter.name in READ_AS_INTEGER and not parameter.kinds.isdisjoint(INTEGERS))
            for parameter in parameters
        )


def _parts(value: Value) -> tuple[Value, ...] | list[Value]:
    """The items of a sequence, or the value itself."""
    items = value.items if isinstance(value, (Tuple, Sequence)) else None
    return (value,) if items is None else items


def _is_read_as_integer(value: Value) -> bool:
    """Whether torch has to read the value; a tensor from outside the graph is a symbol to it."""
    if isinstance(value, Number):
        return value.symbolic
    tensor = certain_tensor(value)
    if tensor is None or tensor.role:
        return False
    return not tensor.ndim or (tensor.ndim == 1 and tensor.dtype == "int")  # of one element: any other is refused


def _computed_sizes(call: Call) -> tuple[ast.Name, ...]:
    """The names of the integers that are read, if nothing else is."""
    keywords = call.node.keywords if isinstance(call.node, ast.Call) else []
    nodes = [*nodes_of(call), *(keyword.value for keyword in keywords)]
    parts = [part for node in nodes for part in (node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node])]
    values = call.frame.interp.values
    read = [part for part in parts if (value := values.get(part)) is not None and _is_read_as_integer(value)]
    names = tuple(part for part in read if isinstance(part, ast.Name))
    return names if len(names) == len(read) else ()


def _is_read_by_python(value: Value) -> bool:
    """Whether Python has to read an integer, for a tensor of any origin."""
    if isinstance(value, Number):
        return value.symbolic
    tensor = certain_tensor(value)
    return tensor is not None and (tensor.ndim == 0 or tensor.dtype == "int") and tensor.role != "sparse"


def _is_read_slice(node: ast.Slice, value: Value) -> bool:
    bounds = value.bounds if isinstance(value, Slice) else ()
    parts = (node.lower, node.upper, node.step)
    return any(_is_read_bound(part, bound) for part, bound in zip(parts, bounds, strict=False) if part is not None)


def _is_read_bound(node: ast.expr, value: Value | None) -> bool:
    """Whether Dynamo has to read a slice bound from a tensor; a NumPy number that is an attribute of a module is a
    constant."""
    if isinstance(value, Array):
        return not isinstance(node, ast.Attribute) and not value.python_scalar
    if isinstance(value, Number):
        return value.symbolic
    return isinstance(value, Tensor) and not value.assumed


def _computes_with_array(call: Call) -> bool | None:
    """Whether a size is computed with NumPy, `x.view(n * self.scale)`, `x.view(-1, np.prod(self.shape))`, or is an item
    of an array, `torch.zeros(self.size[0])`: a tensor to Dynamo. An attribute of a module is a constant.

    None if that depends on the number of dimensions of a tensor.
    """
    if call.starred or (call.method and call.method not in SHAPING):
        return False
    keywords = call.node.keywords if isinstance(call.node, ast.Call) else []
    arguments: list[tuple[int | str, ast.expr]] = [*enumerate(nodes_of(call))]
    arguments += [(keyword.arg, keyword.value) for keyword in keywords if keyword.arg is not None]
    computed = {which: _is_computed_with_array(call, node) for which, node in arguments}
    signature = signature_of(call) if any(result is not False for result in computed.values()) else None
    if signature is None:
        return False
    return _any(result for which, result in computed.items() if call.method or _takes_sizes(signature, which))


def _is_computed_with_array(call: Call, node: ast.expr) -> bool | None:
    """Whether an argument, or an item of it, is computed with a NumPy number or is an item of an array."""
    values = call.frame.interp.values
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    computed = (_assigned(call, part) for part in parts if type(values.get(part)) is Array)
    return _any(
        _any(_has_rows(values.get(arg), arg) for arg in part.args) if isinstance(part, ast.Call) else True
        for part in computed
        if isinstance(part, (ast.BinOp, ast.Subscript, ast.Call))
        and isinstance(value := values.get(part), Array)
        and not value.python_scalar
        and (value.ndim == 0 or (value.ndim is None and isinstance(part, ast.Subscript)))
    )


def _any(results: Iterable[bool | None]) -> bool | None:
    """Whether a result is true; None if none is, and one is open."""
    every = set(results)
    return True if True in every else None if None in every else False


def _assigned(call: Call, node: ast.expr) -> ast.expr:
    """The only expression that the function assigns to a name, or the node itself."""
    function = call.frame.function
    if not isinstance(node, ast.Name) or function is None:
        return node
    stores = [assignment.value for assignment in function.nodes.of(ast.Assign) if single_name(assignment) == node.id]
    return stores[0] if len(stores) == 1 else node


def _has_rows(value: Value | None, node: ast.expr) -> bool | None:
    """Whether NumPy computes a new number from a value: for a number, or a single item, it returns the item.

    The whole shape of nearly all tensors has several items; a slice of it may have one.
    """
    if isinstance(value, Tuple):
        return len(value.items) > 1
    if isinstance(value, Sequence):
        return value.items is not None and len(value.items) > 1
    if isinstance(value, Shape):
        is_whole = isinstance(node, (ast.Attribute, ast.Call))
        return value.ndim > 1 if value.ndim is not None else is_whole or None
    return isinstance(value, Array)


def _takes_sizes(signature: Signature, which: int | str) -> bool:
    parameter = signature.parameter(which)
    return parameter is not None and takes_only(parameter, INTEGERS) and "size" in parameter.kinds


def _is_array_scalar(value: Value) -> bool:
    return isinstance(value, Array) and value.ndim == 0
