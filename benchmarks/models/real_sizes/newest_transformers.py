"""Models of today's transformers at sizes in which they are published, with random weights, for a GPU."""

from __future__ import annotations

import torch


def _switch(batch: int, length: int):
    """The encoder of switch-base-8: every second layer has 8 experts, of which each token runs through one."""
    from transformers import SwitchTransformersConfig, SwitchTransformersEncoderModel

    config = SwitchTransformersConfig(
        d_model=768, d_kv=64, d_ff=3072, num_layers=12, num_sparse_encoder_layers=6, num_heads=12, num_experts=8,
        expert_capacity=length,
    )  # fmt: skip
    mask = torch.ones(batch, length).long()
    return (
        SwitchTransformersEncoderModel(config),
        (),
        {"input_ids": torch.randint(3, 32000, (batch, length)), "attention_mask": mask},
    )


def case_switch_small():
    """Two layers of it, for a CPU."""
    from transformers import SwitchTransformersConfig, SwitchTransformersEncoderModel

    config = SwitchTransformersConfig(
        d_model=256, d_kv=32, d_ff=1024, num_layers=2, num_sparse_encoder_layers=1, num_heads=8, num_experts=8,
        expert_capacity=256,
    )  # fmt: skip
    inputs = {"input_ids": torch.randint(3, 32000, (2, 128)), "attention_mask": torch.ones(2, 128).long()}
    return SwitchTransformersEncoderModel(config), (), inputs


def case_switch():
    return _switch(1, 64)


def case_switch_large_batch():
    return _switch(16, 512)
