"""Cases of open_clip."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["open_clip"]


def clip(name: str, **options):
    import open_clip

    vision = open_clip.CLIPVisionCfg(layers=2, width=32, patch_size=8, image_size=32, head_width=16, **options)
    text = open_clip.CLIPTextCfg(context_length=8, vocab_size=50, width=32, heads=2, layers=2)
    model = getattr(open_clip, name)(16, vision, text)
    return model, (torch.rand(2, 3, 32, 32), torch.randint(0, 49, (2, 8)))


def case_images_beside_text():
    return clip("CLIP")


def case_images_beside_a_text_tower():
    return clip("CustomTextCLIP", patch_dropout=0.5)


def case_pooled_by_attention():
    return clip("CLIP", attentional_pool=True, attn_pooler_queries=4, attn_pooler_heads=2)


def case_contrast():
    import open_clip

    return open_clip.ClipLoss(), (torch.randn(4, 8), torch.randn(4, 8), torch.tensor(10.0))


def case_distilled_contrast():
    import open_clip

    pair = torch.randn(4, 8), torch.randn(4, 8), torch.tensor(10.0)
    return open_clip.DistillClipLoss(), (*pair, *pair)


def case_sigmoid_contrast():
    from open_clip.loss import SigLipLoss

    return SigLipLoss(), (torch.randn(4, 8), torch.randn(4, 8), torch.tensor(10.0), torch.tensor(-10.0))
