"""Names of torch: from the generated tables, and a few that no table contains, each with the reason."""

from __future__ import annotations

from typing import Final

from breaklint.interp.lattice import Value
from breaklint.interp.values import NONE, ExternalInstance, Static
from breaklint.torchops import names

TENSOR_TENSORS: Final = frozenset(name for name, kind in names.tensor_attributes().items() if kind == "tensor")
# Kinds of results, by which attributes are chosen from the facts.
TENSOR_STATIC: Final = {
    name: kind
    for name, kind in names.tensor_attributes().items()
    if kind in ("int", "bool", "dtype", "device", "layout", "tuple")
}
NAMED_RESULTS: Final = names.named_results()
BUFFERS: Final = names.module_attributes("buffer")
WEIGHTS: Final = frozenset(names.module_attributes("parameter"))
CONSTANTS: Final[dict[str, Value]] = {
    **{name: NONE if kind == "none" else Static(kind) for name, kind in names.constants().items()},
    "torch.default_generator": ExternalInstance("torch.Generator"),
}
POINTER: Final = "torch.Tensor.data_ptr"  # the result of `x.data_ptr()`: traced until a number is needed
CONTEXT: Final = "torch.autograd.function.FunctionCtx"
MODULE_METHODS: Final = names.module_methods()
# Methods of nn.Module that return the module: their result is in no schema.
RETURNING_MODULE: Final = frozenset(
    [
        *("apply", "eval", "train", "requires_grad_", "share_memory", "to", "to_empty", "type"),
        *("bfloat16", "half", "float", "double", "cpu", "cuda", "xpu", "ipu", "mtia"),
    ]
)
# No schema: the classes of the submodules of torch's transformer layers.
INNER_MODULES: Final = {
    "encoder": "torch.nn.TransformerEncoder",
    "decoder": "torch.nn.TransformerDecoder",
    **dict.fromkeys(("self_attn", "multihead_attn"), "torch.nn.MultiheadAttention"),
    **dict.fromkeys(("linear1", "linear2", "out_proj"), "torch.nn.Linear"),
    **dict.fromkeys(("norm1", "norm2", "norm3"), "torch.nn.LayerNorm"),
    **dict.fromkeys(("dropout1", "dropout2", "dropout3"), "torch.nn.Dropout"),
}
MODULE_SETTINGS: Final = frozenset(names.module_attributes("setting"))
NN_BUFFER: Final = "nn.Buffer"  # the role of a tensor that is an instance of the class
# No schema: functions that return True while Dynamo traces.
COMPILING: Final = frozenset(
    {
        "torch.compiler.is_compiling",
        "torch.compiler.is_dynamo_compiling",
        "torch._dynamo.is_compiling",
        "torch._dynamo.is_dynamo_compiling",
        "torch._dynamo.external_utils.is_compiling",
    }
)
# No schema: functions that return False while Dynamo traces.
NOT_COMPILING: Final = frozenset(
    {
        "torch.jit.is_scripting",
        "torch.jit.is_tracing",
        "torch.onnx.is_in_onnx_export",
        "torch._C._get_tracing_state",
        "torch.compiler.is_exporting",
    }
)
# No schema: the names of the function that keeps Dynamo out of a function.
DISABLING: Final = frozenset({"torch.compiler.disable", "torch._dynamo.disable", "torch._disable_dynamo"})
DISABLED: Final = "torch.compiler.disable"  # the class of a function that it returns
CUSTOM_OP: Final = "torch.library.custom_op"
# Operators that return a tensor. They are not in the facts, because their arguments have to fit each other.
UNMEASURED: Final = frozenset(
    (
        "addbmm addmv as_strided_scatter diagonal_scatter select_scatter scatter_reduce index_reduce mv unflatten stft "
        "istft nonzero_static conv3d conv_transpose3d conv_tbc ctc_loss cosine_embedding_loss batch_norm layer_norm "
        "rms_norm instance_norm gru_cell real imag view_as_complex view_as_real cholesky householder_product ldl_solve "
        "quantize_per_tensor quantize_per_channel "
        "lu_solve solve_triangular orgqr ormqr upsample upsample_bilinear upsample_nearest segment_reduce"
    ).split()
)
# No schema: they return their argument, a function, or its result.
PASSED_THROUGH: Final = frozenset(
    {
        "torch.jit.script_if_tracing",
        "torch.compiler.allow_in_graph",
        "torch.compiler.nested_compile_region",
        "torch.utils.checkpoint.checkpoint",
        "torch.nn.utils.remove_spectral_norm",
        "torch.nn.utils.remove_weight_norm",
        "torch.nn.utils.parametrizations.orthogonal",
        "torch.nn.utils.parametrizations.spectral_norm",
        "torch.nn.utils.parametrizations.weight_norm",
        "torch.nn.utils.parametrize.register_parametrization",
    }
)
# No schema: they return a module with a hook, which stores the weight at each call.
WEIGHT_NORMS: Final = frozenset({"torch.nn.utils.spectral_norm", "torch.nn.utils.weight_norm"})
# No schema: operators that trace functions, in which a break is an error.
CONTROL_FLOW: Final = frozenset({"torch.cond", "functorch.experimental.control_flow.map"}) | {
    f"torch._higher_order_ops.{name}{end}" for name in ("cond", "while_loop", "map", "scan") for end in ("", f".{name}")
}
TENSOR_CLASSES: Final = names.tensor_types()
BY_DTYPE: Final = names.dtypes()
# No schema: classes of containers of modules.
CONTAINERS: Final = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ParameterList")
# No schema contains the layout of a result.
SPARSE: Final = frozenset(
    {
        *(f"torch.sparse_{layout}_tensor" for layout in ("coo", "csr", "csc", "bsr", "bsc", "compressed")),
        "torch.sparse.FloatTensor",
        "torch.sparse.LongTensor",
    }
)
# Created by a higher-order operator whose function stores a number in an object from outside.
CHANGED: Final = "torch._dynamo.exc.SideEffect"
# With a layout their result is one that Dynamo traces.
NESTED: Final = frozenset({"torch.nested.nested_tensor", "torch.nested.as_nested_tensor"})
# Read from **kwargs, which the signature does not show.
CHECKPOINT_OPTION: Final = "preserve_rng_state"
