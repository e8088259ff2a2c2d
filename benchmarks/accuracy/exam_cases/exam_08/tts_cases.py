"""Cases of TTS."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent
from torch import nn

absent(*ABSENT["exam_08_a"])


PACKAGES = ["TTS"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


SPEECH = "TTS.tts.layers."


def mask(length: int = 12):
    return torch.ones(2, 1, length)


def case_tts_location():
    return of(SPEECH + "tacotron.attentions.LocationLayer", torch.randn(2, 2, 12), attention_dim=8)


class Attending(nn.Module):
    """An attention of Tacotron at its first step."""

    def __init__(self, name: str, **options) -> None:
        super().__init__()
        module = importlib.import_module(SPEECH + "tacotron.attentions")
        self.attention = getattr(module, name)(**options)

    def forward(self, query, inputs, processed):
        self.attention.init_states(inputs)
        return self.attention(query, inputs, processed, None)


def case_tts_graves():
    return Attending("GravesAttention", query_dim=8, K=2), (torch.randn(2, 8), torch.randn(2, 12, 6), None)


WINDOWS = {
    "query_dim": 8, "embedding_dim": 6, "attention_dim": 8, "location_attention": True,
    "attention_location_n_filters": 4, "attention_location_kernel_size": 3, "windowing": False, "norm": "softmax",
    "forward_attn": True, "trans_agent": True, "forward_attn_mask": True,
}  # fmt: skip


def case_tts_original_attention():
    model = Attending("OriginalAttention", **WINDOWS)
    return model, (torch.randn(2, 8), torch.randn(2, 12, 6), torch.randn(2, 12, 8))


def case_tts_windowed_attention():
    model = Attending("OriginalAttention", **WINDOWS | {"windowing": True, "norm": "sigmoid", "forward_attn": False})
    return model.eval(), (torch.randn(2, 8), torch.randn(2, 12, 6), torch.randn(2, 12, 8))


def case_tts_dynamic_convolution():
    options = {"query_dim": 8, "embedding_dim": 6, "attention_dim": 8, "static_filter_dim": 4, "static_kernel_size": 5}
    more = {"dynamic_filter_dim": 4, "dynamic_kernel_size": 5}
    model = Attending("MonotonicDynamicConvolutionAttention", **options, **more)
    return model, (torch.randn(2, 8), torch.randn(2, 12, 6), None)


def case_tts_prenet():
    return of(SPEECH + "tacotron.common_layers.Prenet", torch.randn(2, 8), in_features=8, out_features=[8, 4])


def case_tts_style_tokens():
    options = {"num_mel": 16, "num_heads": 2, "num_style_tokens": 4, "gst_embedding_dim": 16}
    return of(SPEECH + "tacotron.gst_layers.GST", torch.randn(2, 64, 16), **options)


def case_tts_capacitron():
    options = {"num_mel": 16, "capacitron_VAE_embedding_dim": 8}
    inputs = ([torch.randn(2, 64, 16), torch.tensor([64, 50])],)
    return of(SPEECH + "tacotron.capacitron_layers.CapacitronVAE", *inputs, **options)


def case_tts_tacotron_encoder():
    return of(SPEECH + "tacotron.tacotron.Encoder", torch.randn(2, 12, 8), in_features=8)


DECODING = {
    "in_channels": 16, "frame_channels": 10, "r": 2, "attn_norm": "softmax", "prenet_type": "original",
    "prenet_dropout": True, "forward_attn": False, "trans_agent": False, "forward_attn_mask": False,
    "location_attn": True, "attn_K": 2, "separate_stopnet": True, "max_decoder_steps": 4,
}  # fmt: skip


def case_tts_tacotron_decoder():
    options = {**DECODING, "memory_size": 2, "attn_type": "original", "attn_windowing": False}
    inputs = (torch.randn(2, 6, 16), torch.randn(2, 4, 10), torch.ones(2, 6).bool())
    return of(SPEECH + "tacotron.tacotron.Decoder", *inputs, **options)


def case_tts_tacotron2_encoder():
    inputs = (torch.randn(2, 16, 12), torch.tensor([12, 10]))
    return of(SPEECH + "tacotron.tacotron2.Encoder", *inputs, in_out_channels=16)


def case_tts_tacotron2_decoder():
    options = {**DECODING, "attn_type": "original", "attn_win": False}
    inputs = (torch.randn(2, 6, 16), torch.randn(2, 4, 10), torch.ones(2, 6).bool())
    return of(SPEECH + "tacotron.tacotron2.Decoder", *inputs, **options)


def case_tts_glow_decoder():
    options = {"in_channels": 8, "hidden_channels": 8, "kernel_size": 3, "dilation_rate": 1, "num_flow_blocks": 2}
    return of(SPEECH + "glow_tts.decoder.Decoder", torch.randn(2, 8, 12), mask(), **options, num_coupling_layers=1)


def case_tts_glow_encoder():
    options = {"num_chars": 10, "out_channels": 8, "hidden_channels": 8, "hidden_channels_dp": 8}
    params = {"kernel_size": 3, "dropout_p": 0.1, "num_layers": 1, "num_heads": 2, "hidden_channels_ffn": 8}
    inputs = (torch.randint(0, 10, (2, 12)), torch.tensor([12, 9]))
    kind = {"encoder_type": "rel_pos_transformer", "encoder_params": params | {"rel_attn_window_size": 4}}
    return of(SPEECH + "glow_tts.encoder.Encoder", *inputs, **options, **kind)


def case_tts_invertible():
    return of(SPEECH + "glow_tts.glow.InvConvNear", torch.randn(2, 8, 12), mask(), channels=8)


def case_tts_actnorm():
    return of(SPEECH + "generic.normalization.ActNorm", torch.randn(2, 8, 12), mask(), channels=8, ddi=True)


def case_tts_relative_transformer():
    options = {"in_channels": 8, "out_channels": 8, "hidden_channels": 8, "hidden_channels_ffn": 8, "num_heads": 2}
    path = SPEECH + "glow_tts.transformer.RelativePositionTransformer"
    return of(path, torch.randn(2, 8, 12), mask(), **options, num_layers=1, rel_attn_window_size=4, kernel_size=3)


def case_tts_aligner():
    inputs = (torch.randn(2, 8, 12), torch.randn(2, 16, 6))
    return of(SPEECH + "generic.aligner.AlignmentNetwork", *inputs, in_query_channels=8, in_key_channels=16)


def case_tts_gated():
    path = SPEECH + "generic.gated_conv.GatedConvBlock"
    return of(path, torch.randn(2, 8, 12), mask(), in_out_channels=8, kernel_size=3, dropout_p=0.1, num_layers=2)


def case_tts_positions():
    return of(SPEECH + "generic.pos_encoding.PositionalEncoding", torch.randn(2, 8, 12), mask(), channels=8)


def case_tts_feed_forward_transformer():
    path = SPEECH + "generic.transformer.FFTransformerBlock"
    options = {"in_out_channels": 8, "num_heads": 2, "hidden_channels_ffn": 8, "num_layers": 1, "dropout_p": 0.1}
    return of(path, torch.randn(2, 8, 12), mask(), **options)


def case_tts_wavenet():
    options = {"in_channels": 8, "hidden_channels": 8, "kernel_size": 3, "dilation_rate": 1, "num_layers": 2}
    return of(SPEECH + "generic.wavenet.WN", torch.randn(2, 8, 12), mask(), **options)


def case_tts_vits_text():
    options = {"n_vocab": 10, "out_channels": 8, "hidden_channels": 8, "hidden_channels_ffn": 8, "num_heads": 2}
    inputs = (torch.randint(0, 10, (2, 12)), torch.tensor([12, 9]))
    path = SPEECH + "vits.networks.TextEncoder"
    return of(path, *inputs, **options, num_layers=1, kernel_size=3, dropout_p=0.1)


def case_tts_vits_posterior():
    options = {"in_channels": 8, "out_channels": 4, "hidden_channels": 8, "kernel_size": 3, "dilation_rate": 1}
    inputs = (torch.randn(2, 8, 12), torch.tensor([12, 9]))
    return of(SPEECH + "vits.networks.PosteriorEncoder", *inputs, **options, num_layers=2)


def case_tts_vits_coupling():
    options = {"channels": 8, "hidden_channels": 8, "kernel_size": 3, "dilation_rate": 1, "num_layers": 2}
    return of(SPEECH + "vits.networks.ResidualCouplingBlocks", torch.randn(2, 8, 12), mask(), **options)


def case_tts_vits_durations():
    path = SPEECH + "vits.stochastic_duration_predictor.StochasticDurationPredictor"
    inputs = (torch.randn(2, 8, 12), mask(), torch.rand(2, 1, 12) * 3 + 1)
    return of(path, *inputs, in_channels=8, hidden_channels=8, kernel_size=3, dropout_p=0.1)


def case_tts_vits_durations_backwards():
    path = SPEECH + "vits.stochastic_duration_predictor.StochasticDurationPredictor"
    model, inputs = of(
        path, torch.randn(2, 8, 12), mask(), in_channels=8, hidden_channels=8, kernel_size=3, dropout_p=0.1
    )
    return model, inputs, {"reverse": True}


def case_tts_vits_discriminator():
    return of(SPEECH + "vits.discriminator.VitsDiscriminator", torch.randn(1, 1, 512), torch.randn(1, 1, 512))


def case_tts_hifigan():
    options = {"in_channels": 8, "out_channels": 1, "resblock_type": "1", "resblock_dilation_sizes": [[1, 3, 5]]}
    more = {"resblock_kernel_sizes": [3], "upsample_kernel_sizes": [4], "upsample_initial_channel": 8}
    path = "TTS.vocoder.models.hifigan_generator.HifiganGenerator"
    return of(path, torch.randn(1, 8, 12), **options, **more, upsample_factors=[2])


def case_tts_melgan():
    options = {"in_channels": 8, "base_channels": 16, "upsample_factors": (2, 2)}
    return of("TTS.vocoder.models.melgan_generator.MelganGenerator", torch.randn(1, 8, 12), **options)


def case_tts_parallel():
    path = "TTS.vocoder.models.parallel_wavegan_generator.ParallelWaveganGenerator"
    options = {"num_res_blocks": 2, "stacks": 1, "res_channels": 8, "gate_channels": 8, "skip_channels": 8}
    return of(path, torch.randn(1, 80, 12), **options, upsample_factors=[2, 2], inference_padding=2)


def case_tts_univnet():
    return of("TTS.vocoder.models.univnet_discriminator.UnivnetDiscriminator", torch.randn(1, 1, 4096))


def case_tts_speaker_lstm():
    path = "TTS.encoder.models.lstm.LSTMSpeakerEncoder"
    return of(path, torch.randn(2, 16, 20), input_dim=16, proj_dim=8, lstm_dim=8, num_lstm_layers=1)


def case_tts_speaker_resnet():
    path = "TTS.encoder.models.resnet.ResNetSpeakerEncoder"
    options = {"input_dim": 64, "proj_dim": 8, "layers": [1, 1, 1, 1], "num_filters": [4, 4, 4, 4]}
    return of(path, torch.randn(2, 64, 40), **options, log_input=True)


def loss(name: str, *inputs, **options):
    return of(SPEECH + "losses." + name, *inputs, **options)


def case_tts_masked_l1():
    inputs = (torch.randn(2, 9, 4), torch.randn(2, 9, 4), torch.tensor([9, 7]))
    return loss("L1LossMasked", *inputs, seq_len_norm=True)


def case_tts_masked_mse():
    inputs = (torch.randn(2, 9, 4), torch.randn(2, 9, 4), torch.tensor([9, 7]))
    return loss("MSELossMasked", *inputs, seq_len_norm=False)


def case_tts_similarity():
    inputs = (torch.rand(2, 32, 32), torch.rand(2, 32, 32), torch.tensor([32, 30]))
    return loss("SSIMLoss", *inputs)


def case_tts_attention_entropy():
    return loss("AttentionEntropyLoss", torch.rand(2, 9, 4))


def case_tts_masked_bce():
    inputs = (torch.randn(2, 9), torch.rand(2, 9).round(), torch.tensor([9, 7]))
    return loss("BCELossMasked", *inputs, pos_weight=10.0)


def case_tts_guided_attention():
    return loss("GuidedAttentionLoss", torch.rand(2, 9, 6), torch.tensor([6, 5]), torch.tensor([9, 7]))


def case_tts_forward_sum():
    inputs = (torch.randn(2, 1, 9, 6), torch.tensor([6, 5]), torch.tensor([9, 7]))
    return loss("ForwardSumLoss", *inputs)


def case_tts_ge2e():
    return of("TTS.encoder.losses.GE2ELoss", torch.randn(3, 4, 8))


def case_tts_angle():
    return of("TTS.encoder.losses.AngleProtoLoss", torch.randn(3, 4, 8))
