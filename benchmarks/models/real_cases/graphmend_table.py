"""The model classes of GraphMend's table that a config builds, on the transformers of its paper."""

from __future__ import annotations

import torch

PACKAGES = ["transformers", "chronos"]
REQUIREMENTS = [
    "transformers==4.52.4", "tokenizers==0.21.4", "huggingface_hub==0.36.2", "chronos-forecasting==1.5.2", "regex",
    "safetensors", "hf-xet", "tqdm", "accelerate",
]  # fmt: skip
WORDS = 64
SEQ2SEQ = {
    "vocab_size": WORDS, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "max_position_embeddings": 64,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "forced_eos_token_id": None,
}  # fmt: skip
DEEPER = {**SEQ2SEQ, "encoder_layers": 6}  # as bart-base and opus-mt; every encoder layer has a branch of its own
T5 = {"vocab_size": WORDS, "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2}


def tokens(*shape: int) -> torch.Tensor:
    """Token ids, none of them a special one."""
    return torch.randint(3, WORDS, shape)


def pair() -> dict[str, torch.Tensor]:
    """The inputs of an encoder and a decoder."""
    return {"input_ids": tokens(2, 8), "attention_mask": torch.ones(2, 8).long(), "decoder_input_ids": tokens(2, 6)}


def case_t5():
    from transformers import T5Config, T5ForConditionalGeneration

    return T5ForConditionalGeneration(T5Config(**T5, decoder_start_token_id=0)), (), pair()


def case_t5_half():
    from transformers import T5Config, T5ForConditionalGeneration

    return T5ForConditionalGeneration(T5Config(**T5, decoder_start_token_id=0)).half(), (), pair()


def case_flan_t5():
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(**T5, decoder_start_token_id=0, feed_forward_proj="gated-gelu", tie_word_embeddings=False)
    return T5ForConditionalGeneration(config), (), pair()


def case_it5():
    from transformers import T5Config, T5Model

    return T5Model(T5Config(**T5, feed_forward_proj="gated-gelu", dropout_rate=0.0)), (), pair()


def _whisper(dtype: torch.dtype):
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    config = WhisperConfig(**SEQ2SEQ, num_mel_bins=8, max_source_positions=16, max_target_positions=32)
    kwargs = {"input_features": torch.randn(1, 8, 32, dtype=dtype), "decoder_input_ids": tokens(1, 4)}
    return WhisperForConditionalGeneration(config).to(dtype), (), kwargs


def case_whisper():
    return _whisper(torch.float32)


def case_whisper_half():
    return _whisper(torch.float16)


def _bart(dtype: torch.dtype):
    from transformers import BartConfig, BartForConditionalGeneration

    return BartForConditionalGeneration(BartConfig(**DEEPER)).to(dtype), (), pair()


def case_bart():
    return _bart(torch.float32)


def case_bart_half():
    return _bart(torch.float16)


def case_bart_classification():
    from transformers import BartConfig, BartForSequenceClassification

    ids = torch.cat([tokens(2, 7), torch.full((2, 1), 2)], 1)
    return BartForSequenceClassification(BartConfig(**SEQ2SEQ, num_labels=3)), (), {"input_ids": ids}


def _marian(dtype: torch.dtype):
    from transformers import MarianConfig, MarianMTModel

    return MarianMTModel(MarianConfig(**DEEPER)).to(dtype), (), pair()


def case_marian():
    return _marian(torch.float32)


def case_marian_half():
    return _marian(torch.float16)


def case_pegasus_causal():
    from transformers import PegasusConfig, PegasusForCausalLM

    return PegasusForCausalLM(PegasusConfig(**SEQ2SEQ)), (), {"input_ids": tokens(2, 8)}


def case_biogpt():
    from transformers import BioGptConfig, BioGptForCausalLM

    config = BioGptConfig(
        vocab_size=WORDS, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64,
    )  # fmt: skip
    return BioGptForCausalLM(config), (), {"input_ids": tokens(2, 8), "attention_mask": torch.ones(2, 8).long()}


def _blenderbot(dtype: torch.dtype):
    from transformers import BlenderbotConfig, BlenderbotForConditionalGeneration

    return BlenderbotForConditionalGeneration(BlenderbotConfig(**SEQ2SEQ)).to(dtype), (), pair()


def case_blenderbot():
    return _blenderbot(torch.float32)


def case_blenderbot_half():
    return _blenderbot(torch.float16)


def case_layoutlmv3():
    from transformers import LayoutLMv3Config, LayoutLMv3Model

    config = LayoutLMv3Config(
        vocab_size=WORDS, hidden_size=24, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, max_2d_position_embeddings=64, coordinate_size=4, shape_size=4, input_size=16,
        patch_size=8, rel_pos_bins=8, rel_2d_pos_bins=8,
    )  # fmt: skip
    boxes = torch.sort(torch.randint(0, 60, (1, 6, 4)), -1).values[..., [0, 1, 2, 3]]
    kwargs = {"input_ids": tokens(1, 6), "bbox": boxes, "pixel_values": torch.randn(1, 3, 16, 16)}
    return LayoutLMv3Model(config), (), kwargs


def case_phi3_longrope():
    from transformers import Phi3Config, Phi3ForCausalLM

    factors = [1.0 + i / 4 for i in range(4)]
    config = Phi3Config(
        vocab_size=WORDS, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2,
        intermediate_size=32, max_position_embeddings=128, original_max_position_embeddings=32, pad_token_id=0,
        rope_scaling={"type": "longrope", "short_factor": factors, "long_factor": [2 * f for f in factors]},
    )  # fmt: skip
    return Phi3ForCausalLM(config), (), {"input_ids": tokens(2, 8), "attention_mask": torch.ones(2, 8).long()}


def case_grounding_dino():
    from transformers import BertConfig, GroundingDinoConfig, GroundingDinoForObjectDetection, SwinConfig

    config = GroundingDinoConfig(
        backbone_config=SwinConfig(
            image_size=128, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2], window_size=2,
            out_features=["stage2", "stage3", "stage4"],
        ),
        text_config=BertConfig(
            vocab_size=2000, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
        ),
        num_queries=5, encoder_layers=1, encoder_ffn_dim=16, encoder_attention_heads=2, decoder_layers=1,
        decoder_ffn_dim=16, decoder_attention_heads=2, d_model=32, num_feature_levels=4, max_text_len=16,
    )  # fmt: skip
    ids = torch.tensor([[101, 1037, 1012, 1038, 1039, 1012, 102]])
    kwargs = {"pixel_values": torch.randn(1, 3, 128, 128), "input_ids": ids}
    return GroundingDinoForObjectDetection(config), (), kwargs


def _longformer():
    from transformers import LongformerConfig, LongformerModel

    config = LongformerConfig(
        vocab_size=WORDS, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=66, attention_window=[4, 4], pad_token_id=1,
    )  # fmt: skip
    return LongformerModel(config)


def case_longformer():
    return _longformer(), (), {"input_ids": tokens(1, 16), "attention_mask": torch.ones(1, 16).long()}


def case_longformer_global():
    marked = torch.zeros(1, 16).long()
    marked[:, 0] = 1
    kwargs = {"input_ids": tokens(1, 16), "attention_mask": torch.ones(1, 16).long(), "global_attention_mask": marked}
    return _longformer(), (), kwargs


def case_clap_fused():
    from transformers import ClapAudioConfig, ClapAudioModel

    config = ClapAudioConfig(
        spec_size=32, num_mel_bins=8, window_size=2, patch_size=4, patch_stride=[4, 4], depths=[1, 1],
        num_attention_heads=[1, 2], patch_embeds_hidden_size=8, hidden_size=16, projection_dim=8, enable_fusion=True,
        fusion_type="aff_2d",
    )  # fmt: skip
    kwargs = {"input_features": torch.randn(2, 4, 128, 8), "is_longer": torch.tensor([[True], [False]])}
    return ClapAudioModel(config), (), kwargs


def case_chronos_bolt():
    from chronos.chronos_bolt import ChronosBoltModelForForecasting
    from transformers import T5Config

    bolt = {
        "context_length": 32, "prediction_length": 8, "input_patch_size": 4, "input_patch_stride": 4,
        "quantiles": [0.1, 0.5, 0.9], "use_reg_token": True,
    }  # fmt: skip
    config = T5Config(**{**T5, "vocab_size": 2}, decoder_start_token_id=0, chronos_config=bolt, is_gated_act=False)
    return ChronosBoltModelForForecasting(config), (), {"context": torch.randn(2, 32)}
