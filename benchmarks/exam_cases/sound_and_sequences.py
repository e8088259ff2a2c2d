"""Sound: augmentation, losses, spectrograms; sequences: transformers, state spaces, retention, encodings, text."""

from __future__ import annotations

import contextlib

import torch
from torch import nn

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from torchnlp.encoders.text import stack_and_pad_tensors
from torchnlp.metrics import get_token_accuracy
from whisper.audio import log_mel_spectrogram, pad_or_trim

PACKAGES = (
    "torch_audiomentations auraloss nnAudio torchlibrosa whisper torchnlp torchscale s5 iTransformer local_attention "
    "routing_transformer st_moe_pytorch product_key_memory positional_encodings rotary_embedding_torch colt5_attention "
    "opacus axial_positional_embedding"
).split()


def augmented(name: str, **options):
    import torch_audiomentations

    transform = getattr(torch_audiomentations, name)(p=0.5, output_type="dict", **options)
    return transform, (torch.rand(2, 1, 1600) - 0.5,), {"sample_rate": 1600}


def case_gain():
    return augmented("Gain")


def case_polarity():
    return augmented("PolarityInversion")


def case_peak_normalization():
    return augmented("PeakNormalization")


def case_low_pass():
    return augmented("LowPassFilter", min_cutoff_freq=100, max_cutoff_freq=300)


def case_band_stop():
    return augmented("BandStopFilter", min_center_frequency=200, max_center_frequency=300)


def case_colored_noise():
    return augmented("AddColoredNoise")


def case_shift():
    return augmented("Shift")


def case_time_inversion():
    return augmented("TimeInversion")


def case_shuffle_channels():
    import torch_audiomentations

    shuffled = torch_audiomentations.ShuffleChannels(p=1.0, output_type="dict")
    return shuffled, (torch.rand(2, 2, 160),), {"sample_rate": 1600}


def case_spliced():
    return augmented("SpliceOut", num_time_intervals=2, max_width=100)


def case_composed():
    import torch_audiomentations as library

    steps = [library.Gain(p=0.5, output_type="dict"), library.PolarityInversion(p=0.5, output_type="dict")]
    return library.Compose(steps, output_type="dict"), (torch.rand(2, 1, 160),), {"sample_rate": 1600}


def case_some_of():
    import torch_audiomentations as library

    steps = [library.Gain(p=0.5, output_type="dict"), library.PolarityInversion(p=0.5, output_type="dict")]
    return library.SomeOf(1, steps, output_type="dict"), (torch.rand(2, 1, 160),), {"sample_rate": 1600}


def lossy(name: str, module: str = "time", **options):
    import auraloss

    return getattr(getattr(auraloss, module), name)(**options), (torch.randn(2, 1, 512), torch.randn(2, 1, 512))


def case_esr_loss():
    return lossy("ESRLoss")


def case_snr_loss():
    return lossy("SNRLoss")


def case_sisdr_loss():
    return lossy("SISDRLoss")


def case_stft_loss():
    return lossy("STFTLoss", "freq", fft_size=64, hop_size=16, win_length=64)


def case_multi_stft_loss():
    options = {"fft_sizes": [64, 32], "hop_sizes": [16, 8], "win_lengths": [64, 32]}
    return lossy("MultiResolutionSTFTLoss", "freq", **options)


def case_random_stft_loss():
    return lossy(
        "RandomResolutionSTFTLoss", "freq", min_fft_size=32, max_fft_size=64, min_hop_size=0.1, max_hop_size=0.5
    )


def spectrogram(name: str, **options):
    from nnAudio import features

    return getattr(features, name)(**options), (torch.randn(1, 2048),)


def case_nnaudio_stft():
    return spectrogram("STFT", n_fft=64, hop_length=32, verbose=False)


def case_nnaudio_mel():
    return spectrogram("MelSpectrogram", n_fft=64, n_mels=4, hop_length=32, verbose=False)


def case_nnaudio_mfcc():
    return spectrogram("MFCC", n_mfcc=4, n_fft=64, n_mels=8, hop_length=32, verbose=False)


def case_nnaudio_cqt():
    return spectrogram("CQT1992v2", sr=8000, fmin=220, n_bins=12, hop_length=64, verbose=False)


def case_nnaudio_cqt_2010():
    return spectrogram("CQT2010v2", sr=8000, fmin=220, n_bins=24, hop_length=64, verbose=False)


def case_nnaudio_gammatone():
    return spectrogram("Gammatonegram", sr=8000, n_fft=64, n_bins=4, hop_length=32, verbose=False)


def case_librosa_spectrogram():
    from torchlibrosa.stft import LogmelFilterBank, Spectrogram

    banks = LogmelFilterBank(sr=8000, n_fft=64, n_mels=4)
    return nn.Sequential(Spectrogram(n_fft=64, hop_length=32), banks), (torch.randn(1, 512),)


def case_librosa_istft():
    from torchlibrosa.stft import ISTFT

    return ISTFT(n_fft=64, hop_length=16), (torch.randn(1, 1, 20, 33), torch.randn(1, 1, 20, 33), 256)


def case_spec_augmentation():
    from torchlibrosa.augmentation import SpecAugmentation

    return SpecAugmentation(4, 2, 2, 2), (torch.randn(2, 1, 20, 8),)


def whisper_model():
    from whisper.model import ModelDimensions, Whisper

    return Whisper(ModelDimensions(8, 16, 8, 2, 1, 20, 8, 8, 2, 1))


def case_whisper():
    return whisper_model(), (torch.randn(1, 8, 32), torch.tensor([[1, 2, 3]]))


class WhisperCached(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = whisper_model()
        self.cache, self._ = self.model.install_kv_cache_hooks()

    def forward(self, x, tokens):
        return self.model.decoder(tokens, self.model.encoder(x), kv_cache=self.cache)


def case_whisper_cached():
    return WhisperCached(), (torch.randn(1, 8, 32), torch.tensor([[1, 2, 3]]))


class WhisperLogMel(nn.Module):
    def forward(self, x):
        return log_mel_spectrogram(x)


def case_whisper_log_mel():
    return WhisperLogMel(), (torch.randn(4000),)


class WhisperPad(nn.Module):
    def forward(self, x):
        return pad_or_trim(x, length=30)


def case_whisper_pad():
    return WhisperPad(), (torch.randn(20),)


def case_cnn_encoder():
    from torchnlp.nn import CNNEncoder

    return CNNEncoder(4, 3, (2, 3)), (torch.randn(2, 6, 4),)


def case_attention_of_queries():
    from torchnlp.nn import Attention

    return Attention(4), (torch.randn(2, 1, 4), torch.randn(2, 5, 4))


def case_locked_dropout():
    from torchnlp.nn import LockedDropout

    return LockedDropout(0.5), (torch.randn(2, 6, 4),)


def case_weight_drop():
    from torchnlp.nn import WeightDropLinear

    return WeightDropLinear(4, 3, weight_dropout=0.5), (torch.randn(2, 4),)


def case_weight_drop_gru():
    from torchnlp.nn import WeightDropGRU

    return WeightDropGRU(4, 3, weight_dropout=0.5), (torch.randn(5, 2, 4),)


class TokenAccuracy(nn.Module):
    def forward(self, x, y):
        return get_token_accuracy(x, y, ignore_index=0)


def case_token_accuracy():
    return TokenAccuracy(), (torch.tensor([[1, 2], [0, 1]]), torch.tensor([[1, 1], [0, 1]]))


class PadTensors(nn.Module):
    def forward(self, a, b):
        return stack_and_pad_tensors([a, b])


def case_pad_tensors():
    return PadTensors(), (torch.arange(3), torch.arange(5))


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


def case_state_space():
    from s5 import S5

    return S5(4, 4), (torch.randn(2, 6, 4),)


def case_state_space_block():
    from s5 import S5Block

    return S5Block(4, 4, block_count=2, bidir=False), (torch.randn(2, 6, 4),)


def case_inverted_transformer():
    from iTransformer import iTransformer

    model = iTransformer(
        num_variates=3,
        lookback_len=8,
        dim=8,
        depth=1,
        heads=2,
        dim_head=4,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 8, 3),)


def case_inverted_transformer_2d():
    from iTransformer import iTransformer2D

    return iTransformer2D(
        num_variates=3, num_time_tokens=4, lookback_len=8, dim=8, depth=1, heads=2, dim_head=4, pred_length=2
    ), (torch.randn(2, 8, 3),)


def case_local_attention():
    from local_attention import LocalAttention

    q = torch.randn(1, 2, 10, 4)
    return (
        LocalAttention(4, causal=True, autopad=True, dim=4, look_backward=1),
        (q, q, q),
        {"mask": torch.ones(1, 10).bool()},
    )


def case_local_transformer():
    from local_attention import LocalTransformer

    return LocalTransformer(
        num_tokens=12, max_seq_len=16, dim=8, depth=1, local_attn_window_size=4, dim_head=4, heads=2
    ), (torch.randint(0, 12, (1, 9)),)


def case_routing():
    from routing_transformer import RoutingTransformerLM

    return RoutingTransformerLM(
        num_tokens=12, dim=8, heads=2, depth=1, max_seq_len=16, causal=True, window_size=4, n_local_attn_heads=1
    ), (torch.randint(0, 12, (1, 16)),)


def case_routing_padded():
    from routing_transformer import RoutingTransformerLM
    from routing_transformer.autopadder import Autopadder

    return (
        Autopadder(RoutingTransformerLM(num_tokens=12, dim=8, heads=2, depth=1, max_seq_len=16, window_size=4)),
        (torch.randint(0, 12, (1, 13)),),
        {"return_loss": False},
    )


def case_mixture_of_experts():
    from st_moe_pytorch import MoE

    return MoE(dim=8, num_experts=4, gating_top_n=2), (torch.randn(1, 6, 8),)


def case_sparse_block_of_experts():
    from st_moe_pytorch import MoE, SparseMoEBlock

    return SparseMoEBlock(MoE(dim=8, num_experts=4), add_ff_before=True), (torch.randn(1, 6, 8),)


def case_product_keys():
    from product_key_memory import PKM

    return PKM(dim=8, heads=2, num_keys=4, topk=2, dim_head=4), (torch.randn(1, 6, 8),)


def case_positions():
    from positional_encodings.torch_encodings import PositionalEncoding2D, Summer

    return Summer(PositionalEncoding2D(4)), (torch.randn(1, 3, 3, 4),)


def case_positions_of_volumes():
    from positional_encodings.torch_encodings import PositionalEncodingPermute3D

    return PositionalEncodingPermute3D(4), (torch.randn(1, 4, 2, 2, 2),)


class Rotary(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rotary = RotaryEmbedding(4)

    def forward(self, x):
        return self.rotary.rotate_queries_or_keys(x)


def case_rotary():
    return Rotary(), (torch.randn(1, 2, 5, 4),)


class RotaryCached(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rotary = RotaryEmbedding(4, use_xpos=True)

    def forward(self, x, y):
        return self.rotary.rotate_queries_and_keys(x, y)


def case_rotary_cached():
    return RotaryCached(), (torch.randn(1, 2, 5, 4), torch.randn(1, 2, 5, 4))


class RotaryAxial(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rotary = RotaryEmbedding(4, freqs_for="pixel", max_freq=10)

    def forward(self, q):
        return apply_rotary_emb(self.rotary.get_axial_freqs(3, 3), q)


def case_rotary_axial():
    return RotaryAxial(), (torch.randn(1, 3, 3, 8),)


def case_conditional_feed_forward():
    from colt5_attention import ConditionalRoutedFeedForward

    return ConditionalRoutedFeedForward(8, num_heavy_tokens=2), (torch.randn(1, 6, 8),)


def case_conditional_attention():
    from colt5_attention import ConditionalRoutedAttention

    return (
        ConditionalRoutedAttention(
            8, num_heavy_tokens_q=2, num_heavy_tokens_kv=2, light_window_size=2, light_dim_head=4, heavy_dim_head=4
        ),
        (torch.randn(1, 6, 8),),
        {"mask": torch.ones(1, 6).bool()},
    )


def case_axial_positions():
    from axial_positional_embedding import AxialPositionalEmbedding

    return AxialPositionalEmbedding(dim=8, axial_shape=(4, 4)), (torch.randn(1, 16, 8),)


def case_private_lstm():
    from opacus.layers import DPLSTM

    return DPLSTM(4, 3, batch_first=True), (torch.randn(2, 5, 4),)


def case_private_gru():
    from opacus.layers import DPGRU

    return DPGRU(4, 3, num_layers=2, bidirectional=True), (torch.randn(5, 2, 4),)


def case_private_lstm_packed():
    from opacus.layers import DPLSTM

    model = DPLSTM(4, 3, batch_first=True)
    packed = torch.nn.utils.rnn.pack_padded_sequence(torch.randn(2, 5, 4), torch.tensor([5, 3]), batch_first=True)
    return model, (packed,)


def case_private_attention():
    from opacus.layers import DPMultiheadAttention

    q = torch.randn(5, 2, 8)
    return DPMultiheadAttention(8, 2, add_bias_kv=True), (q, q, q)


def case_sampled_gradients():
    from opacus import GradSampleModule

    return GradSampleModule(nn.Sequential(nn.Linear(4, 3), nn.ReLU())), (torch.randn(2, 4),)
