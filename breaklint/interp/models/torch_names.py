"""Names of torch that the machine knows by heart, where the generated facts do not say."""

from __future__ import annotations

from typing import Final

from breaklint.interp.lattice import Value
from breaklint.interp.values import NONE, Static

TENSOR_STATIC: Final = {
    "dtype": "dtype",
    "device": "device",
    "layout": "layout",
    "ndim": "int",
    "is_cuda": "bool",
    "requires_grad": "bool",
    "is_leaf": "bool",
    "is_sparse": "bool",
    "names": "tuple",
    "itemsize": "int",
    "nbytes": "int",
    "is_quantized": "bool",
    "is_nested": "bool",
    "is_meta": "bool",
    "is_cpu": "bool",
    "is_mps": "bool",
    "output_nr": "int",
}
TENSOR_TENSORS: Final = frozenset({"T", "mT", "H", "mH", "real", "imag", "data", "grad"})
NAMED_RESULTS: Final = {
    "values": 0,
    "indices": 1,
    "sign": 0,
    "logabsdet": 1,
    "eigenvalues": 0,
    "eigenvectors": 1,
    "Q": 0,
    "R": 1,
    "U": 0,
    "S": 1,
    "Vh": 2,
}
BUFFERS: Final = {"running_mean": "float", "running_var": "float", "num_batches_tracked": "int"}
WEIGHTS: Final = frozenset(
    {"weight", "bias", "weight_ih", "weight_hh", "bias_ih", "bias_hh", "in_proj_weight", "in_proj_bias"}
)
CONSTANTS: Final[dict[str, Value]] = {
    **{f"math.{name}": Static("float") for name in ("pi", "e", "inf", "nan", "tau")},
    **{f"numpy.{name}": Static("float") for name in ("pi", "e", "inf", "nan")},
    "numpy.newaxis": NONE,
    **{f"torch.{name}": Static("float") for name in ("inf", "pi", "nan", "e")},
    **{
        f"torch.{name}": Static("dtype")
        for name in (
            "float",
            "float16",
            "float32",
            "float64",
            "half",
            "double",
            "bfloat16",
            "int",
            "int8",
            "int16",
            "int32",
            "int64",
            "long",
            "short",
            "uint8",
            "bool",
            "complex64",
            "complex128",
        )
    },
}
POINTER: Final = "torch.Tensor.data_ptr"  # what `x.data_ptr()` gives: traced until a number is needed
CONTEXT: Final = "torch.autograd.function.FunctionCtx"
MODULE_METHODS: Final = frozenset(
    "parameters named_parameters buffers named_buffers children named_children modules named_modules forward "
    "eval train state_dict load_state_dict apply to cuda cpu float half double requires_grad_ zero_grad "
    "flatten_parameters register_buffer register_parameter add_module register_module __call__ append extend "
    "insert items keys values reset_parameters type get_parameter get_buffer get_submodule extra_repr compile "
    "share_memory".split()
)
MODULE_SETTINGS: Final = frozenset(
    "in_features out_features in_channels out_channels kernel_size stride padding dilation groups num_features "
    "eps momentum affine track_running_stats num_embeddings embedding_dim padding_idx p inplace num_heads "
    "embed_dim head_dim dropout hidden_size input_size num_layers bidirectional batch_first normalized_shape "
    "elementwise_affine padding_mode output_padding transposed output_size scale_factor mode align_corners "
    "negative_slope reduction ignore_index num_groups _reversed_padding_repeated_twice max_norm norm_type "
    "scale_grad_by_freq sparse dim".split()
)
COMPILING: Final = frozenset(
    {
        "torch.compiler.is_compiling",
        "torch.compiler.is_dynamo_compiling",
        "torch._dynamo.is_compiling",
        "torch._dynamo.is_dynamo_compiling",
        "torch._dynamo.external_utils.is_compiling",
    }
)
NOT_COMPILING: Final = frozenset(
    {"torch.jit.is_scripting", "torch.jit.is_tracing", "torch.onnx.is_in_onnx_export", "torch._C._get_tracing_state"}
)
PASSED_THROUGH: Final = frozenset(
    {
        "torch.compile",
        "torch.jit.script_if_tracing",
        "torch.compiler.allow_in_graph",
        "torch.utils.checkpoint.checkpoint",
    }
)
TENSOR_CLASSES: Final = {
    "FloatTensor": "float",
    "DoubleTensor": "float",
    "HalfTensor": "float",
    "LongTensor": "int",
    "IntTensor": "int",
    "ByteTensor": "int",
    "BoolTensor": "bool",
    "Tensor": "float",
    "BFloat16Tensor": "float",
    "ShortTensor": "int",
    "CharTensor": "int",
}
CREATION: Final = frozenset("zeros ones empty rand randn full".split())
BY_DTYPE: Final = {
    "float": "float",
    "float16": "float",
    "float32": "float",
    "float64": "float",
    "half": "float",
    "double": "float",
    "bfloat16": "float",
    "int": "int",
    "int32": "int",
    "int64": "int",
    "long": "int",
    "short": "int",
    "int8": "int",
    "int16": "int",
    "uint8": "int",
    "bool": "bool",
}
CONTAINERS: Final = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ParameterList")
SPARSE: Final = frozenset(
    {"torch.sparse_coo_tensor", "torch.sparse.FloatTensor", "torch.sparse_csr_tensor", "torch.sparse.LongTensor"}
)
CHECKPOINT_OPTIONS: Final = tuple(
    "use_reentrant preserve_rng_state context_fn determinism_check debug early_stop".split()
)
