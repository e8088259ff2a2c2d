"""Models of today's transformers that break, built from small configs as its documentation shows them."""

from __future__ import annotations

import torch

PACKAGES = ["transformers"]
REQUIREMENTS = [
    "transformers==5.23.0", "tokenizers==0.23.3", "huggingface_hub==2.4.0", "regex", "safetensors", "hf-xet", "tqdm",
    "httpx", "httpx2", "httpcore", "httpcore2", "h11", "idna", "certifi", "anyio", "sniffio", "truststore", "typer",
    "shellingham", "annotated_doc",
]  # fmt: skip
WORDS = 64
BERT = {
    "vocab_size": WORDS, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
    "max_position_embeddings": 128,
}  # fmt: skip


def tokens(*shape: int) -> torch.Tensor:
    """Token ids, none of them a special one."""
    return torch.randint(3, WORDS, shape)


def case_bart_half():
    from transformers import BartConfig, BartModel

    config = BartConfig(
        vocab_size=WORDS, d_model=16, encoder_layers=6, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=64,
    )  # fmt: skip
    return BartModel(config).half(), (), {"input_ids": tokens(2, 8), "decoder_input_ids": tokens(2, 6)}


def case_big_bird():
    from transformers import BigBirdConfig, BigBirdModel

    config = BigBirdConfig(**BERT, block_size=4, num_random_blocks=1, attention_type="block_sparse")
    return BigBirdModel(config), (), {"input_ids": tokens(1, 64)}


def case_longformer():
    from transformers import LongformerConfig, LongformerModel

    config = LongformerConfig(**BERT, attention_window=[4, 4], pad_token_id=1)
    return LongformerModel(config), (), {"input_ids": tokens(1, 16), "attention_mask": torch.ones(1, 16).long()}


def case_xlm():
    from transformers import XLMConfig, XLMModel

    config = XLMConfig(vocab_size=WORDS, emb_dim=16, n_layers=2, n_heads=2, max_position_embeddings=64)
    return XLMModel(config), (), {"input_ids": tokens(2, 8), "lengths": torch.tensor([8, 5])}


def case_switch_transformers():
    from transformers import SwitchTransformersConfig, SwitchTransformersModel

    config = SwitchTransformersConfig(
        vocab_size=WORDS, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, num_experts=2,
        num_sparse_encoder_layers=1, num_sparse_decoder_layers=1, num_decoder_layers=2, expert_capacity=16,
    )  # fmt: skip
    return SwitchTransformersModel(config), (), {"input_ids": tokens(1, 8), "decoder_input_ids": tokens(1, 6)}


def case_videomae_pretraining():
    from transformers import VideoMAEConfig, VideoMAEForPreTraining

    config = VideoMAEConfig(
        image_size=16, patch_size=8, num_frames=4, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, decoder_hidden_size=16, decoder_num_hidden_layers=1, decoder_num_attention_heads=2,
        decoder_intermediate_size=16, norm_pix_loss=True,
    )  # fmt: skip
    mask = torch.tensor([[True, False] * 4])
    return VideoMAEForPreTraining(config), (), {"pixel_values": torch.randn(1, 4, 3, 16, 16), "bool_masked_pos": mask}


def case_siglip2_vision():
    from transformers import Siglip2VisionConfig, Siglip2VisionModel

    config = Siglip2VisionConfig(
        hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, patch_size=4, num_patches=16
    )
    kwargs = {
        "pixel_values": torch.randn(1, 16, 48),
        "pixel_attention_mask": torch.ones(1, 16).long(),
        "spatial_shapes": torch.tensor([[4, 4]]),
    }
    return Siglip2VisionModel(config), (), kwargs


def case_qwen2_vl_vision():
    from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLVisionConfig
    from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VisionTransformerPretrainedModel

    config = Qwen2VLVisionConfig(depth=1, embed_dim=16, hidden_size=16, num_heads=2, patch_size=4, mlp_ratio=2)
    kwargs = {"grid_thw": torch.tensor([[1, 4, 4]])}
    return Qwen2VisionTransformerPretrainedModel(config), (torch.randn(16, 96),), kwargs


def case_qwen2_5_vl_vision():
    from transformers.models.qwen2_5_vl.configuration_qwen2_5_vl import Qwen2_5_VLVisionConfig
    from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VisionTransformerPretrainedModel

    config = Qwen2_5_VLVisionConfig(
        depth=1, hidden_size=16, out_hidden_size=16, intermediate_size=16, num_heads=2, patch_size=4, window_size=16
    )
    kwargs = {"grid_thw": torch.tensor([[1, 4, 4]])}
    return Qwen2_5_VisionTransformerPretrainedModel(config), (torch.randn(16, 96),), kwargs


def case_qwen3_vl_vision():
    from transformers.models.qwen3_vl.configuration_qwen3_vl import Qwen3VLVisionConfig
    from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLVisionModel

    config = Qwen3VLVisionConfig(
        depth=1, hidden_size=16, out_hidden_size=16, intermediate_size=16, num_heads=2, patch_size=4,
        num_position_embeddings=16, deepstack_visual_indexes=[0],
    )  # fmt: skip
    return Qwen3VLVisionModel(config), (torch.randn(16, 96),), {"grid_thw": torch.tensor([[1, 4, 4]])}


def case_led():
    from transformers import LEDConfig, LEDModel

    config = LEDConfig(
        vocab_size=WORDS, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, attention_window=4,
        max_encoder_position_embeddings=64, max_decoder_position_embeddings=64,
    )  # fmt: skip
    return LEDModel(config), (), {"input_ids": tokens(1, 16), "decoder_input_ids": tokens(1, 6)}


def case_clap_fused():
    from transformers import ClapAudioConfig, ClapAudioModel

    config = ClapAudioConfig(
        spec_size=32, num_mel_bins=8, window_size=2, patch_size=4, patch_stride=[4, 4], depths=[1, 1],
        num_attention_heads=[1, 2], patch_embeds_hidden_size=8, hidden_size=16, projection_dim=8, enable_fusion=True,
        fusion_type="aff_2d",
    )  # fmt: skip
    kwargs = {"input_features": torch.randn(2, 4, 128, 8), "is_longer": torch.tensor([[True], [False]])}
    return ClapAudioModel(config), (), kwargs


def case_phi3_longrope():
    from transformers import Phi3Config, Phi3Model

    factors = [1.0 + i / 4 for i in range(4)]
    rope = {
        "rope_type": "longrope", "short_factor": factors, "long_factor": [2 * f for f in factors],
        "rope_theta": 10000.0, "original_max_position_embeddings": 32,
    }  # fmt: skip
    sizes = {**BERT, "num_key_value_heads": 2}
    return Phi3Model(Phi3Config(**sizes, rope_parameters=rope, pad_token_id=0)), (), {"input_ids": tokens(2, 8)}


def case_layoutlmv3():
    from transformers import LayoutLMv3Config, LayoutLMv3Model

    config = LayoutLMv3Config(
        vocab_size=WORDS, hidden_size=24, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, max_2d_position_embeddings=64, coordinate_size=4, shape_size=4, input_size=16,
        patch_size=8, rel_pos_bins=8, rel_2d_pos_bins=8,
    )  # fmt: skip
    boxes = torch.sort(torch.randint(0, 60, (1, 6, 4)), -1).values
    kwargs = {"input_ids": tokens(1, 6), "bbox": boxes, "pixel_values": torch.randn(1, 3, 16, 16)}
    return LayoutLMv3Model(config), (), kwargs
