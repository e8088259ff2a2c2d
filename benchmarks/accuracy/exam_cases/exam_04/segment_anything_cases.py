"""Cases of segment_anything."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["segment_anything"]


def image(*size: int) -> torch.Tensor:
    return torch.rand(size or (1, 1, 16, 16))


def segmenter():
    from functools import partial

    from segment_anything.modeling import ImageEncoderViT, MaskDecoder, PromptEncoder, Sam, TwoWayTransformer

    encoder = ImageEncoderViT(
        depth=2,
        embed_dim=16,
        img_size=32,
        mlp_ratio=2,
        norm_layer=partial(nn.LayerNorm, eps=1e-6),
        num_heads=2,
        patch_size=8,
        qkv_bias=True,
        use_rel_pos=True,
        global_attn_indexes=[1],
        window_size=3,
        out_chans=16,
    )
    prompts = PromptEncoder(embed_dim=16, image_embedding_size=(4, 4), input_image_size=(32, 32), mask_in_chans=4)
    decoder = MaskDecoder(
        num_multimask_outputs=3,
        transformer=TwoWayTransformer(depth=1, embedding_dim=16, mlp_dim=16, num_heads=2),
        transformer_dim=16,
        iou_head_depth=2,
        iou_head_hidden_dim=16,
    )
    return Sam(encoder, prompts, decoder)


def case_segment_anything():
    one = {
        "image": torch.rand(3, 30, 32) * 255,
        "original_size": (30, 32),
        "point_coords": torch.rand(1, 1, 2) * 30,
        "point_labels": torch.ones(1, 1),
    }
    return segmenter(), ([one],), {"multimask_output": True}


def case_segment_anything_boxes():
    one = {"image": torch.rand(3, 32, 32) * 255, "original_size": (32, 32), "boxes": torch.tensor([[1.0, 2, 20, 30]])}
    return segmenter(), ([one],), {"multimask_output": False}
