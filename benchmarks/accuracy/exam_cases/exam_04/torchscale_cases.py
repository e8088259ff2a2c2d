"""Cases of torchscale."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchscale"]


def case_retention():
    from torchscale.architecture.config import RetNetConfig
    from torchscale.architecture.retnet import RetNetDecoder

    settings = RetNetConfig(
        vocab_size=12,
        decoder_embed_dim=8,
        decoder_value_embed_dim=8,
        decoder_retention_heads=2,
        decoder_ffn_embed_dim=8,
        decoder_layers=1,
    )
    return RetNetDecoder(settings, nn.Embedding(12, 8)), (torch.tensor([[1, 2, 3, 4]]),)


def case_retention_in_chunks():
    from torchscale.architecture.config import RetNetConfig
    from torchscale.architecture.retnet import RetNetDecoder

    settings = RetNetConfig(
        vocab_size=12,
        decoder_embed_dim=8,
        decoder_value_embed_dim=8,
        decoder_retention_heads=2,
        decoder_ffn_embed_dim=8,
        decoder_layers=1,
        chunkwise_recurrent=True,
        recurrent_chunk_size=2,
    )
    return RetNetDecoder(settings, nn.Embedding(12, 8)), (torch.tensor([[1, 2, 3, 4, 5]]),)


def scale_encoder(**options):
    from torchscale.architecture.config import EncoderConfig
    from torchscale.architecture.encoder import Encoder

    size = {"encoder_embed_dim": 8, "encoder_attention_heads": 2, "encoder_ffn_embed_dim": 8, "encoder_layers": 2}
    model = Encoder(EncoderConfig(vocab_size=12, **size, **options), nn.Embedding(12, 8, padding_idx=1))
    return (
        model,
        (torch.tensor([[3, 2, 3, 4], [2, 4, 1, 1]]),),
        {"encoder_padding_mask": torch.tensor([[False] * 4, [False, False, True, True]])},
    )


def case_scale_encoder():
    return scale_encoder(drop_path_rate=0.1, rel_pos_buckets=4, max_rel_pos=8)


def case_scale_experts():
    return scale_encoder(moe_freq=1, moe_expert_count=2)


def case_scale_decoder():
    from torchscale.architecture.config import DecoderConfig
    from torchscale.architecture.decoder import Decoder

    size = {"decoder_embed_dim": 8, "decoder_attention_heads": 2, "decoder_ffn_embed_dim": 8, "decoder_layers": 1}
    return Decoder(DecoderConfig(vocab_size=12, **size), nn.Embedding(12, 8)), (torch.tensor([[3, 2, 3, 4]]),)


def case_beit():
    from torchscale.architecture.config import EncoderConfig
    from torchscale.model.BEiT3 import BEiT3

    settings = EncoderConfig(
        vocab_size=12,
        img_size=16,
        patch_size=8,
        multiway=True,
        encoder_embed_dim=8,
        encoder_attention_heads=2,
        encoder_ffn_embed_dim=8,
        encoder_layers=1,
        max_source_positions=16,
    )
    return BEiT3(settings), (torch.tensor([[3, 2, 3]]), torch.randn(1, 3, 16, 16))
