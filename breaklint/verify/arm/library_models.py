"""Models of libraries by name, built from their configuration without weights.

A model has the library's own defaults, but two layers where the number of layers is configured, and inputs whose sizes
its configuration tells.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from types import ModuleType
from typing import Any

import torch

from breaklint.calls.thaw import Call

LAYERS = (
    *("num_hidden_layers", "num_layers", "n_layer", "n_layers", "num_decoder_layers"),
    *("encoder_layers", "decoder_layers", "encoder_num_layers", "decoder_num_layers"),
)
"""What configurations of transformers call the number of layers."""
ROWS, TOKENS, NODES, EDGES = 2, 32, 24, 80


class LibraryError(Exception):
    """A library's model of this name cannot be built, or called, from what it says of itself."""

    breaklint_kind = "load"


def library_model(family: str, module: ModuleType, name: str) -> tuple[Any, Call]:
    """A model of a library, from the module that defines it, and the arguments of a call.

    Raises:
        LibraryError: it needs what its configuration does not tell.
    """
    model, inputs = _FAMILIES[family](module, name)
    return model, ((), inputs)


def _transformers(module: ModuleType, name: str) -> tuple[Any, dict[str, Any]]:
    named = getattr(module, name, None) or getattr(importlib.import_module("transformers"), name)
    if name.endswith("Config"):
        names = importlib.import_module("transformers.models.auto.modeling_auto").MODEL_MAPPING_NAMES
        found = names.get(named.model_type, ())
        cls = getattr(module, found if isinstance(found, str) else next(iter(found), ""), None)
        if cls is None:
            raise LibraryError(f"{name}: transformers has no base model for it; name a model's class")
    else:
        cls, named = named, named.config_class
    usual = named()
    few = {layers: 2 for layers in LAYERS if isinstance(getattr(usual, layers, None), int)}
    config = named(**few)
    config.use_cache = False
    wanted = {str(getattr(cls, "main_input_name", "input_ids"))}
    wanted |= {"decoder_input_ids"} if getattr(config, "is_encoder_decoder", False) else set()
    return cls(config), _filled(cls.forward, _transformers_inputs(config), wanted)


def _transformers_inputs(config: Any) -> dict[str, Any]:
    tokens = torch.randint(2, getattr(config, "vocab_size", 0) or 100, (ROWS, TOKENS))
    mels, frames = getattr(config, "num_mel_bins", 80), getattr(config, "max_source_positions", 1500)
    return {
        "input_ids": tokens,
        "decoder_input_ids": tokens.flip(0),
        "pixel_values": torch.randn(
            ROWS, getattr(config, "num_channels", 3), *_square(getattr(config, "image_size", 224))
        ),
        "input_features": torch.randn(ROWS, mels, 2 * frames),
        "input_values": torch.randn(ROWS, 16000),
    }


def _timm(module: ModuleType, name: str) -> tuple[Any, dict[str, Any]]:
    model = getattr(module, name)(pretrained=False)
    return model, {"x": torch.randn(ROWS, *model.default_cfg["input_size"])}


def _diffusers(module: ModuleType, name: str) -> tuple[Any, dict[str, Any]]:
    cls = getattr(module, name)
    model = cls()
    config: Mapping[str, Any] = model.config
    image = torch.randn(ROWS, config.get("in_channels") or 3, *_square(config.get("sample_size") or 32))
    width = config.get("cross_attention_dim") or config.get("joint_attention_dim") or 1280
    known = {
        **{"sample": image, "hidden_states": image, "x": image},
        "timestep": torch.full((ROWS,), 10),
        "encoder_hidden_states": torch.randn(ROWS, TOKENS, width if isinstance(width, int) else width[0]),
        "class_labels": torch.zeros(ROWS, dtype=torch.int64),
    }
    return model, _filled(cls.forward, known)


def _torch_geometric(module: ModuleType, name: str) -> tuple[Any, dict[str, Any]]:
    cls = getattr(module, name)
    sizes = {"in_channels": 16, "hidden_channels": 32, "out_channels": 8, "num_layers": 2, "edge_dim": 4}
    model = cls(**_filled(cls.__init__, sizes))
    known = {
        "x": torch.randn(NODES, 16),
        "edge_index": torch.randint(0, NODES, (2, EDGES)),
        "edge_attr": torch.randn(EDGES, 4),
        "edge_weight": torch.rand(EDGES),
        "batch": torch.arange(NODES) // (NODES // ROWS),
        "index": torch.arange(NODES) // (NODES // ROWS),
    }
    return model, _filled(cls.forward, known)


_FAMILIES: dict[str, Callable[[ModuleType, str], tuple[Any, dict[str, Any]]]] = {
    "transformers": _transformers,
    "timm": _timm,
    "diffusers": _diffusers,
    "torch_geometric": _torch_geometric,
}


def _filled(function: Callable[..., Any], known: Mapping[str, Any], wanted: set[str] = frozenset()) -> dict[str, Any]:  # type: ignore[assignment]
    """Values for those parameters that have no default, or are wanted."""
    kinds = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    given = [each for each in signature(function).parameters.values() if each.kind not in kinds and each.name != "self"]
    needed = [each.name for each in given if each.default is Parameter.empty or each.name in wanted]
    if lacking := [name for name in needed if name not in known]:
        told = f"{function.__qualname__} needs {', '.join(lacking)}, of which breaklint knows no example"
        raise LibraryError(f"{told}; write a function that returns (model, args), and name it as FILE.py:function")
    return {name: known[name] for name in needed}


def _square(size: Any) -> tuple[int, ...]:
    return tuple(size) if isinstance(size, list | tuple) else (size, size)
