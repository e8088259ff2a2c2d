"""Models of today's speechbrain, small, in eval mode; augmentations draw what they do from torch's generator.

torchaudio, which it imports and these models do not call, is an empty module here.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import torch

PACKAGES = ["speechbrain"]
REQUIREMENTS = [
    "speechbrain==1.1.2", "hyperpyyaml", "ruamel.yaml", "joblib", "scipy", "sentencepiece", "huggingface_hub==0.36.2",
    "tqdm", "requests", "packaging",
]  # fmt: skip
LENGTHS = torch.tensor([1.0, 0.5])


def _stub(name: str) -> ModuleType:
    module = sys.modules.setdefault(name, ModuleType(name))
    module.__spec__ = module.__spec__ or ModuleSpec(name, None)
    return module


_stub("torchaudio").__version__ = "2.11.0"


def frames(width: int = 8, time: int = 12) -> torch.Tensor:
    """Two sequences of features."""
    return torch.randn(2, time, width)


def _recurrent(name: str, **kwargs):
    from speechbrain.nnet import RNN

    return getattr(RNN, name)(hidden_size=8, input_shape=(2, 12, 8), **kwargs), (frames(),)


def case_rnn():
    return _recurrent("RNN")


def case_lstm():
    return _recurrent("LSTM", bidirectional=True)


def case_gru():
    return _recurrent("GRU")


def case_lstm_lengths():
    model, args = _recurrent("LSTM")
    return model, args, {"lengths": LENGTHS}


def case_ligru():
    return _recurrent("LiGRU")


def case_quasi_rnn():
    from speechbrain.nnet.RNN import QuasiRNN

    return QuasiRNN(8, (2, 12, 8), bidirectional=False), (frames(),)


def case_crdnn():
    from speechbrain.lobes.models.CRDNN import CRDNN

    model = CRDNN(input_shape=(2, 12, 8), cnn_channels=(4, 4), rnn_neurons=8, dnn_neurons=8, rnn_layers=1)
    return model, (frames(),)


def case_xvector():
    from speechbrain.lobes.models.Xvector import Xvector

    return Xvector(in_channels=8, tdnn_channels=[8] * 5, lin_neurons=8), (frames(8, 24),)


def case_ecapa_tdnn():
    from speechbrain.lobes.models.ECAPA_TDNN import ECAPA_TDNN

    model = ECAPA_TDNN(8, channels=[16] * 4 + [48], attention_channels=8, lin_neurons=8, res2net_scale=4, se_channels=8)
    return model, (frames(8, 24),)


def case_multihead_attention():
    from speechbrain.nnet.attention import MultiheadAttention

    return MultiheadAttention(2, 8), (frames(), frames(), frames())


def case_rel_pos_attention():
    from speechbrain.nnet.attention import RelPosEncXL, RelPosMHAXL

    x = frames()
    return RelPosMHAXL(8, 2), (x, x, x, RelPosEncXL(8)(x))


def case_conformer():
    from speechbrain.lobes.models.transformer.Conformer import ConformerEncoder
    from speechbrain.nnet.attention import RelPosEncXL

    x = frames()
    model = ConformerEncoder(num_layers=2, d_model=8, d_ffn=16, nhead=2, kernel_size=3, dropout=0.0)
    return model, (x,), {"pos_embs": RelPosEncXL(8)(x)}


def case_transformer_encoder():
    from speechbrain.lobes.models.transformer.Transformer import TransformerEncoder

    return TransformerEncoder(num_layers=2, nhead=2, d_ffn=16, d_model=8), (frames(),)


def _augment(name: str, *args, **kwargs):
    from speechbrain.augment import time_domain

    return getattr(time_domain, name)(**kwargs), (torch.randn(2, 400), *args)


def case_drop_freq():
    return _augment("DropFreq")


def case_drop_chunk():
    return _augment("DropChunk", LENGTHS, drop_length_low=10, drop_length_high=20)


def case_fast_drop_chunk():
    return _augment("FastDropChunk", drop_length_low=10, drop_length_high=20)


def case_clip():
    return _augment("DoClip")


def case_sign_flip():
    return _augment("SignFlip")


def case_statistics_pooling():
    from speechbrain.nnet.pooling import StatisticsPooling

    return StatisticsPooling(), (frames(), LENGTHS)


def case_attentive_pooling():
    from speechbrain.lobes.models.ECAPA_TDNN import AttentiveStatisticsPooling

    return AttentiveStatisticsPooling(8, 4), (frames().transpose(1, 2), LENGTHS)


def case_fbank():
    from speechbrain.processing.features import STFT, Filterbank, spectral_magnitude

    class Features(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.stft, self.filters = STFT(sample_rate=16000), Filterbank(n_mels=8)

        def forward(self, wav):
            return self.filters(spectral_magnitude(self.stft(wav)))

    return Features(), (torch.randn(2, 4000),)
