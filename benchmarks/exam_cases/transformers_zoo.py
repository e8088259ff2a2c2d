"""Small packages that hold one transformer each."""

from __future__ import annotations

import torch

PACKAGES = (
    "colt5_attention egnn_pytorch en_transformer MEGABYTE_pytorch gateloop_transformer hyper_connections iTransformer "
    "linear_attention_transformer local_attention mega_pytorch mixture_of_experts nystrom_attention product_key_memory "
    "recurrent_memory_transformer_pytorch routing_transformer simple_hierarchical_transformer sinkhorn_transformer "
    "slot_attention st_moe_pytorch tab_transformer_pytorch titans_pytorch x_clip axial_attention "
    "axial_positional_embedding x_mlps_pytorch assoc_scan torch_einops_utils"
).split()


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_colt5_block():
    from colt5_attention import ConditionalRoutedTransformerBlock

    model = ConditionalRoutedTransformerBlock(
        dim=16, light_dim_head=8, light_heads=2, light_window_size=8, heavy_dim_head=8, heavy_heads=2, light_ff_mult=1,
        heavy_ff_mult=2, num_heavy_ff_tokens=4, num_heavy_attn_tokens_q=4, num_heavy_attn_tokens_kv=4,
    )  # fmt: skip
    return model, (torch.randn(2, 32, 16),), {"mask": torch.ones(2, 32).bool()}


def case_colt5_feedforward():
    from colt5_attention import ConditionalRoutedFeedForward

    return ConditionalRoutedFeedForward(dim=16, num_heavy_tokens=4), (torch.randn(2, 32, 16),)


def case_colt5_autoregressive():
    from colt5_attention import ConditionalRoutedAutoregressiveAttention

    model = ConditionalRoutedAutoregressiveAttention(
        dim=16, light_dim_head=8, light_heads=2, light_window_size=8, heavy_window_size=8, heavy_dim_head=8,
        heavy_heads=2, num_heavy_tokens_q=4, num_heavy_tokens_kv=4, num_routed_kv=2,
    )  # fmt: skip
    return model, (torch.randn(2, 32, 16),)


def case_colt5_cross():
    from colt5_attention import ConditionalRoutedCrossAttention

    model = ConditionalRoutedCrossAttention(
        dim=16, dim_head=8, heads=4, num_tokens_q=4, num_tokens_kv=8, kv_routing_tokens=2
    )
    return model, (torch.randn(1, 16, 16), torch.randn(1, 64, 16)), {"mask": torch.ones(1, 16).bool()}


def case_colt5_image():
    from colt5_attention import ConditionalRoutedImageAttention

    model = ConditionalRoutedImageAttention(
        dim=8, light_dim_head=8, light_heads=2, light_window_size=4, channel_first=True, heavy_dim_head=8,
        heavy_heads=2, num_heavy_tokens_q=4, num_heavy_tokens_kv=4,
    )  # fmt: skip
    return model, (torch.randn(1, 8, 16, 16),)


def case_egnn():
    from egnn_pytorch import EGNN

    return EGNN(dim=16, edge_dim=4), (torch.randn(1, 8, 16), torch.randn(1, 8, 3), torch.randn(1, 8, 8, 4))


def case_egnn_nearest():
    from egnn_pytorch import EGNN

    model = EGNN(dim=16, num_nearest_neighbors=3, norm_coors=True, soft_edges=True, fourier_features=2)
    return model, (torch.randn(1, 8, 16), torch.randn(1, 8, 3)), {"mask": torch.ones(1, 8).bool()}


def case_egnn_network():
    from egnn_pytorch import EGNN_Network

    model = EGNN_Network(
        num_tokens=21, num_positions=32, dim=16, depth=2, num_nearest_neighbors=3, coor_weights_clamp_value=2.0
    )
    return model, (tokens(1, 16, upper=21), torch.randn(1, 16, 3)), {"mask": torch.ones(1, 16).bool()}


def case_egnn_network_sparse():
    from egnn_pytorch import EGNN_Network

    model = EGNN_Network(
        num_tokens=21,
        dim=16,
        depth=2,
        only_sparse_neighbors=True,
        num_adj_degrees=2,
        adj_dim=4,
        global_linear_attn_every=1,
        num_global_tokens=2,
    )
    i = torch.arange(16)
    adjacent = (i[:, None] >= (i[None] - 1)) & (i[:, None] <= (i[None] + 1))
    return model, (tokens(1, 16, upper=21), torch.randn(1, 16, 3)), {"adj_mat": adjacent}


def case_en_transformer():
    from en_transformer import EnTransformer

    model = EnTransformer(dim=16, depth=2, dim_head=32, heads=2, edge_dim=4, neighbors=4)
    return (
        model,
        (torch.randn(1, 8, 16), torch.randn(1, 8, 3), torch.randn(1, 8, 8, 4)),
        {"mask": torch.ones(1, 8).bool()},
    )


def case_en_transformer_sparse():
    from en_transformer import EnTransformer

    model = EnTransformer(
        num_tokens=21,
        dim=16,
        depth=1,
        dim_head=32,
        heads=2,
        num_adj_degrees=2,
        adj_dim=4,
        only_sparse_neighbors=True,
        rel_pos_emb=True,
    )
    i = torch.arange(16)
    adjacent = (i[:, None] <= (i[None] + 1)) & (i[:, None] >= (i[None] - 1))
    return (
        model,
        (tokens(1, 16, upper=21), torch.randn(1, 16, 3)),
        {"adj_mat": adjacent, "mask": torch.ones(1, 16).bool()},
    )


def case_megabyte():
    from MEGABYTE_pytorch import MEGABYTE

    model = MEGABYTE(num_tokens=50, dim=(16, 8), max_seq_len=(8, 4), depth=(1, 1), dim_head=8, heads=2)
    return model, (tokens(1, 32),), {"return_loss": True}


def case_gateloop():
    from gateloop_transformer import Transformer

    return Transformer(num_tokens=50, dim=16, depth=1, heads=2, dim_head=8), (tokens(1, 16),)


def case_gateloop_full():
    from gateloop_transformer import Transformer

    model = Transformer(
        num_tokens=50,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        use_gate_looped_attn=False,
        rotary_emb=True,
        data_dependent_rel_pos=True,
    )
    return model, (tokens(1, 17),), {"return_loss": True}


def case_simple_gateloop():
    from gateloop_transformer import SimpleGateLoopLayer

    return SimpleGateLoopLayer(16), (torch.randn(1, 16, 16),)


def case_hyper_connections():
    from hyper_connections import HyperConnections

    return HyperConnections(4, dim=16, branch=torch.nn.Linear(16, 16)), (torch.randn(8, 4, 16),)


def case_manifold_hyper_connections():
    from hyper_connections.manifold_constrained_hyper_connections import ManifoldConstrainedHyperConnections

    return ManifoldConstrainedHyperConnections(4, dim=16, branch=torch.nn.Linear(16, 16)), (torch.randn(8, 4, 16),)


def case_hyper_vit():
    from hyper_connections.vit import ViT

    return ViT(image_size=16, patch_size=8, num_classes=4, dim=16, depth=1, heads=2, mlp_dim=16, dim_head=8), (
        torch.randn(1, 3, 16, 16),
    )


def case_itransformer():
    from iTransformer import iTransformer

    model = iTransformer(
        num_variates=5,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 12, 5),)


def case_itransformer_targets():
    from iTransformer import iTransformer

    model = iTransformer(
        num_variates=5,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        num_tokens_per_variate=1,
        use_reversible_instance_norm=False,
    )
    model.train()
    return model, (torch.randn(2, 12, 5), (torch.randn(2, 2, 5), torch.randn(2, 4, 5)))


def case_itransformer_2d():
    from iTransformer import iTransformer2D

    model = iTransformer2D(
        num_variates=5,
        num_time_tokens=4,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 12, 5),)


def case_itransformer_fft():
    from iTransformer import iTransformerFFT

    model = iTransformerFFT(
        num_variates=5,
        lookback_len=12,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 12, 5),)


def case_linear_attention():
    from linear_attention_transformer import LinearAttentionTransformerLM

    model = LinearAttentionTransformerLM(
        num_tokens=50,
        dim=16,
        heads=2,
        depth=1,
        max_seq_len=32,
        causal=True,
        n_local_attn_heads=1,
        local_attn_window_size=8,
        ff_chunks=2,
    )
    return model, (tokens(1, 32),)


def case_linear_attention_reversible():
    from linear_attention_transformer import LinearAttentionTransformerLM

    model = LinearAttentionTransformerLM(
        num_tokens=50, dim=16, heads=2, depth=2, max_seq_len=32, reversible=True, ff_glu=True, shift_tokens=True
    )
    return model, (tokens(1, 32),), {"input_mask": torch.ones(1, 32).bool()}


def case_linear_attention_image():
    from linear_attention_transformer.images import ImageLinearAttention

    return ImageLinearAttention(chan=8, heads=2, key_dim=8, value_dim=8), (torch.randn(1, 8, 8, 8),)


def case_local_attention():
    from local_attention import LocalAttention

    model = LocalAttention(dim=8, window_size=8, causal=True, look_backward=1, look_forward=0, autopad=True)
    q = torch.randn(2, 2, 30, 8)
    return model, (q, q, q), {"mask": torch.ones(2, 30).bool()}


def case_local_transformer():
    from local_attention import LocalTransformer

    model = LocalTransformer(
        num_tokens=50,
        dim=16,
        depth=2,
        max_seq_len=64,
        causal=True,
        local_attn_window_size=8,
        dim_head=8,
        heads=2,
        use_dynamic_pos_bias=True,
    )
    return model, (tokens(1, 33),), {"return_loss": True}


def case_local_transformer_xpos():
    from local_attention import LocalTransformer

    model = LocalTransformer(
        num_tokens=50,
        dim=16,
        depth=1,
        max_seq_len=64,
        causal=True,
        local_attn_window_size=8,
        dim_head=8,
        heads=2,
        use_xpos=True,
    )
    return model, (tokens(1, 32),)


def case_mega():
    from mega_pytorch import Mega

    return Mega(
        num_tokens=50, dim=16, depth=1, ema_heads=2, attn_dim_qk=8, attn_dim_value=16, laplacian_attn_fn=True
    ), (tokens(1, 16),)


def case_moe():
    from mixture_of_experts import MoE

    return MoE(dim=16, num_experts=4, hidden_dim=16), (torch.randn(2, 16, 16),)


def case_hierarchical_moe():
    from mixture_of_experts import HeirarchicalMoE

    return HeirarchicalMoE(dim=16, num_experts=(2, 2)), (torch.randn(2, 16, 16),)


def case_nystromformer():
    from nystrom_attention import Nystromformer

    return (
        Nystromformer(dim=16, dim_head=8, heads=2, depth=1, num_landmarks=4, pinv_iterations=2),
        (torch.randn(1, 18, 16),),
        {"mask": torch.ones(1, 18).bool()},
    )


def case_product_key_memory():
    from product_key_memory import PKM

    return (
        PKM(dim=16, heads=2, dim_head=16, num_keys=8, topk=4),
        (torch.randn(1, 16, 16),),
        {"input_mask": torch.ones(1, 16).bool()},
    )


def case_recurrent_memory():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer

    model = RecurrentMemoryTransformer(
        num_tokens=50,
        num_memory_tokens=4,
        dim=16,
        depth=2,
        causal=True,
        dim_head=8,
        heads=2,
        seq_len=16,
        use_flash_attn=False,
    )
    return model, (tokens(1, 16),)


def case_recurrent_memory_wrapper():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer, RecurrentMemoryTransformerWrapper

    model = RecurrentMemoryTransformer(
        num_tokens=50,
        num_memory_tokens=4,
        dim=16,
        depth=2,
        causal=True,
        dim_head=8,
        heads=2,
        seq_len=16,
        use_flash_attn=True,
        use_xl_memories=True,
    )
    return RecurrentMemoryTransformerWrapper(model), (tokens(1, 40),), {"return_loss": True}


def case_routing_transformer():
    from routing_transformer import RoutingTransformerLM

    model = RoutingTransformerLM(
        num_tokens=50, dim=16, heads=2, depth=1, max_seq_len=32, window_size=8, n_local_attn_heads=1, causal=True
    )
    return model, (tokens(1, 32),), {"input_mask": torch.ones(1, 32).bool()}


def case_hierarchical_transformer():
    from simple_hierarchical_transformer import HierarchicalTransformer

    model = HierarchicalTransformer(
        num_tokens=50, dim=16, depth=1, seq_len=32, hierarchies=(1, 2), window_sizes=(8, None), dim_head=8, heads=2
    )
    return model, (tokens(1, 32),), {"return_loss": True}


def case_sinkhorn_transformer():
    from sinkhorn_transformer import SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=50,
        dim=16,
        heads=2,
        depth=1,
        max_seq_len=32,
        bucket_size=8,
        causal=True,
        ff_chunks=2,
        n_local_attn_heads=1,
    )
    return model, (tokens(1, 32),)


def case_sinkhorn_transformer_plain():
    from sinkhorn_transformer import SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=50, dim=16, heads=2, depth=1, max_seq_len=32, bucket_size=8, use_simple_sort_net=True, n_sortcut=2
    )
    return model, (tokens(1, 32),)


def case_slot_attention():
    from slot_attention import SlotAttention

    return SlotAttention(num_slots=5, dim=16, iters=2), (torch.randn(2, 8, 16),)


def case_adaptive_slots():
    from slot_attention import AdaptiveSlotWrapper, MultiHeadSlotAttention

    return AdaptiveSlotWrapper(
        MultiHeadSlotAttention(dim=16, num_slots=5, iters=2, heads=2, dim_head=8), temperature=0.5
    ), (torch.randn(2, 8, 16),)


def case_st_moe():
    from st_moe_pytorch import MoE

    return MoE(dim=16, num_experts=4, gating_top_n=2), (torch.randn(2, 16, 16),)


def case_sparse_moe_block():
    from st_moe_pytorch import MoE, SparseMoEBlock

    return (
        SparseMoEBlock(MoE(dim=16, num_experts=4, gating_top_n=2), add_ff_before=True, add_ff_after=True),
        (torch.randn(2, 16, 16),),
        {"noise_gates": True},
    )


def case_tab_transformer():
    from tab_transformer_pytorch import TabTransformer

    model = TabTransformer(
        categories=(10, 5),
        num_continuous=3,
        dim=16,
        dim_out=1,
        depth=1,
        heads=2,
        dim_head=8,
        continuous_mean_std=torch.randn(3, 2),
    )
    return model, (tokens(2, 2, upper=5), torch.randn(2, 3))


def case_ft_transformer():
    from tab_transformer_pytorch import FTTransformer

    return FTTransformer(categories=(10, 5), num_continuous=3, dim=16, dim_out=1, depth=1, heads=2, dim_head=8), (
        tokens(2, 2, upper=5),
        torch.randn(2, 3),
    )


def case_neural_memory():
    from titans_pytorch import NeuralMemory

    return NeuralMemory(dim=16, chunk_size=4), (torch.randn(2, 16, 16),)


def case_neural_memory_momentum():
    from titans_pytorch import NeuralMemory

    return NeuralMemory(
        dim=16, chunk_size=4, heads=2, dim_head=8, qk_rmsnorm=True, max_grad_norm=2.0, momentum_order=2
    ), (torch.randn(2, 15, 16),)


def case_memory_as_context():
    from titans_pytorch import MemoryAsContextTransformer

    model = MemoryAsContextTransformer(
        num_tokens=50,
        dim=16,
        depth=2,
        segment_len=8,
        num_persist_mem_tokens=2,
        num_longterm_mem_tokens=2,
        dim_head=8,
        heads=2,
    )
    return model, (tokens(1, 31),), {"return_loss": True}


def case_implicit_mlp_attention():
    from titans_pytorch.implicit_mlp_attention import ImplicitMLPAttention

    return ImplicitMLPAttention(16, (8, 8), heads=2), (torch.randn(1, 8, 16),)


def case_x_clip():
    from x_clip import CLIP

    model = CLIP(
        dim_text=16,
        dim_image=16,
        dim_latent=16,
        num_text_tokens=50,
        text_enc_depth=1,
        text_seq_len=16,
        text_heads=2,
        text_dim_head=8,
        visual_enc_depth=1,
        visual_image_size=16,
        visual_patch_size=8,
        visual_heads=2,
        visual_dim_head=8,
        use_all_token_embeds=True,
        decoupled_contrastive_learning=True,
        extra_latent_projection=True,
    )
    return model, (tokens(4, 16), torch.randn(4, 3, 16, 16)), {"return_loss": True, "freeze_image_encoder": False}


def case_x_clip_mlm():
    from x_clip import CLIP

    model = CLIP(
        dim_text=16,
        dim_image=16,
        dim_latent=16,
        num_text_tokens=50,
        text_enc_depth=1,
        text_seq_len=16,
        text_heads=2,
        text_dim_head=8,
        visual_enc_depth=1,
        visual_image_size=16,
        visual_patch_size=8,
        visual_heads=2,
        visual_dim_head=8,
        use_mlm=True,
    )
    return model, (tokens(4, 16), torch.randn(4, 3, 16, 16)), {"return_loss": True}


def case_axial_attention():
    from axial_attention import AxialImageTransformer

    return AxialImageTransformer(dim=8, depth=2, heads=2, reversible=True, axial_pos_emb_shape=(8, 8)), (
        torch.randn(1, 8, 8, 8),
    )


def case_axial_attention_plain():
    from axial_attention import AxialAttention

    return AxialAttention(dim=8, dim_index=1, heads=2, num_dimensions=2), (torch.randn(1, 8, 8, 8),)


def case_axial_positions():
    from axial_positional_embedding import AxialPositionalEmbedding

    return AxialPositionalEmbedding(dim=16, axial_shape=(8, 8)), (torch.randn(1, 30, 16),)


def case_continuous_axial_positions():
    from axial_positional_embedding import ContinuousAxialPositionalEmbedding

    return ContinuousAxialPositionalEmbedding(dim=16, num_axial_dims=3), ((2, 3, 4),)
