"""Attention in many forms, images beside text, and layers on manifolds."""

from __future__ import annotations

import contextlib

import torch

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

PACKAGES = (
    "open_clip perceiver_pytorch se3_transformer_pytorch lambda_networks bottleneck_transformer_pytorch linformer "
    "performer_pytorch reformer_pytorch geoopt"
).split()


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


def case_perceiver():
    from perceiver_pytorch import Perceiver

    model = Perceiver(num_freq_bands=2, depth=2, max_freq=4.0, num_latents=4, latent_dim=8, num_classes=3)
    return model, (torch.rand(2, 8, 8, 3),)


def case_perceiver_with_queries():
    from perceiver_pytorch import PerceiverIO

    model = PerceiverIO(depth=2, dim=8, queries_dim=8, logits_dim=5, num_latents=4, latent_dim=8)
    return model, (torch.rand(2, 6, 8), torch.ones(2, 6).bool(), torch.rand(3, 8))


def case_perceiver_of_text():
    from perceiver_pytorch import PerceiverLM

    model = PerceiverLM(num_tokens=20, dim=8, depth=1, max_seq_len=8, num_latents=4, latent_dim=8)
    return model, (torch.randint(0, 20, (2, 8)), torch.ones(2, 8).bool())


def equivariant(**options):
    from se3_transformer_pytorch import SE3Transformer

    model = SE3Transformer(dim=8, heads=2, dim_head=4, depth=1, num_degrees=2, num_neighbors=3, **options)
    return model, (torch.randn(1, 6, 8), torch.randn(1, 6, 3), torch.ones(1, 6).bool())


def case_equivariant():
    return equivariant(valid_radius=10)


def case_equivariant_of_one_head():
    return equivariant(one_headed_key_values=True, use_null_kv=True)


def case_lambda():
    from lambda_networks import LambdaLayer

    return LambdaLayer(8, dim_k=4, n=8, heads=2, dim_out=8), (torch.rand(2, 8, 8, 8),)


def case_local_lambda():
    from lambda_networks import LambdaLayer

    return LambdaLayer(8, dim_k=4, r=3, heads=2, dim_out=8), (torch.rand(2, 8, 8, 8),)


def case_bottleneck():
    from bottleneck_transformer_pytorch import BottleStack

    model = BottleStack(dim=8, fmap_size=8, dim_out=16, num_layers=2, heads=2, dim_head=4, rel_pos_emb=True)
    return model, (torch.rand(2, 8, 8, 8),)


def case_linformer():
    from linformer import LinformerLM

    return LinformerLM(20, 8, 16, 2, k=4, heads=2), (torch.randint(0, 20, (2, 16)),)


def case_reversible_linformer():
    from linformer import Linformer

    return Linformer(8, 16, 2, k=4, heads=2, reversible=True, share_kv=True), (torch.randn(2, 16, 8),)


def case_performer():
    from performer_pytorch import PerformerLM

    return PerformerLM(num_tokens=20, max_seq_len=16, dim=8, depth=2, heads=2, dim_head=4), (
        torch.randint(0, 20, (2, 16)),
    )


def case_causal_performer():
    from performer_pytorch import Performer

    return Performer(dim=8, depth=1, heads=2, dim_head=4, generalized_attention=True), (torch.randn(2, 16, 8),)


def case_reformer():
    from reformer_pytorch import ReformerLM

    model = ReformerLM(num_tokens=20, dim=8, depth=2, max_seq_len=32, heads=2, bucket_size=4, n_hashes=2, causal=True)
    return model, (torch.randint(0, 20, (1, 32)),)


def case_reformer_layers():
    from reformer_pytorch import LSHSelfAttention

    return LSHSelfAttention(dim=8, heads=2, bucket_size=4, n_hashes=2), (torch.randn(1, 32, 8),)


class OnManifold(torch.nn.Module):
    def __init__(self, manifold) -> None:
        super().__init__()
        import geoopt

        self.manifold = manifold
        self.bias = geoopt.ManifoldParameter(torch.zeros(4), manifold=manifold)

    def forward(self, x):
        moved = self.manifold.expmap0(x)
        return self.manifold.dist(moved, self.manifold.expmap0(self.bias)), self.manifold.projx(moved)


def case_poincare():
    import geoopt

    return OnManifold(geoopt.PoincareBall()), (torch.randn(3, 4) * 0.1,)


def case_lorentz():
    import geoopt

    return OnManifold(geoopt.Lorentz()), (torch.randn(3, 4) * 0.1,)
