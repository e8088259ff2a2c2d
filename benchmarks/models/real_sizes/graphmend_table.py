"""Models of GraphMend's table at sizes in which they are published, with random weights, for a GPU."""

from __future__ import annotations

import torch

WORDS = 32000
BASE = {
    "vocab_size": WORDS, "d_model": 768, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 12,
    "decoder_attention_heads": 12, "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "max_position_embeddings": 1024,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "forced_eos_token_id": None,
}  # fmt: skip
T5 = {"vocab_size": WORDS, "d_model": 768, "d_kv": 64, "d_ff": 2048, "num_layers": 12, "num_heads": 12}


def tokens(*shape: int) -> torch.Tensor:
    """Token ids, none of them a special one."""
    return torch.randint(3, WORDS, shape)


def pair(batch: int = 1, length: int = 64) -> dict[str, torch.Tensor]:
    """The inputs of an encoder and a decoder."""
    mask = torch.ones(batch, length).long()
    return {"input_ids": tokens(batch, length), "attention_mask": mask, "decoder_input_ids": tokens(batch, length // 2)}


def _bart(dtype: torch.dtype, batch: int = 1, length: int = 64):
    from transformers import BartConfig, BartForConditionalGeneration

    return BartForConditionalGeneration(BartConfig(**BASE)).to(dtype), (), pair(batch, length)


def case_bart():
    return _bart(torch.float32)


def case_bart_half():
    return _bart(torch.float16)


def case_bart_half_large_batch():
    return _bart(torch.float16, 8, 512)


def _marian_half(batch: int = 1, length: int = 64):
    from transformers import MarianConfig, MarianMTModel

    sizes = {**BASE, "d_model": 512, "encoder_attention_heads": 8, "decoder_attention_heads": 8}
    return MarianMTModel(MarianConfig(**sizes)).half(), (), pair(batch, length)


def case_marian_half():
    return _marian_half()


def case_marian_half_large_batch():
    return _marian_half(32, 128)


def case_t5():
    from transformers import T5Config, T5ForConditionalGeneration

    return T5ForConditionalGeneration(T5Config(**T5, decoder_start_token_id=0)), (), pair()


def case_flan_t5_large_batch():
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(**T5, decoder_start_token_id=0, feed_forward_proj="gated-gelu", tie_word_embeddings=False)
    return T5ForConditionalGeneration(config), (), pair(8, 256)


def case_whisper_half():
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    config = WhisperConfig(**{**BASE, "max_position_embeddings": 448}, num_mel_bins=80, max_target_positions=448)
    kwargs = {"input_features": torch.randn(1, 80, 3000).half(), "decoder_input_ids": tokens(1, 32)}
    return WhisperForConditionalGeneration(config).half(), (), kwargs


def case_pegasus_causal():
    from transformers import PegasusConfig, PegasusForCausalLM

    return PegasusForCausalLM(PegasusConfig(**BASE)), (), {"input_ids": tokens(1, 64)}


def case_biogpt():
    from transformers import BioGptConfig, BioGptForCausalLM

    config = BioGptConfig(vocab_size=WORDS, hidden_size=1024, num_hidden_layers=12, num_attention_heads=16)
    return BioGptForCausalLM(config), (), {"input_ids": tokens(1, 64), "attention_mask": torch.ones(1, 64).long()}


def case_blenderbot():
    from transformers import BlenderbotConfig, BlenderbotForConditionalGeneration

    config = BlenderbotConfig(**{**BASE, "d_model": 1280, "encoder_layers": 2, "encoder_attention_heads": 16})
    config.decoder_attention_heads = 16
    return BlenderbotForConditionalGeneration(config), (), pair()


def case_layoutlmv3():
    from transformers import LayoutLMv3Config, LayoutLMv3Model

    corners = torch.sort(torch.randint(0, 1000, (1, 64, 2, 2)), 2).values
    kwargs = {"input_ids": tokens(1, 64), "bbox": corners.flatten(2), "pixel_values": torch.randn(1, 3, 224, 224)}
    return LayoutLMv3Model(LayoutLMv3Config(vocab_size=WORDS)), (), kwargs


def _chronos_bolt(batch: int):
    from chronos.chronos_bolt import ChronosBoltModelForForecasting
    from transformers import T5Config

    bolt = {
        "context_length": 2048, "prediction_length": 64, "input_patch_size": 16, "input_patch_stride": 16,
        "quantiles": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], "use_reg_token": True,
    }  # fmt: skip
    sizes = {**T5, "vocab_size": 2, "d_ff": 3072}
    config = T5Config(**sizes, decoder_start_token_id=0, chronos_config=bolt, is_gated_act=False)
    return ChronosBoltModelForForecasting(config), (), {"context": torch.randn(batch, 2048)}


def case_chronos_bolt():
    return _chronos_bolt(4)


def case_chronos_bolt_large_batch():
    return _chronos_bolt(128)
