"""Cases of iris."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["iris"]


def case_iris_world_model():
    inside("iris", "src")
    from models.transformer import TransformerConfig
    from models.world_model import WorldModel

    config = TransformerConfig(
        tokens_per_block=5,
        max_blocks=3,
        attention="causal",
        num_layers=1,
        num_heads=2,
        embed_dim=16,
        embed_pdrop=0.1,
        resid_pdrop=0.1,
        attn_pdrop=0.1,
    )
    return WorldModel(20, 4, config), (torch.randint(0, 4, (2, 10)),)


def case_iris_world_model_cached():
    model, (tokens,) = case_iris_world_model()
    return model, (tokens[:, :5],), {"past_keys_values": model.transformer.generate_empty_keys_values(2, 15)}


def case_iris_actor_critic():
    inside("iris", "src")
    from models.actor_critic import ActorCritic

    model = ActorCritic(4)
    model.reset(n=2)
    return model, (torch.rand(2, 3, 64, 64),)


def case_iris_actor_critic_padded():
    model, given = case_iris_actor_critic()
    return model, (*given, torch.tensor([True, False]))


def case_iris_tokenizer():
    inside("iris", "src")
    from models.tokenizer.nets import Decoder, Encoder, EncoderDecoderConfig
    from models.tokenizer.tokenizer import Tokenizer

    config = EncoderDecoderConfig(
        resolution=16,
        in_channels=3,
        z_channels=16,
        ch=32,
        ch_mult=[1, 2],
        num_res_blocks=1,
        attn_resolutions=[8],
        out_ch=3,
        dropout=0.0,
    )
    return (
        Tokenizer(20, 8, Encoder(config), Decoder(config), with_lpips=False),
        (torch.rand(2, 3, 16, 16),),
        {"should_preprocess": True, "should_postprocess": True},
    )
