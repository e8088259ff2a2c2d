"""Papers' own code on language, speech, proteins, tables and agents."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import torch
from exam_surroundings import absent, inside

PACKAGES = [
    "nanoGPT",
    "mamba-minimal",
    "waveglow",
    "FastSpeech2",
    "Speech-Backbones",
    "ProteinMPNN",
    "DiGress",
    "KnowledgeGraphEmbedding",
    "dreamerv3-torch",
    "pytorch_sac",
    "diffuser",
    "saint",
    "tabular-dl-tabr",
    "dlrm",
    "DiffDock",
]


absent(
    "matplotlib",
    "wandb",
    "gym",
    "dmc2gym",
    "tensorboard",
    "faiss",
    "monotonic_align",
    "onnx",
    "mlperf_logger",
    "mlperf_logging",
    "git",
    "d4rl",
    "mujoco_py",
    "tap",
    "imageio",
    "skvideo",
    "optuna",
    "torch_cluster",
    "torch_scatter",
    "tomli_w",
    "tomli",
    "scipy.io",
    "dataloader",
    "torch.utils.tensorboard",
    "model.monotonic_align",
)


def case_nanogpt():
    inside("nanoGPT")
    from model import GPT, GPTConfig

    model = GPT(GPTConfig(block_size=32, vocab_size=60, n_layer=2, n_head=2, n_embd=16, dropout=0.1))
    return model, (torch.randint(0, 60, (2, 16)), torch.randint(0, 60, (2, 16)))


def case_nanogpt_generate():
    inside("nanoGPT")
    from model import GPT, GPTConfig

    model = GPT(GPTConfig(block_size=32, vocab_size=60, n_layer=1, n_head=2, n_embd=16))
    return model.generate, (torch.randint(0, 60, (2, 4)), 3), {"top_k": 5}


def case_mamba_minimal():
    inside("mamba-minimal")
    from model import Mamba, ModelArgs

    return Mamba(ModelArgs(d_model=16, n_layer=1, vocab_size=60)), (torch.randint(0, 60, (2, 6)),)


def flowing():
    """WaveGlow, with CUDA's tensors replaced by the CPU's."""
    inside("waveglow")
    torch.cuda.FloatTensor = torch.FloatTensor
    from glow import WaveGlow, WaveGlowLoss

    model = WaveGlow(8, 4, 8, 2, 2, {"n_layers": 2, "n_channels": 8, "kernel_size": 3})
    return model, WaveGlowLoss, (torch.randn(1, 8, 4), torch.randn(1, 1024))


def case_waveglow():
    model, _, args = flowing()
    return model, (args,)


def case_waveglow_loss():
    model, loss, args = flowing()
    with torch.no_grad():
        made = model(args)
    return loss(), (made,)


def case_waveglow_inference():
    model, _, (spectrum, _) = flowing()
    return model.infer, (spectrum,)


def spoken(**options):
    """FastSpeech 2 with features of phonemes, and one batch of its data set."""
    inside("FastSpeech2")
    from model import FastSpeech2, FastSpeech2Loss

    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "stats.json"), "w") as file:
        json.dump({"pitch": [-2.0, 2.0, 0.0, 1.0], "energy": [-2.0, 2.0, 0.0, 1.0]}, file)
    with open(os.path.join(folder, "speakers.json"), "w") as file:
        json.dump({"a": 0, "b": 1}, file)
    level = options.get("level", "phoneme_level")
    preprocess = {
        "preprocessing": {"mel": {"n_mel_channels": 80}, "pitch": {"feature": level}, "energy": {"feature": level}},
        "path": {"preprocessed_path": folder},
    }
    kinds = {"encoder": 1, "decoder": 1}
    transformer = {f"{kind}_layer": count for kind, count in kinds.items()}
    for kind in kinds:
        transformer |= {f"{kind}_head": 2, f"{kind}_hidden": 16, f"{kind}_dropout": 0.2}
    config = {
        "transformer": {**transformer, "conv_filter_size": 16, "conv_kernel_size": [9, 1]},
        "variance_predictor": {"filter_size": 16, "kernel_size": 3, "dropout": 0.5},
        "variance_embedding": {"pitch_quantization": "linear", "energy_quantization": "linear", "n_bins": 8},
        "multi_speaker": options.get("speakers", False),
        "max_seq_len": 40,
    }
    lengths, frames = torch.tensor([6, 4]), torch.tensor([12, 8])
    durations = torch.tensor([[2] * 6, [2] * 4 + [0] * 2])
    features = torch.randn(2, 6) if level == "phoneme_level" else torch.randn(2, 12)
    args = (
        torch.tensor([0, 1]),
        torch.randint(1, 50, (2, 6)),
        lengths,
        6,
        torch.randn(2, 12, 80),
        frames,
        12,
        features,
        features.clone(),
        durations,
    )
    return FastSpeech2(preprocess, config), FastSpeech2Loss(preprocess, config), args


def case_fastspeech2():
    model, _, args = spoken()
    return model, args


def case_fastspeech2_frames_and_speakers():
    model, _, args = spoken(level="frame_level", speakers=True)
    return model, args


def case_fastspeech2_synthesis():
    model, _, args = spoken()
    return model.eval(), args[:4], {"d_control": 1.1}


def case_fastspeech2_loss():
    model, loss, args = spoken()
    with torch.no_grad():
        predicted = model.eval()(*args)
    return loss, ((None, None, *args), predicted)


def case_grad_tts_decoder():
    inside("Speech-Backbones", "Grad-TTS")
    from model.diffusion import Diffusion

    mask = torch.ones(2, 1, 16)
    return Diffusion(8, 8), (torch.randn(2, 8, 16), mask, torch.randn(2, 8, 16), 2), {"stoc": True}


def case_grad_tts_decoder_loss():
    inside("Speech-Backbones", "Grad-TTS")
    from model.diffusion import Diffusion

    model = Diffusion(80, 8, n_spks=2, spk_emb_dim=8)
    return (
        model.compute_loss,
        (torch.randn(2, 80, 16), torch.ones(2, 1, 16), torch.randn(2, 80, 16)),
        {"spk": torch.randn(2, 8)},
    )


def case_grad_tts_encoder():
    inside("Speech-Backbones", "Grad-TTS")
    from model.text_encoder import TextEncoder

    model = TextEncoder(50, 8, 16, 16, 16, 2, 1, 3, 0.1, window_size=4)
    return model, (torch.randint(0, 50, (2, 6)), torch.tensor([6, 4]))


def talk():
    """Grad-TTS as a whole."""
    inside("Speech-Backbones", "Grad-TTS")
    from model import GradTTS

    return GradTTS(50, 1, 8, 16, 16, 16, 2, 1, 3, 0.1, 4, 8, 8, 0.05, 20.0, 1000)


def case_grad_tts():
    return talk(), (torch.randint(0, 50, (2, 6)), torch.tensor([6, 4]), 2)


def protein(**options):
    """ProteinMPNN and two chains of twelve residues."""
    inside("ProteinMPNN")
    from protein_mpnn_utils import ProteinMPNN

    model = ProteinMPNN(21, 16, 16, 16, 1, 1, k_neighbors=4, **options)
    atoms = 3 if options.get("ca_only") else 4
    x = torch.randn(2, 12, 3) if options.get("ca_only") else torch.randn(2, 12, atoms, 3)
    whole = torch.ones(2, 12)
    args = (
        x,
        torch.randint(0, 21, (2, 12)),
        whole,
        whole,
        torch.arange(12).expand(2, 12),
        whole.long(),
        torch.randn(2, 12),
    )
    return model, args


def case_protein_mpnn():
    return protein()


def case_protein_mpnn_carbons():
    return protein(ca_only=True)


def case_protein_mpnn_sample():
    model, (x, _, mask, chain, residues, encoding, noise) = protein()
    known = torch.randint(0, 21, (2, 12))
    return (
        model.sample,
        (x, noise, known, chain, encoding, residues),
        {
            "mask": mask,
            "temperature": 0.1,
            "omit_AAs_np": np.zeros(21),
            "bias_AAs_np": np.zeros(21),
            "chain_M_pos": mask,
            "bias_by_res": torch.zeros(2, 12, 21),
        },
    )


def case_protein_mpnn_training():
    inside("ProteinMPNN", "training")
    from model_utils import ProteinMPNN

    model = ProteinMPNN(
        node_features=16, edge_features=16, hidden_dim=16, num_encoder_layers=1, num_decoder_layers=1, k_neighbors=4
    )
    whole = torch.ones(2, 12)
    return model, (
        torch.randn(2, 12, 4, 3),
        torch.randint(0, 21, (2, 12)),
        whole,
        whole,
        torch.arange(12).expand(2, 12),
        whole.long(),
    )


def case_protein_mpnn_losses():
    inside("ProteinMPNN")
    from protein_mpnn_utils import loss_smoothed

    return loss_smoothed, (torch.randint(0, 21, (2, 12)), torch.randn(2, 12, 21).log_softmax(-1), torch.ones(2, 12))


def case_digress():
    inside("DiGress")
    from src.models.transformer_model import GraphTransformer

    sizes = {"X": 4, "E": 3, "y": 2}
    hidden = {"dx": 16, "de": 8, "dy": 8, "n_head": 2, "dim_ffX": 16, "dim_ffE": 8, "dim_ffy": 8}
    model = GraphTransformer(2, sizes, {"X": 16, "E": 8, "y": 8}, hidden, sizes, torch.nn.ReLU(), torch.nn.ReLU())
    mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    edges = torch.randn(2, 6, 6, 3)
    return model, (torch.randn(2, 6, 4), edges + edges.transpose(1, 2), torch.randn(2, 2), mask)


def case_digress_extra_features():
    inside("DiGress")
    from src.diffusion.extra_features import ExtraFeatures

    edges = torch.nn.functional.one_hot(torch.triu(torch.randint(0, 3, (2, 6, 6)), 1), 3).float()
    edges = edges + edges.transpose(1, 2)
    noisy = {
        "X_t": torch.randn(2, 6, 4),
        "E_t": edges,
        "y_t": torch.rand(2, 1),
        "node_mask": torch.tensor([[True] * 6, [True] * 4 + [False] * 2]),
    }
    return ExtraFeatures("all", SimpleNamespace(max_n_nodes=8)), (noisy,)


def case_digress_schedule():
    inside("DiGress")
    from src.diffusion.noise_schedule import PredefinedNoiseScheduleDiscrete

    return PredefinedNoiseScheduleDiscrete("cosine", 20), (), {"t_normalized": torch.rand(2, 1)}


def case_digress_sampling():
    inside("DiGress")
    from src.diffusion.diffusion_utils import sample_discrete_features

    x, e = torch.rand(2, 6, 4).softmax(-1), torch.rand(2, 6, 6, 3).softmax(-1)
    return sample_discrete_features, (x, e, torch.tensor([[True] * 6, [True] * 4 + [False] * 2]))


def triples(name: str, **options):
    """A model of knowledge graphs."""
    inside("KnowledgeGraphEmbedding", "codes")
    from model import KGEModel

    return KGEModel(name, 30, 5, 8, 6.0, **options), torch.stack(
        [torch.randint(0, top, (4,)) for top in (30, 5, 30)], 1
    )


def case_kge_transe():
    model, sample = triples("TransE")
    return model, (sample,)


def case_kge_rotate_head():
    model, sample = triples("RotatE", double_entity_embedding=True)
    return model, ((sample, torch.randint(0, 30, (4, 6))), "head-batch")


def case_kge_complex_tail():
    model, sample = triples("ComplEx", double_entity_embedding=True, double_relation_embedding=True)
    return model, ((sample, torch.randint(0, 30, (4, 6))), "tail-batch")


def case_kge_protate():
    model, sample = triples("pRotatE")
    return model, (sample,)


def world(discrete, **options):
    """The recurrent state-space model of DreamerV3."""
    inside("dreamerv3-torch")
    from networks import RSSM

    return RSSM(stoch=4, deter=8, hidden=8, discrete=discrete, num_actions=2, embed=8, device="cpu", **options)


def case_dreamer_observe():
    model = world(4)
    return model.observe, (torch.randn(2, 3, 8), torch.randn(2, 3, 2), torch.tensor([[1.0, 0, 0], [1, 0, 0]]))


def case_dreamer_observe_continuous():
    model = world(False, initial="zeros", std_act="sigmoid2")
    return model.observe, (torch.randn(2, 3, 8), torch.randn(2, 3, 2), torch.tensor([[1.0, 0, 0], [1, 0, 0]]))


def case_dreamer_imagine():
    model = world(4)
    return model.imagine_with_action, (
        torch.randn(2, 3, 2),
        {key: value.detach() for key, value in model.initial(2).items()},
    )


def head(dist: str, **options):
    """A head of DreamerV3 and what it is trained on."""
    inside("dreamerv3-torch")
    from networks import MLP

    class Trained(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = MLP(8, options.get("shape", ()), 1, 8, dist=dist, device="cpu", **options.get("more", {}))

        def forward(self, features, wanted):
            found = self.net(features)
            return found.log_prob(wanted), found.mode()

    return Trained(), (torch.randn(2, 3, 8), options.get("wanted", torch.rand(2, 3, 1)))


def case_dreamer_reward():
    return head("symlog_disc", shape=(255,))


def case_dreamer_continue():
    return head("binary", shape=(1,))


def case_dreamer_actor():
    return head("normal", shape=(2,), wanted=torch.rand(2, 3, 2))


def case_dreamer_actor_of_choices():
    return head("onehot", shape=(4,), wanted=torch.eye(4)[torch.randint(0, 4, (2, 3))])


def case_sac_actor():
    inside("pytorch_sac")
    from agent.actor import DiagGaussianActor

    class Policy(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.actor = DiagGaussianActor(5, 2, 16, 2, (-5, 2))

        def forward(self, seen):
            found = self.actor(seen)
            action = found.rsample()
            return action, found.log_prob(action).sum(-1), found.mean

    return Policy(), (torch.randn(4, 5),)


def case_sac_critic():
    inside("pytorch_sac")
    from agent.critic import DoubleQCritic

    return DoubleQCritic(5, 2, 16, 2), (torch.randn(4, 5), torch.randn(4, 2))


class Silent:
    """What diffuser shows its progress with when it shows none."""

    def update(self, *_):
        pass

    def stamp(self, *_):
        pass

    def close(self):
        pass


def plans(**options):
    """The planner of diffuser."""
    inside("diffuser")
    sys.modules["diffuser.environments"] = MagicMock()
    sys.modules["diffuser.utils"] = SimpleNamespace(Silent=Silent, Progress=Silent)
    from diffuser.models.diffusion import GaussianDiffusion
    from diffuser.models.temporal import TemporalUnet

    model = TemporalUnet(8, 6, 4, dim=8, dim_mults=(1, 2), **options)
    return GaussianDiffusion(model, 8, 4, 2, n_timesteps=4, predict_epsilon=False, clip_denoised=True)


def case_diffuser_loss():
    return plans().loss, (torch.randn(2, 8, 6), {0: torch.randn(2, 4)})


def case_diffuser_plan():
    return plans(), ({0: torch.randn(2, 4)},), {"verbose": False}


def case_diffuser_attention():
    return plans(attention=True).model, (torch.randn(2, 8, 6), None, torch.tensor([1, 2]))


def rows(kind="colrow", **options):
    """SAINT on three categories and two numbers, and its embedding of them."""
    inside("saint")
    from augmentations import embed_data_mask
    from models import SAINT

    given = {"num_continuous": 2, "dim": 8, "depth": 1, "heads": 2, "attentiontype": kind, **options}
    model = SAINT(categories=np.array([1, 4, 5]), y_dim=2, **given)

    class Trained(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = model

        def forward(self, categories, numbers, known, present):
            _, first, second = embed_data_mask(categories, numbers, known, present, self.net)
            reps = self.net.transformer(first, second)
            return self.net.mlpfory(reps[:, 0, :]), self.net(first, second)

    categories = torch.stack([torch.zeros(4).long(), torch.randint(0, 4, (4,)), torch.randint(0, 5, (4,))], 1)
    return Trained(), (categories, torch.randn(4, 2), torch.ones(4, 3).long(), torch.ones(4, 2).long())


def case_saint():
    return rows()


def case_saint_columns():
    return rows("col", final_mlp_style="sep")


def case_saint_mixup():
    inside("saint")
    from augmentations import add_noise, mixup_data

    class Noised(torch.nn.Module):
        def forward(self, first, second):
            return mixup_data(first, second, lam=0.3), add_noise(first.long(), second)

    return Noised(), (torch.randint(0, 4, (6, 3)), torch.randn(6, 2))


def case_tabr_embeddings():
    inside("tabular-dl-tabr")
    os.environ["PROJECT_DIR"] = tempfile.gettempdir()
    from lib.deep import PeriodicEmbeddings

    return PeriodicEmbeddings(4, 6, 0.1), (torch.randn(3, 4),)


def case_tabr_one_hot():
    inside("tabular-dl-tabr")
    os.environ["PROJECT_DIR"] = tempfile.gettempdir()
    from lib.deep import OneHotEncoder

    return OneHotEncoder([3, 4]), (torch.randint(0, 3, (5, 2)),)


def clicks(**options):
    """DLRM with two tables."""
    inside("dlrm")
    from dlrm_s_pytorch import DLRM_Net

    given = {
        "m_spa": 4,
        "ln_emb": np.array([10, 12]),
        "ln_bot": np.array([6, 8, 4]),
        "arch_interaction_op": "dot",
        "ln_top": np.array([7, 8, 1]),
        "sigmoid_bot": -1,
        "sigmoid_top": 1,
        **options,
    }
    model = DLRM_Net(**given)
    offsets = torch.arange(3).repeat(2, 1)
    return model, (torch.rand(3, 6), offsets, [torch.randint(0, 10, (3,)), torch.randint(0, 10, (3,))])


def case_dlrm():
    return clicks()


def case_dlrm_concatenated():
    return clicks(arch_interaction_op="cat", ln_top=np.array([12, 8, 1]), loss_threshold=0.1)


def case_dlrm_quotients():
    return clicks(qr_flag=True, qr_collisions=2, qr_threshold=5)


def case_diffdock_smearing():
    inside("DiffDock")
    from models.layers import AtomEncoder, GaussianSmearing

    class Encoded(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.atoms, self.distances = AtomEncoder(8, ([5, 4], 0), 4), GaussianSmearing(0.0, 5.0, 6)

        def forward(self, x, distances):
            return self.atoms(x), self.distances(distances)

    return Encoded(), (torch.cat([torch.randint(0, 4, (7, 2)).float(), torch.randn(7, 4)], 1), torch.rand(7))


def case_diffdock_product():
    inside("DiffDock")
    from models.tensor_layers import FasterTensorProduct

    model = FasterTensorProduct("4x0e + 2x1o + 2x1e + 4x0o", "1x0e + 1x1o", "4x0e + 2x1o + 2x1e + 4x0o")
    count = getattr(model, "weight_numel", 0)
    return model, (torch.randn(5, 20), torch.randn(5, 4), torch.randn(5, count))
