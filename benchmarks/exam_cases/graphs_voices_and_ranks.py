"""Knowledge graphs, signed graphs, splines, click rates, speech synthesis and codecs, uncertainty and restoration."""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.util
import sys
from unittest.mock import MagicMock

import torch
from torch import nn

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for what only data sets and training loops need."""

    names = (
        "ray",
        "pyfaidx",
        "pkg_resources",
        "torchcodec",
        "torchaudio",
        "facexlib",
        "bitsandbytes",
        "pymatgen",
        "pandas_ml",
        "glasbey",
        "seaborn",
        "monotonic_alignment_search",
        "gruut",
        "pysbd",
    )

    def find_spec(self, fullname, path=None, target=None):
        return importlib.util.spec_from_loader(fullname, self) if fullname.split(".")[0] in self.names else None

    def create_module(self, spec):
        return MagicMock(__path__=[], __spec__=spec)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Absent())

PACKAGES = (
    "kan torch_geometric_signed_directed fuxictr snac panns_inference hear21passt TTS enformer_pytorch "
    "torch_uncertainty spandrel torchxrayvision chgnet resemblyzer pykeen pyiqa romatch"
).split()


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def edges(nodes: int = 6, count: int = 14):
    return torch.randint(0, nodes, (2, count))


def case_kan():
    return of("kan.MultKAN.MultKAN", torch.randn(8, 2), width=[2, 3, 1], grid=3, k=3, auto_save=False)


def case_kan_without_symbols():
    options = {"width": [2, 3, 1], "grid": 3, "k": 3, "auto_save": False, "symbolic_enabled": False}
    return of("kan.MultKAN.MultKAN", torch.randn(8, 2), **options)


def case_kan_with_multiplication():
    return of("kan.MultKAN.MultKAN", torch.randn(8, 2), width=[2, [2, 1], 1], grid=3, k=3, auto_save=False)


def case_kan_layer():
    return of("kan.KANLayer.KANLayer", torch.randn(8, 3), in_dim=3, out_dim=2)


def case_kan_symbolic_layer():
    return of("kan.Symbolic_KANLayer.Symbolic_KANLayer", torch.randn(8, 3), in_dim=3, out_dim=2)


def case_kan_mlp():
    return of("kan.MLP.MLP", torch.randn(8, 3), width=[3, 4, 1])


SIGNED = "torch_geometric_signed_directed.nn."


def case_signed_dgcn():
    path = SIGNED + "directed.DGCN_node_classification"
    inputs = (torch.randn(6, 4), edges(), edges(), edges())
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3)


def case_signed_digrac():
    options = {"num_features": 4, "hidden": 8, "nclass": 3, "fill_value": 0.5, "dropout": 0.1, "hop": 2}
    return of(SIGNED + "directed.DIGRAC_node_clustering", edges(), torch.rand(14), torch.randn(6, 4), **options)


def case_signed_digcl():
    options = {"in_channels": 4, "activation": "relu", "num_hidden": 8, "num_proj_hidden": 4, "tau": 0.5}
    return of(SIGNED + "directed.DiGCL", torch.randn(6, 4), edges(), torch.rand(14), **options, num_layers=2)


def case_signed_digcn():
    path = SIGNED + "directed.DiGCN_node_classification"
    return of(path, torch.randn(6, 4), edges(), torch.rand(14), num_features=4, hidden=8, label_dim=3)


def case_signed_digcn_inception():
    path = SIGNED + "directed.DiGCN_Inception_Block_node_classification"
    inputs = (torch.randn(6, 4), (edges(), edges()), (torch.rand(14), torch.rand(14)))
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3)


def case_signed_magnet():
    path = SIGNED + "directed.MagNet_node_classification"
    inputs = (torch.randn(6, 4), torch.randn(6, 4), edges(), torch.rand(14))
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3, dropout=0.5)


def case_signed_magnet_links():
    path = SIGNED + "directed.MagNet_link_prediction"
    inputs = (torch.randn(6, 4), torch.randn(6, 4), edges(), edges(6, 5).t())
    return of(path, *inputs, num_features=4, hidden=8, trainable_q=True)


def case_signed_msgnn():
    path = SIGNED + "general.MSGNN_node_classification"
    inputs = (torch.randn(6, 4), torch.randn(6, 4), edges(), torch.rand(14))
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3, dropout=0.5)


def signs():
    return torch.cat([edges().t(), torch.tensor([[1], [-1]]).repeat(7, 1)], dim=1)


def case_signed_sgcn():
    return of(SIGNED + "signed.SGCN", node_num=6, edge_index_s=signs(), in_dim=4, out_dim=4, layer_num=2)


def case_signed_snea():
    return of(SIGNED + "signed.SNEA", node_num=6, edge_index_s=signs(), in_dim=4, out_dim=4, layer_num=2)


def case_signed_sdgnn():
    return of(SIGNED + "signed.SDGNN", node_num=6, edge_index_s=signs(), in_dim=4, out_dim=4)


def case_signed_clustering():
    options = {"nfeat": 4, "hidden": 8, "nclass": 3, "dropout": 0.1, "hop": 2, "fill_value": 0.5}
    inputs = (edges(), torch.rand(14), edges(), torch.rand(14), torch.randn(6, 4))
    return of(SIGNED + "signed.SSSNET_node_clustering", *inputs, **options)


def case_signed_links():
    options = {"nfeat": 4, "hidden": 8, "nclass": 3, "dropout": 0.1, "hop": 2, "fill_value": 0.5, "directed": True}
    inputs = (edges(), torch.rand(14), edges(), torch.rand(14), torch.randn(6, 4), edges(6, 5).t())
    return of(SIGNED + "signed.SSSNET_link_prediction", *inputs, **options)


LAYERS = "fuxictr.pytorch.layers."


def case_fuxi_dice():
    return of(LAYERS + "Dice", torch.randn(4, 8), input_dim=8)


def case_fuxi_target_attention():
    inputs = (torch.randn(4, 8), torch.randn(4, 5, 8), torch.ones(4, 5))
    return of(LAYERS + "DIN_Attention", *inputs, embedding_dim=8, use_softmax=True)


def case_fuxi_target_attention_dice():
    inputs = (torch.randn(4, 8), torch.randn(4, 5, 8), torch.ones(4, 5))
    return of(LAYERS + "DIN_Attention", *inputs, embedding_dim=8, hidden_activations="Dice")


def case_fuxi_heads():
    inputs = (torch.randn(4, 8), torch.randn(4, 5, 8), torch.ones(4, 5))
    return of(LAYERS + "MultiHeadTargetAttention", *inputs, input_dim=8, attention_dim=8, num_heads=2)


def case_fuxi_squeeze():
    return of(LAYERS + "SqueezeExcitation", torch.randn(4, 6, 8), num_fields=6)


def case_fuxi_bilinear():
    return of(LAYERS + "BilinearInteraction", torch.randn(4, 6, 8), num_fields=6, embedding_dim=8)


def case_fuxi_bilinear_each():
    options = {"num_fields": 6, "embedding_dim": 8, "bilinear_type": "field_each"}
    return of(LAYERS + "BilinearInteraction", torch.randn(4, 6, 8), **options)


def case_fuxi_bilinear_second():
    return of(LAYERS + "BilinearInteractionV2", torch.randn(4, 6, 8), num_fields=6, embedding_dim=8)


def case_fuxi_compressed():
    return of(LAYERS + "CompressedInteractionNet", torch.randn(4, 6, 8), num_fields=6, cin_hidden_units=[4, 4])


def case_fuxi_cross():
    return of(LAYERS + "CrossNet", torch.randn(4, 8), input_dim=8, num_layers=2)


def case_fuxi_cross_mix():
    return of(LAYERS + "CrossNetMix", torch.randn(4, 8), in_features=8, low_rank=4)


def case_fuxi_holographic():
    return of(LAYERS + "HolographicInteraction", torch.randn(4, 6, 8), num_fields=6)


def case_fuxi_holographic_correlation():
    options = {"num_fields": 6, "interaction_type": "circular_correlation"}
    return of(LAYERS + "HolographicInteraction", torch.randn(4, 6, 8), **options)


def case_fuxi_products():
    return of(LAYERS + "InnerProductInteraction", torch.randn(4, 6, 8), num_fields=6)


def case_fuxi_products_inner():
    return of(LAYERS + "InnerProductInteraction", torch.randn(4, 6, 8), num_fields=6, output="inner_product")


def case_fuxi_machine():
    return of(LAYERS + "InteractionMachine", torch.randn(4, 6, 8), embedding_dim=8, order=5)


def case_fuxi_masked_average():
    return of(LAYERS + "MaskedAveragePooling", torch.randn(4, 6, 8))


def case_fuxi_masked_sum():
    return of(LAYERS + "MaskedSumPooling", torch.randn(4, 6, 8))


def case_fuxi_k_max():
    return of(LAYERS + "KMaxPooling", torch.randn(4, 6, 8), k=2, dim=1)


def case_fuxi_mlp():
    options = {"input_dim": 8, "hidden_units": [8, 4], "hidden_activations": "Dice", "batch_norm": True}
    return of(LAYERS + "MLP_Block", torch.randn(4, 8), **options, output_dim=1, dropout_rates=0.1)


def case_snac():
    options = {"encoder_dim": 8, "encoder_rates": [2, 2], "decoder_dim": 16, "decoder_rates": [2, 2]}
    more = {"attn_window_size": None, "codebook_size": 16, "vq_strides": [2, 1]}
    return of("snac.SNAC", torch.randn(1, 1, 256), **options, **more)


def case_snac_attention():
    return of("snac.attention.LocalMHA", torch.randn(1, 64, 8), dim=64, window_size=4, dim_head=32)


def case_snac_attention_with_scales():
    model, inputs = of(
        "snac.attention.SinusoidalEmbeddings", torch.randn(1, 8, 64), dim=64, scale_base=4, use_xpos=True
    )
    return model, inputs


def case_snac_quantizer():
    return of("snac.vq.VectorQuantize", torch.randn(1, 8, 6), input_dim=8, codebook_size=16, codebook_dim=4, stride=2)


def case_panns():
    options = {"window_size": 64, "hop_size": 32, "mel_bins": 64, "fmin": 50, "fmax": 4000, "classes_num": 5}
    return of("panns_inference.models.Cnn14", torch.randn(1, 3200), sample_rate=8000, **options)


def case_panns_levels():
    options = {"window_size": 64, "hop_size": 32, "mel_bins": 64, "fmin": 50, "fmax": 4000, "classes_num": 5}
    return of("panns_inference.models.Cnn14_DecisionLevelMax", torch.randn(1, 3200), sample_rate=8000, **options)


def case_passt():
    options = {"img_size": (32, 48), "embed_dim": 32, "depth": 1, "num_heads": 2, "num_classes": 5}
    return of("hear21passt.models.passt.PaSST", torch.randn(1, 1, 32, 48), **options, s_patchout_t=1, s_patchout_f=1)


def case_passt_unstructured():
    options = {"img_size": (32, 48), "embed_dim": 32, "depth": 1, "num_heads": 2, "num_classes": 5}
    return of("hear21passt.models.passt.PaSST", torch.randn(1, 1, 32, 48), **options, u_patchout=2)


def case_resemblyzer():
    return of("resemblyzer.voice_encoder.VoiceEncoder", torch.rand(2, 20, 40), device="cpu", verbose=False)


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


UNSURE = "torch_uncertainty."


def case_unsure_batch_linear():
    options = {"in_features": 4, "out_features": 3, "num_estimators": 2}
    return of(UNSURE + "layers.BatchLinear", torch.randn(4, 4), **options)


def case_unsure_batch_conv():
    options = {"in_channels": 3, "out_channels": 4, "kernel_size": 3, "num_estimators": 2}
    return of(UNSURE + "layers.BatchConv2d", torch.randn(4, 3, 8, 8), **options)


def case_unsure_bayes_linear():
    return of(UNSURE + "layers.BayesLinear", torch.randn(4, 4), in_features=4, out_features=3)


def case_unsure_bayes_conv():
    options = {"in_channels": 3, "out_channels": 4, "kernel_size": 3}
    return of(UNSURE + "layers.BayesConv2d", torch.randn(4, 3, 8, 8), **options)


def case_unsure_lpbnn():
    path = UNSURE + "layers.bayesian.LPBNNLinear"
    return of(path, torch.randn(4, 4), in_features=4, out_features=3, num_estimators=2, hidden_size=4)


def case_unsure_lpbnn_conv():
    path = UNSURE + "layers.bayesian.LPBNNConv2d"
    options = {"in_channels": 3, "out_channels": 4, "kernel_size": 3, "num_estimators": 2, "hidden_size": 4}
    return of(path, torch.randn(4, 3, 8, 8), **options)


def case_unsure_masked():
    options = {"in_features": 16, "out_features": 3, "num_estimators": 2, "scale": 2.0}
    return of(UNSURE + "layers.MaskedLinear", torch.randn(4, 16), **options)


def case_unsure_packed():
    options = {"in_features": 4, "out_features": 4, "alpha": 2, "num_estimators": 2}
    return of(UNSURE + "layers.PackedLinear", torch.randn(4, 8), **options)


def case_unsure_packed_attention():
    path = UNSURE + "layers.PackedMultiheadAttention"
    inputs = (torch.randn(3, 2, 16),) * 3
    return of(path, *inputs, embed_dim=8, num_heads=2, alpha=2, num_estimators=2)


def case_unsure_packed_encoder():
    path = UNSURE + "layers.PackedTransformerEncoderLayer"
    return of(path, torch.randn(3, 2, 16), d_model=8, nhead=2, alpha=2, num_estimators=2, dim_feedforward=8)


def case_unsure_evidence_loss():
    inputs = (torch.rand(4, 3), torch.tensor([0, 1, 2, 0]), 2)
    return of(UNSURE + "losses.DECLoss", *inputs, annealing_step=10, reg_weight=0.1)


def case_unsure_confidence_loss():
    return of(UNSURE + "losses.ConfidencePenaltyLoss", torch.randn(4, 3), torch.tensor([0, 1, 2, 0]))


def case_unsure_focal_loss():
    return of(UNSURE + "losses.FocalLoss", torch.randn(4, 3), torch.tensor([0, 1, 2, 0]), gamma=2.0)


def case_unsure_smooth_loss():
    inputs = (torch.randn(4, 3), torch.rand(4, 3).round())
    return of(UNSURE + "losses.BCEWithLogitsLSLoss", *inputs, label_smoothing=0.1)


def case_unsure_mixup_loss():
    return of(UNSURE + "losses.MixupMPLoss", torch.randn(4, 3), torch.rand(4, 3).softmax(-1))


def case_unsure_beta_nll():
    inputs = (torch.randn(4), torch.randn(4), torch.rand(4) + 0.1)
    return of(UNSURE + "losses.BetaNLL", *inputs)


class Evidence(nn.Module):
    """A regression's distribution and its loss."""

    def __init__(self) -> None:
        super().__init__()
        from torch_uncertainty.losses import DistributionNLLLoss

        self.linear, self.loss = nn.Linear(4, 1), DistributionNLLLoss()

    def forward(self, x, y):
        mean = self.linear(x)
        return self.loss(torch.distributions.Normal(mean, torch.ones_like(mean)), y)


def case_unsure_distribution_loss():
    return Evidence(), (torch.randn(4, 4), torch.randn(4, 1))


def case_unsure_elbo():
    from torch_uncertainty.layers import BayesLinear
    from torch_uncertainty.losses import ELBOLoss

    model = ELBOLoss(BayesLinear(4, 3), nn.CrossEntropyLoss(), kl_weight=0.1, num_samples=2)
    return model, (torch.randn(4, 4), torch.tensor([0, 1, 2, 0]))


def small():
    return nn.Sequential(nn.Flatten(), nn.Linear(48, 8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 3))


def case_unsure_dropout():
    from torch_uncertainty.methods import mc_dropout

    return mc_dropout(small(), num_estimators=2), (torch.randn(4, 48),)


def case_unsure_ensemble():
    from torch_uncertainty.methods import deep_ensembles

    return deep_ensembles([small(), small()], task="classification"), (torch.randn(4, 48),)


def case_unsure_batch_ensemble():
    from torch_uncertainty.methods import BatchEnsemble

    return BatchEnsemble(small(), num_estimators=2, convert_layers=True), (torch.randn(4, 48),)


def case_unsure_moving_average():
    from torch_uncertainty.methods import EMA

    return EMA(small(), momentum=0.9), (torch.randn(4, 48),)


def case_unsure_stochastic():
    from torch_uncertainty.layers import BayesLinear
    from torch_uncertainty.methods import StochasticModel

    return StochasticModel(BayesLinear(4, 3), num_samples=2), (torch.randn(4, 4),)


def case_unsure_zero_shot():
    from torch_uncertainty.methods import Zero

    return Zero(small(), num_tta=4, filter_views=0.5), (torch.randn(8, 3, 4, 4),)


def case_unsure_energy():
    return of(UNSURE + "ood_criteria.EnergyCriterion", torch.randn(4, 3))


def case_unsure_mutual_information():
    return of(UNSURE + "ood_criteria.MutualInformationCriterion", torch.randn(2, 4, 3))


def case_unsure_variation_ratio():
    return of(UNSURE + "ood_criteria.VariationRatioCriterion", torch.randn(2, 4, 3))


def case_unsure_frn():
    return of(UNSURE + "layers.FilterResponseNorm2d", torch.randn(2, 4, 8, 8), num_channels=4)


def case_unsure_mc_batch_norm():
    return of(UNSURE + "layers.mc_batch_norm.MCBatchNorm2d", torch.randn(2, 4, 8, 8), num_features=4, num_estimators=2)


def case_unsure_resnet():
    path = UNSURE + "models.classification.resnet.packed_resnet"
    options = {"in_channels": 3, "num_classes": 4, "arch": 18, "num_estimators": 2, "alpha": 2, "gamma": 1}
    return of(path, torch.randn(2, 3, 16, 16), **options, style="cifar")


def case_unsure_segformer():
    return of(UNSURE + "models.segmentation.segformer.seg_former", torch.randn(1, 3, 64, 64), num_classes=3, arch=0)


def restored(path: str, *, size=16, channels=3, **options):
    return of(f"spandrel.architectures.{path}", torch.rand(1, channels, size, size), **options)


def case_spandrel_atd():
    options = {"embed_dim": 12, "depths": (1, 1), "num_heads": (2, 2), "window_size": 4, "category_size": 8}
    more = {"num_tokens": 4, "reducted_dim": 2, "upscale": 2, "upsampler": "pixelshuffledirect"}
    return restored("ATD.ATD", **options, **more, img_size=16)


def case_spandrel_craft():
    options = {"embed_dim": 12, "depths": [1], "num_heads": [2], "split_size_0": 4, "split_size_1": 4}
    return restored("CRAFT.CRAFT", **options, window_size=4, upscale=2)


def case_spandrel_grl():
    options = {"embed_dim": 12, "depths": [1], "num_heads_window": [2], "num_heads_stripe": [2], "window_size": 4}
    return restored("GRL.GRL", **options, img_size=16, stripe_size=[4, 4], upscale=2, anchor_window_down_factor=2)


def case_spandrel_lama():
    from spandrel.architectures.LaMa import LaMa

    return LaMa(in_nc=4, out_nc=3), (torch.rand(1, 3, 32, 32), torch.rand(1, 1, 32, 32).round())


def case_spandrel_omni():
    return restored("OmniSR.OmniSR", num_feat=12, res_num=1, block_num=1, window_size=4, up_scale=2)


def case_spandrel_real_plksr():
    return restored("PLKSR.RealPLKSR", dim=8, n_blocks=1, kernel_size=5, upscaling_factor=2, dysample=True)


def case_spandrel_rgt():
    options = {"embed_dim": 12, "depth": [2], "num_heads": [2], "img_size": 16, "split_size": [4, 4], "upscale": 2}
    return restored("RGT.RGT", **options)


def case_spandrel_cugan():
    return restored("RealCUGAN.UpCunet2x", size=64, in_channels=3, out_channels=3)


def case_xray_densenet():
    options = {"growth_rate": 4, "block_config": (1, 1), "num_init_features": 8, "num_classes": 3}
    return of("torchxrayvision.models.DenseNet", torch.randn(1, 1, 224, 224), **options)


def case_xray_densenet_thresholds():
    options = {"growth_rate": 4, "block_config": (1, 1), "num_init_features": 8, "num_classes": 3}
    more = {"op_threshs": torch.tensor([0.5, 0.4, 0.3])}
    return of("torchxrayvision.models.DenseNet", torch.randn(1, 1, 224, 224), **options, **more)


def case_xray_quantizer():
    path = "torchxrayvision.baseline_models.ieee8023.vqgan.VectorQuantizer"
    return of(path, torch.randn(1, 4, 8, 8), n_e=8, e_dim=4, beta=0.25)


def case_xray_pspnet():
    path = "torchxrayvision.baseline_models.chestx_det.ptsemseg.pspnet.pspnet"
    return of(path, torch.randn(2, 3, 65, 65), n_classes=3, block_config=[1, 1, 1, 1], input_size=(65, 65))


def triple(name: str, *shapes, **options):
    """An interaction of pykeen and representations of heads, relations and tails."""
    module = importlib.import_module("pykeen.nn.modules")
    tensors = [
        tuple(torch.randn(s) for s in shape) if isinstance(shape, list) else torch.randn(shape) for shape in shapes
    ]
    return getattr(module, name)(**options), tuple(tensors)


V = (4, 8)


def case_pykeen_transe():
    return triple("TransEInteraction", V, V, V, p=2)


def case_pykeen_conve():
    return triple("ConvEInteraction", (4, 32), (4, 32), [(4, 32), (4,)], embedding_dim=32)


def case_pykeen_convkb():
    return triple("ConvKBInteraction", V, V, V, embedding_dim=8, num_filters=4)


def case_pykeen_transr():
    return triple("TransRInteraction", V, [(4, 6), (4, 8, 6)], V, p=2)


def case_pykeen_hole():
    return triple("HolEInteraction", V, V, V)


def case_pykeen_transd():
    return triple("TransDInteraction", [V, V], [(4, 6), (4, 6)], [V, V])


def case_pykeen_ntn():
    return triple("NTNInteraction", V, [(4, 2, 8, 8), (4, 2, 8), (4, 2, 8), (4, 2), (4, 2)], V)


def case_pykeen_transh():
    return triple("TransHInteraction", V, [V, V], V, p=2)


def case_pykeen_quate():
    return triple("QuatEInteraction", (4, 8, 4), (4, 8, 4), (4, 8, 4))


def case_pykeen_boxe():
    return triple("BoxEInteraction", [V, V], [V, V, (4, 1), V, V, (4, 1)], [V, V], p=2)


def case_pykeen_autosf():
    return triple("AutoSFInteraction", [V, V], [V, V], [V, V], coefficients=[(0, 0, 0, 1), (1, 1, 1, -1)])


def pictures(path: str, channels=3, size=64, pair=True, **options):
    inputs = (torch.rand(1, channels, size, size), torch.rand(1, channels, size, size))
    return of(f"pyiqa.archs.{path}", *inputs[: 1 + pair], **options)


def case_pyiqa_gmsd():
    return pictures("gmsd_arch.GMSD")


def case_pyiqa_fsim():
    return pictures("fsim_arch.FSIM")


def case_pyiqa_mad():
    return pictures("mad_arch.MAD")


def case_pyiqa_nlpd():
    return pictures("nlpd_arch.NLPD")


def case_pyiqa_entropy():
    return pictures("entropy_arch.Entropy", pair=False)


def case_pyiqa_vif():
    return pictures("vif_arch.VIF")


def case_pyiqa_vsi():
    return pictures("vsi_arch.VSI")


def case_pyiqa_ssim():
    return pictures("ssim_arch.SSIM", downsample=True)


def case_pyiqa_ms_ssim():
    return pictures("ssim_arch.MS_SSIM", size=192)


def case_pyiqa_psnr():
    return pictures("psnr_arch.PSNR")


def case_romatch_attention():
    return of("romatch.models.transformer.layers.attention.Attention", torch.randn(1, 6, 16), dim=16, num_heads=2)


def case_romatch_vit():
    options = {"img_size": 28, "patch_size": 14, "embed_dim": 16, "depth": 1, "num_heads": 2}
    path = "romatch.models.transformer.dinov2.DinoVisionTransformer"
    return of(path, torch.randn(1, 3, 28, 28), **options)


def case_romatch_gaussian_process():
    options = {"kernel": importlib.import_module("romatch.models.matcher").CosKernel, "gp_dim": 16}
    return of("romatch.models.matcher.GP", torch.randn(1, 8, 4, 4), torch.randn(1, 8, 4, 4), **options)
