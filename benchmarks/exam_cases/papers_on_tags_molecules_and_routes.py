"""Papers' own code on tagged sentences, molecules, densities, agents and routes."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import absent, inside

absent(
    "wget",
    "lifelines",
    "ujson",
    "DeepPurpose.chemutils",
    "dgl",
    "dgllife",
    "tensorboardX",
    "subword_nmt",
    "conllu",
    "seqeval",
)

PACKAGES = [
    "lstm-crf-pytorch",
    "pytorch_neural_crf",
    "squad",
    "vae-lagging-encoder",
    "scGPT",
    "cgcnn",
    "egnn",
    "e3_diffusion_for_molecules",
    "hgraph2graph",
    "DeepPurpose",
    "diffpool",
    "BNAF",
    "residual-flows",
    "latent_ode",
    "ts2vec",
    "Crossformer",
    "N-BEATS",
    "MAAC",
    "pymarl",
    "MARL-Algorithms",
    "tdmpc2",
    "Popular-RL-Algorithms",
    "attention-learn-to-route",
    "decision-transformer",
    "BERT4Rec-VAE-Pytorch",
    "KD_Lib",
]


# sentences


def case_lstm_crf():
    inside("lstm-crf-pytorch")
    import utils

    utils.randn, utils.zeros = torch.randn, torch.zeros  # what they are where there is a GPU
    from rnn_crf import rnn_crf

    words = torch.tensor([[4, 5, 6], [7, 8, 9], [5, 6, 0], [7, 0, 0]])
    tags = torch.tensor([[1, 1, 1], [4, 5, 6], [5, 6, 4], [4, 5, 0], [6, 0, 0]])
    return rnn_crf({}, dict.fromkeys(range(12)), 7), (None, words, tags)


def case_lstm_crf_encoder():
    model, (_, words, tags) = case_lstm_crf()
    return model.rnn, (None, words, tags[1:].gt(0).float())


def case_lstm_crf_layer():
    inside("lstm-crf-pytorch")
    import utils

    utils.randn, utils.zeros = torch.randn, torch.zeros  # what they are where there is a GPU
    from crf import crf

    tags = torch.tensor([[1, 1, 1], [4, 5, 6], [5, 6, 4], [4, 5, 0]])
    return crf(7), (torch.randn(3, 3, 7), tags, tags[1:].gt(0).float())


LABELS = ["<PAD>", "O", "B-X", "I-X", "<START>", "<STOP>"]


def tagger(**options):
    """A tagger of pytorch_neural_crf."""
    inside("pytorch_neural_crf")
    import transformers

    transformers.AdamW = torch.optim.AdamW
    from src.config import ContextEmb
    from src.model.neuralcrf import NNCRF

    given = {
        "word_embedding": np.random.randn(12, 8).astype("float32"),
        "embedding_dim": 8,
        "static_context_emb": ContextEmb.none,
        "context_emb_size": 0,
        "use_char_rnn": True,
        "char_emb_size": 4,
        "char2idx": dict.fromkeys(range(9)),
        "charlstm_hidden_dim": 6,
        "dropout": 0.1,
        "label_size": len(LABELS),
        "hidden_dim": 8,
        "label2idx": {label: i for i, label in enumerate(LABELS)},
        "add_iobes_constraint": False,
        "idx2labels": LABELS,
        **options,
    }
    words, lengths = torch.randint(1, 12, (3, 5)), torch.tensor([5, 4, 2])
    chars, sizes = torch.randint(1, 9, (3, 5, 4)), torch.randint(1, 5, (3, 5))
    return NNCRF(SimpleNamespace(**given)), (words, lengths, None, chars, sizes, torch.randint(1, 4, (3, 5)))


def case_neural_crf():
    return tagger()


def case_neural_crf_words_only():
    return tagger(use_char_rnn=False)


def case_neural_crf_inferencer():
    model, (_, lengths, _, _, _, labels) = tagger()
    mask = torch.arange(5)[None] < lengths[:, None]
    return model.inferencer, (torch.randn(3, 5, len(LABELS)), lengths, labels, mask)


def case_neural_crf_fast():
    tagger()
    from src.model.module.fast_linear_crf_inferencer import FastLinearCRF

    lengths = torch.tensor([5, 4, 2])
    model = FastLinearCRF(len(LABELS), {label: i for i, label in enumerate(LABELS)}, idx2labels=LABELS)
    return model, (
        torch.randn(3, 5, len(LABELS)),
        lengths,
        torch.randint(1, 4, (3, 5)),
        torch.arange(5)[None] < lengths[:, None],
    )


def case_squad():
    inside("squad")
    from models import BiDAF

    return BiDAF(torch.randn(12, 8), 6, 0.1), (torch.randint(1, 12, (2, 7)), torch.randint(1, 12, (2, 4)))


def lagging(module, name, *options, given, **more):
    """A part of vae-lagging-encoder."""
    inside("vae-lagging-encoder")
    small = {
        "ni": 6,
        "enc_nh": 6,
        "dec_nh": 6,
        "nz": 4,
        "kernel_num": 3,
        "kernel_sizes": [2, 3],
        "cnn_dropout": 0.1,
        "mix_num": 2,
        "img_size": [1, 28, 28],
        "enc_layers": [8, 8],
        "dec_layers": [8, 8],
        "dec_kernel_size": [7, 7],
        "latent_feature_map": 2,
        "dec_dropout_in": 0.1,
        "dec_dropout_out": 0.1,
        "device": torch.device("cpu"),
    }
    made = getattr(importlib.import_module(f"modules.{module}"), name)
    return made(SimpleNamespace(**small), *options, **more), given


def start(parameter):
    """Where parameters start."""
    torch.nn.init.uniform_(parameter, -0.1, 0.1)


def case_lagging_lstm():
    return lagging("encoders.enc_lstm", "LSTMEncoder", 12, start, start, given=(torch.randint(0, 12, (3, 6)),))


def case_lagging_variable():
    sentences = torch.randint(0, 12, (3, 6)), torch.tensor([6, 4, 2])
    return lagging("encoders.enc_lstm", "VarLSTMEncoder", 12, start, start, given=(sentences,))


def case_lagging_images():
    return lagging("encoders.enc_resnet_v2", "ResNetEncoderV2", given=(torch.rand(2, 1, 28, 28),))


def case_lagging_pixels():
    return lagging("decoders.dec_pixelcnn_v2", "PixelCNNDecoderV2", mode="small", given=(torch.rand(1, 3, 28, 28),))


def scgpt(**options):
    """A small model of cells."""
    inside("scGPT")
    absent(
        "scanpy",
        "anndata",
        "flash_attn",
        "torchtext",
        "scgpt.tokenizer",
        "scgpt.data_collator",
        "scgpt.scbank",
        "scgpt.data_sampler",
        "scgpt.preprocess",
        "scgpt.tasks",
        "scgpt.utils",
        "scgpt.trainer",
        "scgpt.loss",
    )
    from scgpt.model.model import TransformerModel

    genes, values = torch.randint(0, 10, (2, 7)), torch.rand(2, 7)
    model = TransformerModel(
        12, 16, 2, 16, 1, vocab={"<pad>": 11, "<cls>": 10}, use_fast_transformer=False, dropout=0.1, **options
    )
    return model, (genes, values, genes.eq(11))


def case_scgpt():
    return scgpt()


def case_scgpt_all_losses():
    model, given = scgpt(do_mvc=True, n_cls=3)
    return model, given, {"CLS": True, "CCE": True, "MVC": True, "ECS": True}


def case_scgpt_batches():
    model, given = scgpt(do_dab=True, use_batch_labels=True, num_batch_labels=2, domain_spec_batchnorm=True)
    return model, given, {"batch_labels": torch.tensor([0, 1])}


def case_bert4rec():
    inside("BERT4Rec-VAE-Pytorch")
    from models.bert import BERTModel

    args = SimpleNamespace(
        model_init_seed=0,
        bert_max_len=8,
        num_items=10,
        bert_num_blocks=1,
        bert_num_heads=2,
        bert_hidden_units=8,
        bert_dropout=0.1,
    )
    return BERTModel(args), (torch.randint(0, 10, (2, 8)),)


def case_bert4rec_vae():
    inside("BERT4Rec-VAE-Pytorch")
    from models.vae import VAEModel

    args = SimpleNamespace(vae_latent_dim=4, vae_dropout=0.1, vae_hidden_dim=8, vae_num_hidden=1, num_items=10)
    return VAEModel(args), (torch.rand(3, 10),)


# molecules


def case_cgcnn():
    inside("cgcnn")
    from cgcnn.model import CrystalGraphConvNet

    atoms, near = torch.randn(7, 5), torch.randint(0, 7, (7, 4))
    return CrystalGraphConvNet(5, 6, 8, 2, 8, classification=True), (
        atoms,
        torch.randn(7, 4, 6),
        near,
        [torch.arange(3), torch.arange(3, 7)],
    )


EDGES = [torch.tensor([0, 0, 1, 2, 3, 4]), torch.tensor([1, 2, 0, 3, 4, 0])]


def case_egnn_clean():
    inside("egnn")
    from models.egnn_clean.egnn_clean import EGNN

    model = EGNN(4, 8, 3, in_edge_nf=1, n_layers=2, attention=True, normalize=True, tanh=True)
    return model, (torch.randn(5, 4), torch.randn(5, 3), EDGES, torch.ones(6, 1))


def case_egnn_velocity():
    inside("egnn")
    from n_body_system.model import EGNN_vel

    model = EGNN_vel(1, 2, 8, n_layers=2, recurrent=True, norm_diff=True)
    return model, (torch.randn(5, 1), torch.randn(5, 3), EDGES, torch.randn(5, 3), torch.randn(6, 2))


def case_egnn_gnn():
    inside("egnn")
    from n_body_system.model import GNN

    return GNN(6, 8, n_layers=2, recurrent=True), (torch.randn(5, 6), EDGES, torch.randn(6, 1))


def case_egnn_qm9():
    inside("egnn")
    from qm9.models import EGNN

    model = EGNN(4, 0, 8, n_layers=2, attention=True, node_attr=1)
    nodes = torch.randn(6, 4)
    edges = [EDGES[0], EDGES[1]]
    return model, (nodes, torch.randn(6, 3), edges, None, torch.ones(6, 1), torch.ones(6, 1), 3)


def diffusion(**options):
    """The equivariant diffusion of molecules."""
    inside("e3_diffusion_for_molecules")
    from egnn.models import EGNN_dynamics_QM9
    from equivariant_diffusion.en_diffusion import EnVariationalDiffusion

    dynamics = EGNN_dynamics_QM9(
        7, 0, 3, hidden_nf=8, n_layers=1, attention=True, mode=options.pop("mode", "egnn_dynamics")
    )
    given = {"timesteps": 10, "noise_schedule": "polynomial_2", "loss_type": "l2", "norm_values": (1.0, 4.0, 1.0)}
    model = EnVariationalDiffusion(dynamics, 6, 3, **{**given, **options})
    mask = torch.ones(2, 4, 1)
    x = torch.randn(2, 4, 3)
    x = x - x.mean(1, keepdim=True)
    kinds = torch.nn.functional.one_hot(torch.randint(0, 5, (2, 4)), 5).float()
    pairs = (1 - torch.eye(4)).repeat(2, 1, 1).view(-1, 1)
    return model, (x, {"categorical": kinds, "integer": torch.randint(1, 9, (2, 4, 1)).float()}, mask, pairs)


def case_e3_diffusion():
    return diffusion()


def case_e3_diffusion_learned():
    return diffusion(noise_schedule="learned", loss_type="vlb")


def case_e3_diffusion_gnn():
    return diffusion(mode="gnn_dynamics")


def hgraph_vectors():
    """Nodes, messages and who is next to whom."""
    neighbours = torch.tensor([[0, 0], [1, 2], [2, 0], [3, 1]])
    return torch.randn(4, 6), torch.randn(4, 5), neighbours, neighbours


def case_hgraph_encoder():
    inside("hgraph2graph")
    from hgraph.encoder import MPNEncoder

    return MPNEncoder("GRU", 5, 6, 8, 2, 0.1), hgraph_vectors()


def case_hgraph_encoder_lstm():
    inside("hgraph2graph")
    from hgraph.encoder import MPNEncoder

    return MPNEncoder("LSTM", 5, 6, 8, 2, 0.1), hgraph_vectors()


def case_deeppurpose_transformer():
    inside("DeepPurpose")
    from DeepPurpose.encoders import transformer

    small = {
        "input_dim_drug": 20,
        "transformer_emb_size_drug": 8,
        "transformer_dropout_rate": 0.1,
        "transformer_n_layer_drug": 1,
        "transformer_intermediate_size_drug": 8,
        "transformer_num_attention_heads_drug": 2,
        "transformer_attention_probs_dropout": 0.1,
        "transformer_hidden_dropout_rate": 0.1,
    }
    return transformer("drug", **small), ((torch.randint(0, 20, (2, 50)).double(), torch.ones(2, 50).double()),)


DRUGS = {"cnn_drug_filters": [4, 8], "cnn_drug_kernels": [4, 6], "hidden_dim_drug": 8}


def case_deeppurpose_cnn():
    inside("DeepPurpose")
    from DeepPurpose.encoders import CNN

    return CNN("drug", **DRUGS), (torch.rand(2, 63, 100),)


def case_deeppurpose_cnn_rnn():
    inside("DeepPurpose")
    from DeepPurpose.encoders import CNN_RNN

    more = {
        "rnn_Use_GRU_LSTM_drug": "LSTM",
        "rnn_drug_hid_dim": 4,
        "rnn_drug_n_layers": 1,
        "rnn_drug_bidirectional": True,
    }
    return CNN_RNN("drug", **DRUGS, **more), (torch.rand(2, 63, 100),)


def case_deeppurpose_mpnn():
    import sys

    inside("DeepPurpose")
    from DeepPurpose.encoders import MPNN

    sys.modules["DeepPurpose.chemutils"] = SimpleNamespace(ATOM_FDIM=39, BOND_FDIM=11)
    model = MPNN(8, 2)
    atoms, bonds = torch.randn(2, 5, 39), torch.randn(2, 6, 50)
    near, next_to = torch.randint(0, 3, (2, 5, 6)), torch.randint(0, 3, (2, 6, 6))
    return model, ((atoms, bonds, near, next_to, torch.tensor([[[5.0], [6.0]], [[4.0], [5.0]]])),)


def case_diffpool_gcn():
    inside("diffpool")
    from encoders import GcnEncoderGraph

    return GcnEncoderGraph(4, 8, 8, 3, 3), (torch.randn(2, 6, 4), torch.rand(2, 6, 6)), {"batch_num_nodes": [6, 4]}


def case_diffpool_soft():
    inside("diffpool")
    from encoders import SoftPoolingGcnEncoder

    model = SoftPoolingGcnEncoder(6, 4, 8, 8, 3, 3, 8, assign_ratio=0.5)
    return model, (torch.randn(2, 6, 4), torch.rand(2, 6, 6), [6, 4]), {"assign_x": torch.randn(2, 6, 4)}


def case_diffpool_set2set():
    inside("diffpool")
    from set2set import Set2Set

    return Set2Set(4, 8), (torch.randn(2, 6, 4),)


# densities


def case_bnaf():
    inside("BNAF")
    from bnaf import BNAF, MaskedWeight, Permutation, Sequential, Tanh

    flow = BNAF(MaskedWeight(2, 8, dim=2), Tanh(), MaskedWeight(8, 2, dim=2), res="gated")
    return Sequential(flow, Permutation(2, "flip"), BNAF(MaskedWeight(2, 2, dim=2), Tanh())), (torch.randn(5, 2),)


def case_residual_flow_actnorm():
    inside("residual-flows")
    from resflows.layers import ActNorm1d

    return ActNorm1d(3), (torch.randn(4, 3), torch.zeros(4, 1))


def case_residual_flow_batch_norm():
    inside("residual-flows")
    from resflows.layers import MovingBatchNorm1d

    return MovingBatchNorm1d(3), (torch.randn(4, 3), torch.zeros(4, 1))


def case_residual_flow_coupling():
    inside("residual-flows")
    from resflows.layers import CouplingBlock

    net = torch.nn.Linear(2, 4)
    return CouplingBlock(4, net, swap=True), (torch.randn(4, 4), torch.zeros(4, 1))


# series


def ode_parts():
    """The solver that latent_ode hands around."""
    absent("torchdiffeq")
    inside("latent_ode")
    import lib.diffeq_solver as solver
    from lib.ode_func import ODEFunc

    solver.odeint = lambda function, first, times, **_: torch.stack(
        [first + (time - times[0]) * function(times[0], first) for time in times]
    )
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 4))
    return solver.DiffeqSolver(3, ODEFunc(3, 4, net), "euler", 4)


def case_latent_ode_encoder():
    solver = ode_parts()
    from lib.encoder_decoder import Encoder_z0_ODE_RNN

    model = Encoder_z0_ODE_RNN(4, 6, z0_diffeq_solver=solver, n_gru_units=8)
    data = torch.cat([torch.randn(2, 5, 3), torch.ones(2, 5, 3)], -1)
    return model, (data, torch.linspace(0, 1, 5))


def case_latent_ode_rnn_encoder():
    ode_parts()
    from lib.encoder_decoder import Encoder_z0_RNN

    return Encoder_z0_RNN(4, 6, 8), (torch.randn(2, 5, 6), torch.linspace(0, 1, 5))


def case_latent_ode_gru():
    ode_parts()
    from lib.encoder_decoder import GRU_unit

    x = torch.cat([torch.randn(1, 2, 3), torch.ones(1, 2, 3)], -1)
    return GRU_unit(4, 6, n_units=8), (torch.randn(1, 2, 4), torch.rand(1, 2, 4), x)


def case_latent_ode_solver():
    return ode_parts(), (torch.randn(1, 2, 4), torch.linspace(0, 1, 5))


def case_latent_ode_decay():
    ode_parts()
    from lib.rnn_baselines import GRUCellExpDecay

    return GRUCellExpDecay(6, 3, 4, torch.device("cpu")), (torch.randn(2, 9), torch.randn(2, 4))


def case_ts2vec():
    inside("ts2vec")
    from models.encoder import TSEncoder

    return TSEncoder(3, 8, 8, 2), (torch.randn(2, 10, 3),)


def case_ts2vec_continuous():
    inside("ts2vec")
    from models.encoder import TSEncoder

    return TSEncoder(3, 8, 8, 2, mask_mode="continuous"), (torch.randn(2, 10, 3),)


def case_crossformer():
    inside("Crossformer")
    from cross_models.cross_former import Crossformer

    model = Crossformer(3, 22, 8, 4, win_size=2, factor=3, d_model=8, d_ff=8, n_heads=2, e_layers=2, baseline=True)
    return model, (torch.randn(2, 22, 3),)


def case_nbeats():
    inside("N-BEATS")
    np.float = float
    from models.nbeats import GenericBasis, NBeats, NBeatsBlock, SeasonalityBasis, TrendBasis

    blocks = [
        NBeatsBlock(10, 14, GenericBasis(10, 4), 2, 8),
        NBeatsBlock(10, 6, TrendBasis(2, 10, 4), 2, 8),
        NBeatsBlock(10, 8, SeasonalityBasis(1, 10, 4), 2, 8),
    ]
    return NBeats(torch.nn.ModuleList(blocks[:2])), (torch.randn(3, 10), torch.ones(3, 10))


# agents and routes


def case_maac_critic():
    inside("MAAC")
    from utils.critics import AttentionCritic

    given = [(torch.randn(4, 5), torch.nn.functional.one_hot(torch.randint(0, 3, (4,)), 3).float()) for _ in range(2)]
    return AttentionCritic([(5, 3), (5, 3)], 8, attend_heads=2), (given,), {"return_all_q": True, "regularize": True}


def case_maac_policy():
    inside("MAAC")
    from utils.policies import DiscretePolicy

    return DiscretePolicy(5, 3, hidden_dim=8), (torch.randn(4, 5),)


def case_maac_policy_everything():
    model, given = case_maac_policy()
    every = {"return_all_probs": True, "return_log_pi": True, "regularize": True, "return_entropy": True}
    return model, given, every


SMAC = {
    "n_agents": 3,
    "n_actions": 4,
    "state_shape": 6,
    "obs_shape": 5,
    "rnn_hidden_dim": 8,
    "mixing_embed_dim": 8,
    "qtran_arch": "qtran_paper",
    "network_size": "small",
    "qtran_hidden_dim": 8,
    "critic_dim": 8,
    "attention_dim": 4,
    "hard": True,
    "cuda": False,
    "k": 2,
    "noise_dim": 2,
    "hyper_hidden_dim": 8,
    "qmix_hidden_dim": 8,
    "two_hyper_layers": True,
    "last_action": True,
    "reuse_network": True,
}


class Episodes(dict):
    """A batch of episodes, as pymarl keeps them."""

    batch_size, max_seq_length, device = 2, 3, torch.device("cpu")


def episodes():
    """Three agents, two episodes of three steps."""
    actions = torch.nn.functional.one_hot(torch.randint(0, 4, (2, 3, 3)), 4).float()
    return Episodes(state=torch.randn(2, 3, 6), obs=torch.randn(2, 3, 3, 5), actions_onehot=actions)


def case_pymarl_qmix():
    inside("pymarl", "src")
    from modules.mixers.qmix import QMixer

    return QMixer(SimpleNamespace(**SMAC)), (torch.randn(2, 3, 3), torch.randn(2, 3, 6))


def case_pymarl_coma():
    inside("pymarl", "src")
    from modules.critics.coma import COMACritic

    shapes = {"state": {"vshape": 6}, "obs": {"vshape": 5}, "actions_onehot": {"vshape": (4,)}}
    return COMACritic(shapes, SimpleNamespace(**SMAC)), (episodes(),)


def case_pymarl_qtran():
    inside("pymarl", "src")
    from modules.mixers.qtran import QTranBase

    return QTranBase(SimpleNamespace(**SMAC)), (episodes(), torch.randn(2, 3, 3, 8))


def case_pymarl_agent():
    inside("pymarl", "src")
    from modules.agents.rnn_agent import RNNAgent

    return RNNAgent(5, SimpleNamespace(**SMAC)), (torch.randn(6, 5), torch.zeros(6, 8))


def case_marl_g2anet():
    inside("MARL-Algorithms")
    from network.g2anet import G2ANet

    return G2ANet(5, SimpleNamespace(**SMAC)), (torch.randn(6, 5), torch.zeros(6, 8))


def case_marl_commnet():
    inside("MARL-Algorithms")
    from network.commnet import CommNet

    return CommNet(5, SimpleNamespace(**SMAC)), (torch.randn(6, 5), torch.zeros(6, 8))


def case_marl_maven():
    inside("MARL-Algorithms")
    from network.maven_net import BootstrappedRNN

    return BootstrappedRNN(8, SimpleNamespace(**SMAC)), (torch.randn(6, 8), torch.zeros(6, 8), torch.randn(6, 2))


def case_marl_qmix():
    inside("MARL-Algorithms")
    from network.qmix_net import QMixNet

    return QMixNet(SimpleNamespace(**SMAC)), (torch.randn(2, 3, 3), torch.randn(2, 3, 6))


def case_tdmpc_shift():
    inside("tdmpc2", "tdmpc2")
    from common.layers import ShiftAug

    return ShiftAug(), (torch.rand(2, 3, 16, 16),)


def case_tdmpc_ensemble():
    inside("tdmpc2", "tdmpc2")
    from common.layers import Ensemble, mlp

    return Ensemble([mlp(5, [8], 3) for _ in range(3)]), (torch.randn(4, 5),)


def case_tdmpc_simnorm():
    inside("tdmpc2", "tdmpc2")
    from common.layers import SimNorm, mlp

    return mlp(5, [8], 8, act=SimNorm(SimpleNamespace(simnorm_dim=4))), (torch.randn(4, 5),)


class Box:
    """A space, of observations or actions."""

    def __init__(self, size):
        self.shape = (size,)
        self.n = size
        self.high, self.low = np.ones(size), -np.ones(size)


def popular(module, name, *given, **options):
    """A network of Popular-RL-Algorithms."""
    inside("Popular-RL-Algorithms")
    absent("gym", "reacher", "matplotlib")
    made = getattr(importlib.import_module(f"common.{module}"), name)
    return made(Box(5), Box(2), 8, **options), given


def case_popular_dpg():
    return popular("policy_networks", "DPG_PolicyNetwork", torch.randn(4, 5))


def case_popular_dpg_lstm():
    hidden = torch.zeros(1, 3, 8), torch.zeros(1, 3, 8)
    return popular("policy_networks", "DPG_PolicyNetworkLSTM", torch.randn(3, 6, 5), torch.randn(3, 6, 2), hidden)


def case_popular_sac_gru():
    return popular(
        "policy_networks", "SAC_PolicyNetworkGRU", torch.randn(3, 6, 5), torch.randn(3, 6, 2), torch.zeros(1, 3, 8)
    )


def case_popular_q_gru():
    return popular(
        "value_networks",
        "QNetworkGRU",
        torch.randn(3, 6, 5),
        torch.randn(3, 6, 2),
        torch.randn(3, 6, 2),
        torch.zeros(1, 3, 8),
    )


def routes(problem, decode="greedy", kind="attention", **options):
    """A model that learns to route."""
    inside("attention-learn-to-route")
    module = importlib.import_module(f"problems.{problem}.problem_{'vrp' if 'vrp' in problem else problem}")
    name = {"tsp": "TSP", "vrp": "CVRP", "op": "OP", "pctsp": "PCTSPDet"}[problem]
    given = torch.rand(2, 5, 2)
    if problem == "vrp":
        given = {"loc": given, "depot": torch.rand(2, 2), "demand": torch.rand(2, 5) / 3}
    if problem == "op":
        given = {
            "loc": given,
            "depot": torch.rand(2, 2),
            "prize": torch.rand(2, 5),
            "max_length": torch.tensor([2.0, 2.0]),
        }
    if problem == "pctsp":
        given = {
            "loc": given,
            "depot": torch.rand(2, 2),
            "penalty": torch.rand(2, 5),
            "deterministic_prize": torch.rand(2, 5),
            "stochastic_prize": torch.rand(2, 5),
        }
    if kind == "attention":
        from nets.attention_model import AttentionModel

        model = AttentionModel(16, 16, getattr(module, name), n_encode_layers=1, n_heads=2, **options)
    else:
        from nets.pointer_network import PointerNetwork

        model = PointerNetwork(16, 16, getattr(module, name), **options)
    model.set_decode_type(decode)
    return model, (given,)


def case_routes_tsp():
    return routes("tsp")


def case_routes_tsp_sampling():
    return routes("tsp", "sampling", normalization="instance")


def case_routes_vrp():
    return routes("vrp")


def case_routes_op():
    return routes("op")


def case_routes_pctsp():
    return routes("pctsp")


def case_routes_critic():
    inside("attention-learn-to-route")
    from nets.pointer_network import CriticNetworkLSTM

    return CriticNetworkLSTM(16, 16, 2, 10.0, True), (torch.rand(2, 5, 2).mean(2, keepdim=True).expand(2, 5, 16),)


def case_decision_transformer():
    inside("decision-transformer", "gym")
    import transformers.modeling_utils
    from transformers.pytorch_utils import Conv1D

    transformers.modeling_utils.Conv1D = Conv1D
    from decision_transformer.models.decision_transformer import DecisionTransformer

    model = DecisionTransformer(4, 2, 16, n_layer=1, n_head=2, n_inner=16)
    states, actions, rewards = torch.randn(2, 5, 4), torch.randn(2, 5, 2), torch.randn(2, 5, 1)
    return model, (states, actions, None, rewards, torch.randint(0, 9, (2, 5)))


def case_decision_behaviour():
    inside("decision-transformer", "gym")
    from decision_transformer.models.mlp_bc import MLPBCModel

    return MLPBCModel(4, 2, 8, 2, max_length=3), (torch.randn(2, 5, 4), None, None)


def case_kd_lib_lstm():
    inside("KD_Lib")
    from KD_Lib.models.lstm import LSTMNet

    return LSTMNet(12, 6, 6, num_layers=2), (torch.randint(1, 12, (3, 5)), torch.tensor([5, 4, 2]))


def case_kd_lib_resnet():
    inside("KD_Lib")
    from KD_Lib.models.resnet import ResNet18

    return ResNet18([4, 4, 8, 8, 8]), (torch.rand(2, 3, 32, 32),)
