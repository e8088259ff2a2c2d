"""Models of today's speechbrain, small, in eval mode; augmentations draw what they do from torch's generator.

torchaudio, which it imports and these models do not call, is an empty module here. Modules that it imports when they
are first asked for anything, such as their file, are taken out of `sys.modules`, where Dynamo would ask them.
"""

from __future__ import annotations

import sys
from importlib import import_module
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


def _part(name: str) -> ModuleType:
    """A module of speechbrain."""
    module = import_module(f"speechbrain.{name}")
    for key, each in list(sys.modules.items()):
        if type(each).__module__ == "speechbrain.utils.importutils":
            del sys.modules[key]
    return module


def frames(width: int = 8, time: int = 12) -> torch.Tensor:
    """Two sequences of features."""
    return torch.randn(2, time, width)


def _recurrent(name: str, **kwargs):
    return getattr(_part("nnet.RNN"), name)(hidden_size=8, input_shape=(2, 12, 8), **kwargs), (frames(),)


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
    QuasiRNN = _part("nnet.RNN").QuasiRNN
    return QuasiRNN(8, (2, 12, 8), bidirectional=False), (frames(),)


def case_crdnn():
    CRDNN = _part("lobes.models.CRDNN").CRDNN
    model = CRDNN(input_shape=(2, 12, 8), cnn_channels=(4, 4), rnn_neurons=8, dnn_neurons=8, rnn_layers=1)
    return model, (frames(),)


def case_xvector():
    Xvector = _part("lobes.models.Xvector").Xvector
    return Xvector(in_channels=8, tdnn_channels=[8] * 5, lin_neurons=8), (frames(8, 24),)


def case_ecapa_tdnn():
    ECAPA_TDNN = _part("lobes.models.ECAPA_TDNN").ECAPA_TDNN
    model = ECAPA_TDNN(8, channels=[16] * 4 + [48], attention_channels=8, lin_neurons=8, res2net_scale=4, se_channels=8)
    return model, (frames(8, 24),)


def case_multihead_attention():
    MultiheadAttention = _part("nnet.attention").MultiheadAttention
    return MultiheadAttention(2, 8), (frames(), frames(), frames())


def case_rel_pos_attention():
    RelPosEncXL = _part("nnet.attention").RelPosEncXL
    RelPosMHAXL = _part("nnet.attention").RelPosMHAXL
    x = frames()
    return RelPosMHAXL(8, 2), (x, x, x, RelPosEncXL(8)(x))


def case_conformer():
    ConformerEncoder = _part("lobes.models.transformer.Conformer").ConformerEncoder
    RelPosEncXL = _part("nnet.attention").RelPosEncXL
    x = frames()
    model = ConformerEncoder(num_layers=2, d_model=8, d_ffn=16, nhead=2, kernel_size=3, dropout=0.0)
    return model, (x,), {"pos_embs": RelPosEncXL(8)(x)}


def case_transformer_encoder():
    TransformerEncoder = _part("lobes.models.transformer.Transformer").TransformerEncoder
    return TransformerEncoder(num_layers=2, nhead=2, d_ffn=16, d_model=8), (frames(),)


def _augment(name: str, *args, **kwargs):
    return getattr(_part("augment.time_domain"), name)(**kwargs), (torch.randn(2, 400), *args)


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
    StatisticsPooling = _part("nnet.pooling").StatisticsPooling
    return StatisticsPooling(), (frames(), LENGTHS)


def case_attentive_pooling():
    AttentiveStatisticsPooling = _part("lobes.models.ECAPA_TDNN").AttentiveStatisticsPooling
    return AttentiveStatisticsPooling(8, 4), (frames().transpose(1, 2), LENGTHS)


def case_fbank():
    STFT = _part("processing.features").STFT
    Filterbank = _part("processing.features").Filterbank
    spectral_magnitude = _part("processing.features").spectral_magnitude

    class Features(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.stft, self.filters = STFT(sample_rate=16000), Filterbank(n_mels=8)

        def forward(self, wav):
            return self.filters(spectral_magnitude(self.stft(wav)))

    return Features(), (torch.randn(2, 4000),)
