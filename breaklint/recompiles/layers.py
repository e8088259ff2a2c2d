"""Layers of torch.nn: what their constructors make, and the sizes that calls of them give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from breaklint.recompiles import shapes
from breaklint.recompiles.objects import UNKNOWN, Obj, Tensor, Unknown
from breaklint.recompiles.operations import apply
from breaklint.recompiles.scopes import Raised, Undecided
from breaklint.recompiles.symbols import Sym

NN: Final = "torch.nn."
MKLDNN_BATCH: Final = 16  # from this batch on, convolutions on a CPU choose another kernel
# The order of the arguments of constructors: signatures have that of forward alone.
NAMES: Final[dict[str, tuple[str, ...]]] = {
    "Linear": ("in_features", "out_features", "bias"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "Dropout": ("p", "inplace"),
    "LayerNorm": ("normalized_shape", "eps", "elementwise_affine", "bias"),
    "RMSNorm": ("normalized_shape", "eps"),
    "GroupNorm": ("num_groups", "num_channels", "eps"),
    "BatchNorm1d": ("num_features", "eps", "momentum"),
    "BatchNorm2d": ("num_features", "eps", "momentum"),
    "BatchNorm3d": ("num_features", "eps", "momentum"),
    "Flatten": ("start_dim", "end_dim"),
    "Unflatten": ("dim", "unflattened_size"),
    "Upsample": ("size", "scale_factor", "mode"),
    "PixelShuffle": ("upscale_factor",),
    "MultiheadAttention": ("embed_dim", "num_heads", "dropout"),
}
# The arguments of convolutions, in order.
CONV: Final = ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups", "bias")
# Their defaults: the layers are in Python, and have no schema.
DEFAULTS: Final[dict[str, Any]] = {"stride": 1, "padding": 0, "dilation": 1, "bias": True, "p": 0.5, "eps": 1e-5}
# The options that `forward` reads; that of a layer with weights reads the sizes of these.
READ: Final = frozenset(
    "p training kernel_size stride padding dilation size scale_factor upscale_factor start_dim end_dim dim "
    "unflattened_size output_size eps num_groups".split()
)
# The modules whose call makes Dynamo skip the frame (GB0014).
RECURRENT: Final = ("RNN", "LSTM", "GRU")


def build(name: str, args: list[Any], kwargs: dict[str, Any]) -> Obj:
    """A layer as its constructor makes it."""
    kind = name.rpartition(".")[2]
    made = Obj(name, {"training": True}, is_module=True)
    if kind in ("Sequential", "ModuleList", "ModuleDict", "ParameterList"):
        _fill(made, kind, args)
        return made
    names = (
        CONV
        if kind.startswith("Conv")
        else ("kernel_size", "stride", "padding")
        if "Pool" in kind
        else NAMES.get(kind, ())
    )
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    for field in names:
        made.attrs[field] = given.pop(field, None if "Pool" in kind else DEFAULTS.get(field))
    made.attrs.update(given)
    made.attrs["arguments"] = tuple(args)
    _weights(made, kind)
    return made


def _fill(made: Obj, kind: str, args: list[Any]) -> None:
    parts = args[0] if args and isinstance(args[0], (list, tuple, dict)) else args
    if isinstance(parts, dict):
        made.attrs["modules"] = list(parts.values())
        made.attrs["names"] = [*parts]
        made.attrs.update((str(key), value) for key, value in parts.items())
    else:
        made.attrs["modules"] = list(parts)


def _weights(made: Obj, kind: str) -> None:
    attrs = made.attrs
    weight: tuple[Any, ...] | None = None
    if kind == "Linear":
        weight = (attrs["out_features"], attrs["in_features"])
    elif kind == "Embedding":
        weight = (attrs["num_embeddings"], attrs["embedding_dim"])
    elif "Norm" in kind:
        weight = shapes.each_of(next(iter(attrs.values())), 1)[:0] or (UNKNOWN,)
    if weight is not None or kind.startswith("Conv"):
        attrs["weight"] = Tensor(weight, requires_grad=True, is_static=True)
        has_bias = attrs.get("bias") not in (None, False)
        attrs["bias"] = Tensor((weight or (UNKNOWN,))[:1], requires_grad=True, is_static=True) if has_bias else None


def call(kind: str, options: Mapping[str, Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What calling a layer with some options gives."""
    x = args[0] if args else next(iter(kwargs.values()), UNKNOWN)
    if not isinstance(x, Tensor):
        return UNKNOWN
    try:
        return _result(kind, options, x)
    except Undecided:
        return x.like(None)


def _result(kind: str, options: Mapping[str, Any], x: Tensor) -> Any:
    if kind == "Linear":
        return _to_width(x, options["in_features"], options["out_features"])
    if kind == "Embedding":
        return Tensor(None if x.shape is None else (*x.shape, shapes.number(options["embedding_dim"])))
    if kind.startswith("Dropout"):
        return apply("dropout", (x, options["p"]), {})
    if kind.startswith("Conv"):
        return _convolution(options, kind, x)
    if "Pool" in kind:
        return _pooled(options, kind, x)
    if kind == "Flatten":
        first = options["start_dim"]
        return apply("flatten", (x, 1 if first is None else first, -1), {})
    if kind == "Unflatten":
        return apply("unflatten", (x, options["dim"], options["unflattened_size"]), {})
    if kind == "Upsample":
        return apply("interpolate", (x, options["size"], options["scale_factor"]), {})
    if kind == "PixelShuffle":
        return apply("pixel_shuffle", (x, options["upscale_factor"]), {})
    if kind == "MultiheadAttention":
        return x.like(x.shape), Tensor(None)
    if kind.endswith("Loss"):
        return x.like(())
    if kind == "GLU":
        return apply("glu", (x,), {})
    if kind in ("Identity",):
        return x
    if kind == "Bilinear":
        return x.like(None)
    return x.like(x.shape)


def _to_width(x: Tensor, wide: Any, width: Any) -> Tensor:
    if not x.shape:
        return x.like(None)
    last = x.shape[-1]
    if not isinstance(last, Unknown) and isinstance(wide, int) and not last == wide:
        raise Raised
    return x.like((*x.shape[:-1], shapes.number(width)))


def _convolution(options: Mapping[str, Any], kind: str, x: Tensor) -> Tensor:
    count = int(kind[-2]) if kind[-2].isdigit() else 2
    if x.shape is None or len(x.shape) < count + 1:
        return x.like(None)
    if len(x.shape) == count + 2 and isinstance(x.shape[0], Sym):
        _ = bool(x.shape[0] < MKLDNN_BATCH)
    padding = 0 if isinstance(options["padding"], str) else options["padding"]
    given = (options["kernel_size"], options["stride"], padding, options["dilation"])
    windows = [shapes.numbers(shapes.each_of(value, count)) for value in given]
    if "Transpose" in kind:
        sizes: tuple[Any, ...] = tuple(
            UNKNOWN if isinstance(size, Unknown) else (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1
            for size, kernel, stride, padding, dilation in zip(x.shape[-count:], *windows, strict=True)
        )
    elif options["padding"] == "same":
        sizes = x.shape[-count:]
    else:
        sizes = tuple(shapes.window(*each) for each in zip(x.shape[-count:], *windows, strict=True))
    return x.like((*x.shape[: -count - 1], shapes.number(options["out_channels"]), *sizes))


def _pooled(options: Mapping[str, Any], kind: str, x: Tensor) -> Tensor:
    count = int(kind[-2]) if kind[-2].isdigit() else 2
    if x.shape is None or len(x.shape) < count + 1:
        return x.like(None)
    kernel, stride, padding = (options.get(name) for name in ("kernel_size", "stride", "padding"))
    if kind.startswith("Adaptive"):
        given = options.get("output_size", kernel)
        sizes = zip(x.shape[-count:], shapes.each_of(given, count), strict=True)
        return x.like((*x.shape[:-count], *(old if new is None else new for old, new in sizes)))
    stride = kernel if stride in (None, 1) and "stride" not in options.get("given", ()) and stride is None else stride
    windows = [
        shapes.numbers(shapes.each_of(value, count))
        for value in (kernel, kernel if stride is None else stride, padding or 0)
    ]
    return x.like((*x.shape[:-count], *(shapes.window(*each) for each in zip(x.shape[-count:], *windows, strict=True))))
