"""Models of patients, tables, forecasts, posteriors, molecules and agents, of packages."""

from __future__ import annotations

import importlib
from argparse import Namespace

import numpy as np
import torch
from exam_surroundings import absent

absent(
    "torchaudio",
    "pandarallel",
    "cuik_molmaker",
    "mamba_ssm",
    "pretab",
    "natsort",
    "gym",
    "ray",
    "tensorboardX",
    "wandb",
    "mne",
)

import gymnasium  # noqa: E402
import mace.modules as mace  # noqa: E402
import multivae.models as multivae  # noqa: E402
import sb3_contrib  # noqa: E402
from chemprop.nn.agg import AttentiveAggregation, MeanAggregation, NormAggregation  # noqa: E402
from chemprop.nn.metrics import BinaryMCCMetric, BoundedMSE  # noqa: E402
from chemprop.nn.predictors import EvidentialFFN, MulticlassClassificationFFN, MveFFN  # noqa: E402
from chronos.chronos2 import Chronos2Model  # noqa: E402
from chronos.chronos2.config import Chronos2CoreConfig  # noqa: E402
from chronos.chronos_bolt import ChronosBoltModelForForecasting  # noqa: E402
from e3nn import o3  # noqa: E402
from momentfm.models.moment import MOMENT  # noqa: E402
from multivae.data.datasets.base import IncompleteDataset, MultimodalBaseDataset  # noqa: E402
from rl_games.algos_torch.models import ModelA2C, ModelA2CContinuousLogStd  # noqa: E402
from rl_games.algos_torch.network_builder import A2CBuilder  # noqa: E402
from rl_games.algos_torch.running_mean_std import RunningMeanStd  # noqa: E402
from rl_games.algos_torch.spatial_softmax import SpatialSoftArgmax  # noqa: E402
from rsl_rl.models import CNNModel, MLPModel, RNNModel  # noqa: E402
from rsl_rl.modules.normalization import (  # noqa: E402
    EmpiricalDiscountedVariationNormalization,
    EmpiricalNormalization,
)
from sbi.neural_nets import embedding_nets  # noqa: E402
from sbi.neural_nets.net_builders import build_maf, build_mdn, build_mlp_classifier, build_nsf  # noqa: E402
from sbi.neural_nets.net_builders.mixed_nets import build_mnle  # noqa: E402
from tabicl._model.tabicl import TabICL  # noqa: E402
from tensordict import TensorDict  # noqa: E402
from tirex.models.tirex import TiRexZero  # noqa: E402
from transformers import T5Config  # noqa: E402

PACKAGES = [
    "pyhealth",
    "multivae",
    "sbi",
    "tabicl",
    "chronos",
    "momentfm",
    "tirex",
    "rsl_rl",
    "sb3_contrib",
    "rl_games",
    "chemprop",
    "mace",
]


def visits(name: str, *options, given=None, **more):
    """A layer of pyhealth and the visits of three patients."""
    kind = getattr(importlib.import_module(f"pyhealth.models.{name.removesuffix('Layer').lower()}"), name)
    return kind(*options, **more), given if given is not None else (torch.randn(3, 12, 8),)


KNOWN = torch.tensor([[1] * 12, [1] * 9 + [0] * 3, [1] * 4 + [0] * 8])


def case_pyhealth_adacare():
    return visits("AdaCareLayer", 8, hidden_dim=8, kernel_num=4)


def case_pyhealth_adacare_masked():
    return visits(
        "AdaCareLayer",
        8,
        hidden_dim=8,
        kernel_num=4,
        activation="sparsemax",
        rnn_type="lstm",
        given=(torch.randn(3, 12, 8), KNOWN),
    )


def case_pyhealth_agent():
    return visits("AgentLayer", 8, n_units=8, n_hidden=8)


def case_pyhealth_agent_lstm():
    return visits(
        "AgentLayer",
        8,
        static_dim=4,
        cell="lstm",
        n_units=8,
        n_hidden=8,
        given=(torch.randn(3, 12, 8), torch.randn(3, 4), KNOWN),
    )


def case_pyhealth_concare():
    return visits("ConCareLayer", 8, hidden_dim=8, pe_hidden=8)


def case_pyhealth_concare_masked():
    return visits(
        "ConCareLayer",
        8,
        static_dim=4,
        hidden_dim=8,
        pe_hidden=8,
        given=(torch.randn(3, 12, 8), torch.randn(3, 4), KNOWN),
    )


def case_pyhealth_stagenet():
    return visits("StageNetLayer", 8, chunk_size=8, levels=2)


def case_pyhealth_stagenet_with_times():
    return visits(
        "StageNetLayer", 8, chunk_size=8, levels=2, given=(torch.randn(3, 12, 8), torch.rand(3, 12, 1), KNOWN)
    )


def case_pyhealth_deepr():
    return visits("DeeprLayer", 8, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_retain():
    return visits("RETAINLayer", 8)


def case_pyhealth_retain_masked():
    return visits("RETAINLayer", 8, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_rnn():
    return visits("RNNLayer", 8, 8, rnn_type="LSTM", bidirectional=True, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_rnn_unmasked():
    return visits("RNNLayer", 8, 8)


def case_pyhealth_cnn():
    return visits("CNNLayer", 8, 8)


def case_pyhealth_tcn():
    return visits("TCNLayer", 8, 8, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_transformer():
    return visits("TransformerLayer", 8, heads=2, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_micron():
    return visits("MICRONLayer", 8, 8, 6, given=(torch.randn(3, 12, 8), torch.randint(0, 2, (3, 6)).float(), KNOWN))


def case_pyhealth_grasp():
    return visits("GRASPLayer", 8, hidden_dim=8, cluster_num=2, block="GRU")


def case_pyhealth_gamenet():
    queries, before = torch.randn(3, 5, 8), torch.randint(0, 2, (3, 5, 6)).float()
    return visits(
        "GAMENetLayer",
        8,
        torch.rand(6, 6),
        torch.rand(6, 6),
        given=(queries, before, torch.randint(0, 2, (3, 6)).float()),
    )


def case_pyhealth_safedrug():
    molecules = [(torch.randint(0, 10, (4,)), torch.rand(4, 4), 4), (torch.randint(0, 10, (3,)), torch.rand(3, 3), 3)]
    given = (torch.randn(3, 5, 8), torch.randint(0, 2, (3, 6)).float())
    return visits(
        "SafeDrugLayer",
        8,
        torch.randint(0, 2, (6, 7)).float(),
        torch.rand(6, 6),
        10,
        molecules,
        torch.rand(6, 2),
        given=given,
    )


def modalities(name: str, config, *, partly=False, **options):
    """A model of multivae and a batch of two modalities."""
    model = getattr(multivae, name)(
        getattr(multivae, config)(n_modalities=2, latent_dim=4, input_dims={"a": (6,), "b": (1, 8, 8)}, **options)
    )
    data = {"a": torch.rand(3, 6), "b": torch.rand(3, 1, 8, 8)}
    if partly:
        return model, (
            IncompleteDataset(data, {"a": torch.tensor([1, 0, 1]).bool(), "b": torch.tensor([1, 1, 0]).bool()}),
        )
    return model, (MultimodalBaseDataset(data),)


def case_multivae_mvae():
    return modalities("MVAE", "MVAEConfig")


def case_multivae_mvae_incomplete():
    return modalities("MVAE", "MVAEConfig", partly=True)


def case_multivae_mmvae():
    return modalities("MMVAE", "MMVAEConfig", K=2)


def case_multivae_mmvae_incomplete():
    return modalities("MMVAE", "MMVAEConfig", K=2, partly=True)


def case_multivae_mopoe():
    return modalities("MoPoE", "MoPoEConfig")


def case_multivae_mopoe_incomplete():
    return modalities("MoPoE", "MoPoEConfig", partly=True)


def case_multivae_jmvae():
    return modalities("JMVAE", "JMVAEConfig")


def case_multivae_telbo():
    return modalities("TELBO", "TELBOConfig")


def case_multivae_mvtcae():
    return modalities("MVTCAE", "MVTCAEConfig")


def case_multivae_crmvae():
    return modalities("CRMVAE", "CRMVAEConfig")


def case_multivae_mmvae_plus():
    return modalities("MMVAEPlus", "MMVAEPlusConfig", modalities_specific_dim=2, K=2)


def case_multivae_dmvae():
    return modalities("DMVAE", "DMVAEConfig", modalities_specific_dim={"a": 2, "b": 2})


MIXED = torch.cat([torch.randn(20, 1), torch.arange(20).reshape(20, 1) % 3], 1)


class Mixture(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_mdn(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8, num_components=3)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_mdn():
    return Mixture(), (torch.randn(5, 2), torch.randn(5, 3))


class Maf(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_maf(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8, num_transforms=2)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_maf():
    return Maf(), (torch.randn(5, 2), torch.randn(5, 3))


class Nsf(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_nsf(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8, num_transforms=2)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_nsf():
    return Nsf(), (torch.randn(5, 2), torch.randn(5, 3))


class Mixed(torch.nn.Module):
    """What an estimator of sbi is trained on."""

    def __init__(self):
        super().__init__()
        self.net = build_mnle(MIXED, torch.randn(20, 3), hidden_features=8)

    def forward(self, x, y):
        return self.net.loss(x, y)


def case_sbi_mnle():
    return Mixed(), (MIXED[:5], torch.randn(5, 3))


def case_sbi_classifier():
    return build_mlp_classifier(torch.randn(20, 2), torch.randn(20, 3), hidden_features=8), (
        torch.randn(5, 2),
        torch.randn(5, 3),
    )


def case_sbi_cnn():
    return embedding_nets.CNNEmbedding((16, 16), output_dim=4), (torch.randn(3, 1, 16, 16),)


def case_sbi_sets():
    inner = embedding_nets.FCEmbedding(4, output_dim=5)
    x = torch.randn(3, 6, 4)
    x[1, 4:] = float("nan")
    return embedding_nets.PermutationInvariantEmbedding(inner, 5, output_dim=4), (x,)


def case_sbi_causal():
    return embedding_nets.CausalCNNEmbedding((32,), num_conv_layers=2, pool_kernel_size=4, output_dim=4), (
        torch.randn(3, 32),
    )


def case_sbi_transformer():
    return embedding_nets.TransformerEmbedding(
        feature_space_dim=8, num_attention_heads=2, num_key_value_heads=2, head_dim=4, final_emb_dimension=4
    ), (torch.randn(3, 6, 8),)


def case_sbi_lru():
    return embedding_nets.LRUEmbedding(input_dim=4, output_dim=4, state_dim=6, hidden_dim=6, num_blocks=1), (
        torch.randn(3, 8, 4),
    )


def case_sbi_resnet():
    return embedding_nets.ResNetEmbedding1D(8, 4), (torch.randn(3, 8),)


def table():
    """TabICL and four tables of twelve rows."""
    return TabICL(
        max_classes=3,
        embed_dim=16,
        col_num_blocks=1,
        col_nhead=2,
        col_num_inds=4,
        row_num_blocks=1,
        row_nhead=2,
        row_num_cls=2,
        icl_num_blocks=1,
        icl_nhead=2,
    )


def case_tabicl():
    model = table()
    return model, (torch.randn(2, 12, 5), torch.tensor([0.0, 1, 2, 0, 1, 2, 0, 1]).repeat(2, 1))


def bolt():
    """Chronos-Bolt, small."""
    config = T5Config(
        d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, vocab_size=4, decoder_start_token_id=0, pad_token_id=0
    )
    config.chronos_config = {
        "context_length": 32,
        "prediction_length": 16,
        "input_patch_size": 8,
        "input_patch_stride": 8,
        "quantiles": [0.1, 0.5, 0.9],
        "use_reg_token": True,
    }
    return ChronosBoltModelForForecasting(config)


def case_chronos_bolt():
    return bolt(), (torch.randn(2, 30),)


def case_chronos_bolt_long_with_target():
    return bolt(), (torch.randn(2, 40), torch.rand(2, 40) > 0.1, torch.randn(2, 12))


def second(**options):
    """Chronos-2, small."""
    config = Chronos2CoreConfig(
        d_model=16,
        d_kv=8,
        d_ff=16,
        num_layers=1,
        num_heads=2,
        vocab_size=4,
        chronos_config={
            "context_length": 32,
            "output_patch_size": 8,
            "input_patch_size": 8,
            "input_patch_stride": 8,
            "quantiles": [0.1, 0.5, 0.9],
            "use_reg_token": True,
            "use_arcsinh": True,
            "max_output_patches": 4,
        },
    )
    return Chronos2Model(config)


def case_chronos_2():
    return second(), (torch.randn(3, 30),), {"num_output_patches": 2}


def case_chronos_2_groups():
    given = {"group_ids": torch.tensor([0, 0, 1]), "future_covariates": torch.randn(3, 16), "num_output_patches": 2}
    return second(), (torch.randn(3, 40),), given


def moment(task: str, **options):
    """MOMENT, small, for a task."""
    given = {
        "task_name": task,
        "seq_len": 64,
        "patch_len": 8,
        "patch_stride_len": 8,
        "d_model": 16,
        "n_channels": 2,
        "transformer_backbone": "google/flan-t5-small",
        "transformer_type": "encoder_only",
        "randomly_initialize_backbone": True,
        "t5_config": {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "vocab_size": 8},
        "num_class": 3,
        "forecast_horizon": 12,
        "device": "cpu",
        "enable_gradient_checkpointing": False,
        "mask_ratio": 0.3,
        **options,
    }
    return MOMENT(Namespace(**given))


def case_moment_reconstruction():
    return moment("reconstruction"), (), {"x_enc": torch.randn(2, 2, 64)}


def case_moment_embedding():
    return moment("embedding"), (), {"x_enc": torch.randn(2, 2, 64)}


def case_moment_forecast():
    return moment("forecasting"), (), {"x_enc": torch.randn(2, 2, 64)}


def case_moment_classification():
    return moment("classification", reduction="concat"), (), {"x_enc": torch.randn(2, 2, 64)}


def tirex():
    """TiRex, small."""
    blocks = {"num_blocks": 1, "embedding_dim": 16, "num_heads": 2}
    config = {
        "input_patch_size": 8,
        "output_patch_size": 8,
        "quantiles": [0.1, 0.5, 0.9],
        "block_kwargs": blocks,
        "input_ff_dim": 16,
    }
    return TiRexZero("torch", config, train_ctx_len=32)


def case_tirex_forecast():
    return tirex()._forecast_quantiles, (torch.randn(2, 40),), {"prediction_length": 12}


def case_tirex_tokens():
    model = tirex()
    return model._forecast_tensor, (torch.randn(2, 20),), {"prediction_length": 8, "new_patch_count": 2}


def seen(kind, *, groups=("state",), **options):
    """A model of rsl_rl and what four robots see."""
    obs = TensorDict({"state": torch.randn(4, 6), "image": torch.rand(4, 1, 12, 12)}, batch_size=[4])
    return kind(obs, {"actor": list(groups)}, "actor", 3, hidden_dims=[8, 8], obs_normalization=True, **options), obs


GAUSSIAN = {"class_name": "rsl_rl.modules.distribution:GaussianDistribution", "init_std": 1.0}


def case_rsl_rl_mlp():
    model, obs = seen(MLPModel)
    return model, (obs,)


def case_rsl_rl_mlp_sampled():
    model, obs = seen(MLPModel, distribution_cfg=GAUSSIAN)
    return model, (obs,), {"stochastic_output": True}


def case_rsl_rl_mlp_beta():
    model, obs = seen(MLPModel, distribution_cfg={"class_name": "rsl_rl.modules.distribution:BetaDistribution"})
    return model, (obs,), {"stochastic_output": True}


def case_rsl_rl_rnn():
    model, obs = seen(RNNModel, rnn_type="gru", rnn_hidden_dim=8)
    return model, (obs,)


def case_rsl_rl_cnn():
    model, obs = seen(CNNModel, groups=("state", "image"), cnn_cfg={"output_channels": [4], "kernel_size": 3})
    return model, (obs,)


def case_rsl_rl_normalization():
    return EmpiricalNormalization(6, until=100), (torch.randn(4, 6),)


def case_rsl_rl_rewards():
    return EmpiricalDiscountedVariationNormalization(()), (torch.randn(4),)


def policy(kind, policy="MlpPolicy", *, discrete=False, **options):
    """The policy of an algorithm of sb3_contrib."""
    actions = gymnasium.spaces.Discrete(3) if discrete else gymnasium.spaces.Box(-1, 1, (2,))
    made = kind.policy_aliases[policy](gymnasium.spaces.Box(-1, 1, (5,)), actions, lambda _: 1e-3, **options)
    made.set_training_mode(False)
    return made


def case_sb3_contrib_tqc_actor():
    return policy(sb3_contrib.TQC, net_arch=[8]).actor, (torch.randn(4, 5),)


def case_sb3_contrib_tqc_critic():
    return policy(sb3_contrib.TQC, net_arch=[8], n_quantiles=5).critic, (torch.randn(4, 5), torch.randn(4, 2))


def case_sb3_contrib_qrdqn():
    return policy(sb3_contrib.QRDQN, discrete=True, net_arch=[8], n_quantiles=5), (torch.randn(4, 5),)


def case_sb3_contrib_maskable():
    return (
        policy(sb3_contrib.MaskablePPO, discrete=True, net_arch=[8]),
        (torch.randn(4, 5),),
        {"action_masks": np.ones((4, 3), bool)},
    )


def case_sb3_contrib_maskable_evaluated():
    made = policy(sb3_contrib.MaskablePPO, discrete=True, net_arch=[8])
    return made.evaluate_actions, (torch.randn(4, 5), torch.tensor([0, 1, 2, 0]), torch.ones(4, 3).bool())


def case_sb3_contrib_recurrent():
    kind = sb3_contrib.RecurrentPPO.policy_aliases["MlpLstmPolicy"]
    made = kind(
        gymnasium.spaces.Box(-1, 1, (5,)),
        gymnasium.spaces.Box(-1, 1, (2,)),
        lambda _: 1e-3,
        net_arch=[8],
        lstm_hidden_size=8,
    )
    states = sb3_contrib.common.recurrent.type_aliases.RNNStates(*[(torch.zeros(1, 4, 8), torch.zeros(1, 4, 8))] * 2)
    return made, (torch.randn(4, 5), states, torch.zeros(4))


def case_sb3_contrib_crossq():
    return policy(sb3_contrib.CrossQ, net_arch=[8]).actor, (torch.randn(4, 5),)


def played(*, continuous=True, rnn=None, **options):
    """A model of rl_games and what it sees."""
    space = (
        {
            "continuous": {
                "mu_activation": "None",
                "sigma_activation": "None",
                "mu_init": {"name": "default"},
                "sigma_init": {"name": "const_initializer", "val": 0},
                "fixed_sigma": True,
            }
        }
        if continuous
        else {"discrete": None}
    )
    params = {
        "separate": False,
        "space": space,
        "mlp": {"units": [8], "activation": "elu", "initializer": {"name": "default"}},
        **options,
    }
    if rnn:
        params["rnn"] = {"name": rnn, "units": 8, "layers": 1, "before_mlp": False}
    builder = A2CBuilder()
    builder.load(params)
    kind = ModelA2CContinuousLogStd if continuous else ModelA2C
    return kind(builder).build(
        {
            "actions_num": 3,
            "input_shape": (5,),
            "num_seqs": 4,
            "value_size": 1,
            "normalize_value": True,
            "normalize_input": True,
        }
    )


def case_rl_games_acting():
    return played(), ({"is_train": False, "obs": torch.randn(4, 5), "prev_actions": None, "rnn_states": None},)


def case_rl_games_training():
    return played(), (
        {"is_train": True, "obs": torch.randn(4, 5), "prev_actions": torch.randn(4, 3), "rnn_states": None},
    )


def case_rl_games_choices():
    return played(continuous=False), (
        {"is_train": False, "obs": torch.randn(4, 5), "prev_actions": None, "rnn_states": None},
    )


def case_rl_games_recurrent():
    states = [torch.zeros(1, 4, 8), torch.zeros(1, 4, 8)]
    given = {"is_train": False, "obs": torch.randn(4, 5), "prev_actions": None, "rnn_states": states, "seq_length": 1}
    return played(rnn="lstm"), (given,)


def case_rl_games_mean_and_deviation():
    return RunningMeanStd((5,)), (torch.randn(4, 5),)


def case_rl_games_spatial_softmax():
    return SpatialSoftArgmax(normalize=True), (torch.randn(2, 3, 6, 6),)


def case_chemprop_mean():
    return MeanAggregation(), (torch.randn(7, 5), torch.tensor([0, 0, 0, 1, 1, 2, 2]))


def case_chemprop_norm():
    return NormAggregation(), (torch.randn(7, 5), torch.tensor([0, 0, 0, 1, 1, 2, 2]))


def case_chemprop_attention():
    return AttentiveAggregation(output_size=5), (torch.randn(7, 5), torch.tensor([0, 0, 0, 1, 1, 2, 2]))


def case_chemprop_evidential():
    return EvidentialFFN(input_dim=6, hidden_dim=8), (torch.randn(4, 6),)


def case_chemprop_mve():
    return MveFFN(input_dim=6, hidden_dim=8), (torch.randn(4, 6),)


def case_chemprop_classes():
    return MulticlassClassificationFFN(3, input_dim=6, hidden_dim=8), (torch.randn(4, 6),)


def case_chemprop_bounded_error():
    return BoundedMSE(), (
        torch.randn(4, 2),
        torch.randn(4, 2),
        torch.ones(4, 2).bool(),
        torch.ones(4, 1),
        torch.zeros(4, 2).bool(),
        torch.zeros(4, 2).bool(),
    )


def case_chemprop_matthews():
    return BinaryMCCMetric(), (torch.rand(4, 2), torch.randint(0, 2, (4, 2)), torch.ones(4, 2).bool(), torch.ones(4, 1))


def molecule():
    """A graph of five atoms of two elements, as mace's loader makes it."""
    edges = torch.tensor([[i, j] for i in range(5) for j in range(5) if i != j]).t()
    return {
        "positions": torch.randn(5, 3),
        "node_attrs": torch.eye(2)[torch.tensor([0, 1, 0, 1, 1])],
        "edge_index": edges,
        "shifts": torch.zeros(20, 3),
        "unit_shifts": torch.zeros(20, 3),
        "cell": torch.zeros(3, 3),
        "batch": torch.zeros(5).long(),
        "ptr": torch.tensor([0, 5]),
        "head": torch.zeros(1).long(),
        "pbc": torch.zeros(1, 3).bool(),
    }


def potential(kind, **options):
    """A potential of mace, small."""
    given = {
        "r_max": 5.0,
        "num_bessel": 4,
        "num_polynomial_cutoff": 5,
        "max_ell": 1,
        "interaction_cls": mace.interaction_classes["RealAgnosticResidualInteractionBlock"],
        "interaction_cls_first": mace.interaction_classes["RealAgnosticResidualInteractionBlock"],
        "num_interactions": 2,
        "num_elements": 2,
        "hidden_irreps": o3.Irreps("4x0e + 4x1o"),
        "MLP_irreps": o3.Irreps("4x0e"),
        "atomic_energies": np.array([1.0, 2.0]),
        "avg_num_neighbors": 4,
        "atomic_numbers": [1, 6],
        "correlation": 2,
        "gate": torch.nn.functional.silu,
        **options,
    }
    return kind(**given).float()


def case_mace():
    return potential(mace.MACE), (molecule(),), {"compute_force": False}
