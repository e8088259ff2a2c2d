"""Which expressions do nothing but give a value: no side effect, no random numbers, nothing stored."""

from __future__ import annotations

import ast

from breaklint.analysis.model import FunctionModel
from breaklint.interp.lattice import options
from breaklint.interp.objects import Instance
from breaklint.interp.values import Array, Const, Number, Shape, Size, Static, Tensor, constant_kind
from breaklint.project.object_effects import effects
from breaklint.project.scope import single_name
from breaklint.torchops.facts import Facts
from breaklint.torchops.results import OpFact

# Python has no schemas.
BUILTINS = frozenset(
    f"builtins.{name}"
    for name in "len int float bool str repr abs min max round tuple "
    "list type isinstance range sum zip enumerate".split()
)
ITERATORS = frozenset(f"builtins.{name}" for name in "enumerate filter iter map reversed zip".split())
# Deny by default: what torch's facts do not describe, or describe as in place or random, may do anything. These they do
# not describe, though they only compute.
FUNCTIONS = frozenset(
    f"torch.{name}"
    for name in "addbmm addmv asarray as_strided_scatter can_cast cholesky conv3d conv_transpose3d "
    "cosine_embedding_loss ctc_loss diagonal_scatter get_default_dtype grid_sampler imag index_reduce istft layer_norm "
    "lu_solve lu_unpack mv "
    "native_group_norm native_layer_norm nonzero_static orgqr ormqr promote_types rms_norm scatter_reduce "
    "select_scatter sym_max sym_min unflatten view_as_complex view_as_real is_tensor is_storage "
    "is_inference_mode_enabled from_numpy device finfo iinfo "
    "nn.functional.conv3d nn.functional.conv_transpose3d nn.functional.upsample nn.functional.upsample_bilinear "
    "nn.functional.upsample_nearest linalg.cholesky linalg.householder_product linalg.ldl_solve linalg.lu_solve "
    "linalg.solve_triangular".split()
)
# Methods that the facts have no result of, because no small tensor fits them.
METHODS = frozenset(
    "addbmm addmv align_as align_to as_strided_scatter as_subclass ccol_indices cholesky coalesce col_indices "
    "crow_indices diagonal_scatter has_names index_reduce indices is_coalesced istft lu_solve mv new new_tensor "
    "nonzero_static orgqr ormqr refine_names rename row_indices scatter_reduce select_scatter sparse_mask stft "
    "to_padded_tensor to_sparse_coo unflatten values".split()
)
# Described by what they give, and they also write to a tensor, draw random numbers or touch a global state.
EFFECTS = frozenset(
    f"torch.{name}"
    for name in "get_rng_state initial_seed lobpcg manual_seed pca_lowrank prepare_multiprocessing_environment save "
    "seed set_default_dtype set_default_tensor_type set_deterministic_debug_mode set_float32_matmul_precision "
    "set_rng_state set_warn_always svd_lowrank sym_constrain_range sym_constrain_range_for_size "
    "use_deterministic_algorithms "
    "nn.functional.batch_norm nn.functional.dropout1d nn.functional.dropout2d nn.functional.dropout3d "
    "nn.functional.embedding nn.functional.embedding_bag nn.functional.fractional_max_pool2d "
    "nn.functional.fractional_max_pool2d_with_indices nn.functional.fractional_max_pool3d "
    "nn.functional.fractional_max_pool3d_with_indices nn.functional.gumbel_softmax nn.functional.instance_norm".split()
)
COMPUTING = frozenset("abs bool float int isinstance len repr round str type".split())  # what is new, or no tensor
ADDRESSES = frozenset({"data_ptr", "const_data_ptr"})  # methods whose result depends on where a tensor lies
# NumPy has no schemas.
ARRAY_METHODS = frozenset(
    "all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod "
    "cumsum diagonal dot flatten item max mean min nonzero prod ptp ravel repeat reshape round searchsorted squeeze "
    "std sum swapaxes take tobytes tolist trace transpose var view".split()
)
SIZE_METHODS = frozenset("numel count index bit_length bit_count conjugate as_integer_ratio is_integer".split())
COMPUTED_WITH = (Array, Const, Number, Shape, Size, Static, Tensor)
SAME = {"torch.functional": "torch"}  # a library, and where it says that its functions are
PLAIN = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.BoolOp,
    ast.Subscript,
    ast.Slice,
    ast.IfExp,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.ListComp,
    ast.GeneratorExp,
    ast.comprehension,
    ast.Starred,
    ast.keyword,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.boolop,
    ast.expr_context,
)


def is_pure(model: FunctionModel, node: ast.AST) -> bool:
    """Whether evaluating an expression changes nothing and gives the same each time (it may raise)."""
    if isinstance(node, ast.Call):
        if not _pure_call(model, node):
            return False
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return all(is_pure(model, part) for part in [*receiver, *node.args, *node.keywords])
    if isinstance(node, ast.Attribute) and _is_changing(model, node):
        return False
    return isinstance(node, PLAIN) and all(is_pure(model, child) for child in ast.iter_child_nodes(node))


def _is_changing(model: FunctionModel, node: ast.Attribute) -> bool:
    """Whether an attribute is a property that changes its object."""
    owner = model.value(node.value)
    method = model.project.method(owner.cls, node.attr) if isinstance(owner, Instance) else None
    return method is not None and bool(effects(method).stores)


def _is_iterator(model: FunctionModel, node: ast.expr) -> bool:
    """Whether a name is bound to an iterator, which a call reads to its end."""
    stores = model.scope.stores(node.id) if isinstance(node, ast.Name) else []
    values = [item.value for item in map(model.scope.parent, stores) if isinstance(item, ast.Assign)]
    callees = [model.qualified(value.func) for value in values if isinstance(value, ast.Call)]
    return any(isinstance(value, ast.GeneratorExp) for value in values) or not ITERATORS.isdisjoint(callees)


def _pure_call(model: FunctionModel, call: ast.Call) -> bool:
    if any(keyword.arg in ("out", "inplace", "generator", None) for keyword in call.keywords):
        return False
    name, facts = model.qualified(call.func), model.facts
    if name.startswith("builtins.") and any(_is_iterator(model, argument) for argument in call.args):
        return False
    if name:
        return is_pure_function(name, facts) and not _may_be_inplace(call, name, facts)
    if not isinstance(call.func, ast.Attribute):
        return False
    owner, method = model.value(call.func.value), call.func.attr
    if isinstance(owner, Tensor):
        return is_pure_method(method, facts)
    if constant_kind(owner) == "str":
        return True
    return method in (
        ARRAY_METHODS if isinstance(owner, Array) else SIZE_METHODS if isinstance(owner, Shape | Size) else ()
    )


def _may_be_inplace(call: ast.Call, name: str, facts: Facts) -> bool:
    """Whether the argument `inplace` may be passed by position, if there is no keyword."""
    signature = facts.signature(name)
    flags = (
        [overload for overload in signature.overloads if overload and overload[-1].name == "inplace"]
        if signature
        else []
    )
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    return any(starred or len(call.args) >= len(flag) for flag in flags)


def is_pure_function(qualified: str, facts: Facts) -> bool:
    """Whether calling a function, named in full, changes nothing and gives the same each time."""
    library, _, short = qualified.rpartition(".")
    if qualified in BUILTINS or library == "math":
        return True
    qualified = f"{SAME.get(library, library)}.{short}"
    fact = facts.function(qualified)
    return qualified not in EFFECTS and (qualified in FUNCTIONS or _only_computes(fact))


def is_pure_method(name: str, facts: Facts) -> bool:
    """Whether a method of a tensor changes nothing and gives the same each time."""
    return name not in ADDRESSES and (name in METHODS or _only_computes(facts.method(name)))


def _only_computes(fact: OpFact | None) -> bool:
    return fact is not None and not fact.inplace and not fact.random


def only_read(model: FunctionModel, node: ast.expr, names: frozenset[str] = frozenset()) -> bool:
    """Whether a tensor is used for nothing but computing from it, in its function: a caller may do more."""
    enclosing = model.scope.parent(node)
    if isinstance(enclosing, ast.UnaryOp) and isinstance(enclosing.op, ast.UAdd):
        return only_read(model, enclosing, names)  # `+t` is t
    if isinstance(enclosing, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Return)):
        return _is_plain_operation(model, enclosing)
    if isinstance(enclosing, ast.Subscript):
        if enclosing.slice is node:  # as the key of a dict it would be kept
            return _is_plain_operation(model, enclosing) and isinstance(model.value(enclosing.value), COMPUTED_WITH)
        return isinstance(enclosing.ctx, ast.Load) and only_read(model, enclosing, names)
    if isinstance(enclosing, ast.Attribute):
        call = model.scope.parent(enclosing)
        method = isinstance(call, ast.Call) and call.func is enclosing
        return method and isinstance(call, ast.Call) and _call_only_reads(model, call, names)
    if isinstance(enclosing, (ast.Tuple, ast.List)):  # as in torch.stack((a, b))
        whole = model.scope.parent(enclosing)
        return isinstance(whole, (ast.Call, ast.keyword)) and only_read(model, enclosing, names)
    if isinstance(enclosing, (ast.Call, ast.keyword)):
        call = model.scope.parent(enclosing) if isinstance(enclosing, ast.keyword) else enclosing
        return isinstance(call, ast.Call) and _call_only_reads(model, call, names)
    name = single_name(enclosing)
    return name is not None and name_only_read(model, name, names)


def _is_plain_operation(model: FunctionModel, node: ast.AST) -> bool:
    """Whether an operator is none of a class of the project, which could do anything to its operands."""
    if isinstance(node, ast.Return):
        return True
    parts = [model.value(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    return not any(isinstance(option, Instance) for part in parts for option in options(part))


def _call_only_reads(model: FunctionModel, call: ast.Call, names: frozenset[str]) -> bool:
    """Whether a call is pure, and its result is not changed in place if it may be an alias of the tensor."""
    if not is_pure(model, call):
        return False
    if isinstance(model.value(call), (Const, Number, Shape, Size, Static)):
        return True
    library, _, name = model.qualified(call.func).rpartition(".")
    if library == "builtins":  # `max(t, u)` is one of the two
        return name in COMPUTING or only_read(model, call, names)
    if not name and isinstance(call.func, ast.Attribute):
        name = call.func.attr
    return model.facts.is_fresh(name) or only_read(model, call, names)


def name_only_read(model: FunctionModel, name: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether the object of a name is only read by pure operations; `names` are in progress."""
    if name in names:
        return True
    if any(isinstance(model.scope.parent(store), ast.AugAssign) for store in model.scope.stores(name)):
        return False
    return all(only_read(model, load, names | {name}) for load in model.scope.loads(name))
