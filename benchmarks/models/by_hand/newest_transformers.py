"""The models of today's transformers that the fixes left with breaks, for newest_transformers.diff.

The caller of a Qwen-VL tower computes what depends on the sizes of its images, as transformers provides for.
"""
# ruff: noqa: D103

from __future__ import annotations

from typing import Any

import torch
from real_cases import newest_transformers as cases
from real_cases.newest_transformers import (  # noqa: F401
    PACKAGES,
    REQUIREMENTS,
    case_big_bird,
    case_led,
    case_longformer,
    case_switch_transformers,
    case_videomae_pretraining,
)


def case_siglip2_vision() -> Any:
    torch._dynamo.config.capture_scalar_outputs = True
    torch._dynamo.config.capture_dynamic_output_shape_ops = True
    return cases.case_siglip2_vision()


def case_qwen2_vl_vision() -> Any:
    return _computed_before(cases.case_qwen2_vl_vision)


def case_qwen2_5_vl_vision() -> Any:
    from transformers import vision_utils

    model, args, kwargs = _computed_before(cases.case_qwen2_5_vl_vision)
    config, names = model.config, ("window_index", "cu_window_seqlens")
    made = vision_utils.get_vision_window_index(
        kwargs["grid_thw"], config.spatial_merge_size, config.window_size, config.patch_size
    )
    return model, args, {**kwargs, **dict(zip(names, made, strict=True))}


def case_qwen3_vl_vision() -> Any:
    from transformers import vision_utils

    model, args, kwargs = _computed_before(cases.case_qwen3_vl_vision)
    made = vision_utils.get_vision_interpolation_indices_and_weights(
        kwargs["grid_thw"],
        model.num_grid_per_side,
        mode=model.interpolation_mode,
        align_corners=model.interpolation_align_corners,
        spatial_merge_size=model.config.spatial_merge_size,
    )
    return model, args, {**kwargs, **dict(zip(("interp_indices", "interp_weights"), made, strict=True))}


def _computed_before(case: Any) -> Any:
    """A model with what of its arguments depends on the sizes of the images."""
    from transformers import vision_utils

    model, args, kwargs = case()
    grid = kwargs["grid_thw"]
    kwargs["position_ids"] = vision_utils.get_vision_position_ids(grid, model.config.spatial_merge_size)
    kwargs["cu_seqlens"] = vision_utils.get_vision_cu_seqlens(grid)
    return model, args, kwargs
