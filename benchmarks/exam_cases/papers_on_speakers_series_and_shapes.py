"""Papers' own code on speakers, series, shapes, agents, sessions and pictures."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import absent, inside

absent(
    "dgl",
    "tensorboardX",
    "wandb",
    "SimpleITK",
    "medpy",
    "ml_collections",
    "hydra",
    "cv2",
    "soundfile",
    "torchaudio",
    "asteroid_filterbanks",
    "xformers",
    "pointnet2_ops",
    "knn_cuda",
    "chamfer",
    "emd",
    "extensions",
    "Levenshtein",
    "librosa",
    "warp_rnnt",
    "matplotlib",
    "omegaconf",
    "gym",
    "romatch.utils.kde",
    "local_corr",
    "dm_env",
    "dm_control",
    "prefetch_generator",
    "tuneThreshold",
    "einops_exts",
    "models.networks.sync_batchnorm",
    "munch",
    "kornia",
    "pytorch_lightning",
)

PACKAGES = [
    "ECAPA-TDNN",
    "voxceleb_trainer",
    "GRU4REC-pytorch",
    "ConvKB",
    "DeepSDF",
    "FEDformer",
    "MTGNN",
    "Graph-WaveNet",
    "TransUNet",
    "animegan2-pytorch",
    "DiT",
    "drqv2",
    "TranAD",
    "occupancy_networks",
    "on-policy",
    "kospeech",
    "StyleTTS2",
    "LlamaGen",
    "minimind",
    "gemma_pytorch",
    "dinov2",
    "Depth-Anything-V2",
    "RoMa",
    "BiRefNet",
    "Point-MAE",
    "YOLOP",
    "SPADE",
]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


# speakers


def case_ecapa():
    inside("ECAPA-TDNN")
    model = importlib.import_module("model").ECAPA_TDNN(64)
    model.torchfbank = torch.nn.Conv1d(1, 80, 400, 160)
    return model, (f(2, 1, 8000), False)


def case_ecapa_augmentation():
    inside("ECAPA-TDNN")
    return importlib.import_module("model").FbankAug(), (f(2, 80, 50),)


def case_ecapa_emphasis():
    inside("ECAPA-TDNN")
    return importlib.import_module("model").PreEmphasis(), (f(2, 800),)


def case_ecapa_loss():
    inside("ECAPA-TDNN")
    return importlib.import_module("loss").AAMsoftmax(10, 0.2, 30), (f(4, 192), tokens(10, 4))


def speakers(name, *given, **named):
    inside("voxceleb_trainer")
    return importlib.import_module(f"loss.{name}").LossFunction(*given, **named)


def case_speakers_angleproto():
    return speakers("angleproto"), (f(4, 2, 16),)


def case_speakers_amsoftmax():
    return speakers("amsoftmax", nOut=16, nClasses=5), (f(4, 16), tokens(5, 4))


def case_speakers_aamsoftmax():
    return speakers("aamsoftmax", nOut=16, nClasses=5), (f(4, 16), tokens(5, 4))


def case_speakers_softmax():
    return speakers("softmax", nOut=16, nClasses=5), (f(4, 16), tokens(5, 4))


def case_speakers_proto():
    return speakers("proto"), (f(4, 2, 16),)


def case_speakers_ge2e():
    return speakers("ge2e"), (f(4, 3, 16),)


def case_speakers_triplet():
    return speakers("triplet", hard_rank=1, hard_prob=0.5, margin=0.1), (f(4, 2, 16),)


def case_speakers_softmaxproto():
    return speakers("softmaxproto", nOut=16, nClasses=5), (f(4, 2, 16), tokens(5, 4))


def speaker_net(name, **named):
    inside("voxceleb_trainer")
    model = importlib.import_module(f"models.{name}").MainModel(nOut=16, **named)
    model.torchfb = torch.nn.Sequential(torch.nn.Conv1d(1, 40, 400, 160))
    return model


def case_speakers_vgg():
    return speaker_net("VGGVox"), (f(2, 1, 16000),)


def case_speakers_resnet():
    return speaker_net("ResNetSE34L"), (f(2, 1, 16000),)


def case_speakers_resnet_asp():
    return speaker_net("ResNetSE34V2", encoder_type="ASP"), (f(2, 1, 16000),)


def case_speakers_block():
    inside("voxceleb_trainer")
    return importlib.import_module("models.RawNetBasicBlock").Bottle2neck(16, 32, 3, 2, 4, pool=2), (f(2, 16, 60),)


# sessions


def case_gru4rec():
    inside("GRU4REC-pytorch", "lib")
    model = importlib.import_module("model").GRU4REC(20, 16, 20, batch_size=4)
    return model, (tokens(20, 4), torch.zeros(1, 4, 16))


def case_gru4rec_embedding():
    inside("GRU4REC-pytorch", "lib")
    model = importlib.import_module("model").GRU4REC(
        20, 16, 20, final_act="elu-0.5", dropout_input=0.2, batch_size=4, embedding_dim=8
    )
    return model, (tokens(20, 4), torch.zeros(1, 4, 16))


def case_gru4rec_one_hot_dropout():
    inside("GRU4REC-pytorch", "lib")
    model = importlib.import_module("model").GRU4REC(20, 16, 20, dropout_input=0.3, batch_size=4)
    return model, (tokens(20, 4), torch.zeros(1, 4, 16))


def gru_loss(kind):
    inside("GRU4REC-pytorch", "lib")
    return importlib.import_module("lossfunction").LossFunction(kind), (f(4, 4),)


def case_gru4rec_top1():
    return gru_loss("TOP1")


def case_gru4rec_top1_max():
    return gru_loss("TOP1-max")


def case_gru4rec_bpr():
    return gru_loss("BPR")


def case_gru4rec_bpr_max():
    return gru_loss("BPR-max")


def case_gru4rec_cross_entropy():
    return gru_loss("CrossEntropy")


# triples


def kb(module):
    inside("ConvKB", "ConvKB_pytorch")
    config = SimpleNamespace(
        entTotal=10, relTotal=4, hidden_size=8, out_channels=6, kernel_size=1, convkb_drop_prob=0.1, lmbda=0.2,
        init_with_transe=False, use_init_embeddings=False, use_gpu=False, test_log=False,
        batch_h=tokens(10, 5), batch_t=tokens(10, 5), batch_r=tokens(4, 5), batch_y=torch.ones(5),
    )  # fmt: skip
    return importlib.import_module(module).ConvKB(config)


def case_convkb():
    model = kb("ConvKB")
    for name in ("h", "t", "r", "y"):
        setattr(model, f"batch_{name}", getattr(model.config, f"batch_{name}"))
    return model, ()


def case_convkb_1d():
    model = kb("ConvKB_1D")
    for name in ("h", "t", "r", "y"):
        setattr(model, f"batch_{name}", getattr(model.config, f"batch_{name}"))
    return model, ()


# shapes


def case_sdf():
    inside("DeepSDF")
    decoder = importlib.import_module("networks.deep_sdf_decoder").Decoder
    return decoder(8, [16, 16, 16, 16], [0, 1], 0.2, [0, 1], [2], False, True, True, True), (f(5, 11),)


def case_sdf_weight_norm():
    inside("DeepSDF")
    decoder = importlib.import_module("networks.deep_sdf_decoder").Decoder
    return decoder(8, [16, 16, 16, 16], None, 0.0, [0, 1], [2], True), (f(5, 11),)


def occupancy(module, name, *given, **named):
    inside("occupancy_networks")
    return getattr(importlib.import_module(f"im2mesh.{module}"), name)(*given, **named)


def case_occupancy_pointnet():
    return occupancy("encoder.pointnet", "ResnetPointnet", 16, 3, 16), (f(2, 20, 3),)


def case_occupancy_simple():
    return occupancy("encoder.pointnet", "SimplePointnet", 16, 3, 16), (f(2, 20, 3),)


def case_occupancy_r2n2():
    return occupancy("encoder.r2n2", "SimpleConv", 16), (f(1, 3, 127, 127),)


def case_occupancy_voxels():
    return occupancy("encoder.voxels", "CoordVoxelEncoder", 3, 16), (f(1, 32, 32, 32),)


def case_occupancy_psgn():
    return occupancy("encoder.psgn_cond", "PCGN_Cond", 16), (f(1, 3, 192, 256),)


def case_occupancy_net():
    inside("occupancy_networks")
    onet = importlib.import_module("im2mesh.onet.models")
    model = onet.OccupancyNetwork(
        onet.decoder.DecoderCBatchNorm(3, 8, 16, 16),
        occupancy("encoder.pointnet", "ResnetPointnet", 16, 3, 16),
        onet.encoder_latent.Encoder(8, 16),
        torch.distributions.Normal(torch.zeros(8), torch.ones(8)),
    )
    return model, (f(2, 6, 3), f(2, 20, 3))


class Elbo(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, p, occ, inputs):
        return self.model.compute_elbo(p, occ, inputs)


def case_occupancy_elbo():
    model, (p, inputs) = case_occupancy_net()
    return Elbo(model), (p, torch.ones(2, 6), inputs)


def case_occupancy_decoder2():
    return occupancy("onet.models.decoder", "DecoderCBatchNorm2", 3, 4, 8, 16), (f(2, 6, 3), f(2, 4), f(2, 8))


def case_occupancy_legacy():
    return occupancy("onet.models.legacy", "VoxelDecoder", 3, 4, 8, 16), (torch.rand(2, 6, 3) - 0.5, f(2, 4), f(2, 8))


def case_occupancy_projection():
    fm = (f(2, 4, 56, 56), f(2, 4, 28, 28), f(2, 4, 14, 14), f(2, 4, 7, 7))
    return occupancy("pix2mesh.layers", "GraphProjection"), (torch.rand(2, 6, 3), fm, f(2, 3, 4))


def case_occupancy_convolution():
    return occupancy("pix2mesh.layers", "GraphConvolution", [torch.eye(6), torch.eye(6)], 4, 5), (f(2, 6, 4),)


def case_occupancy_unpooling():
    return occupancy("pix2mesh.layers", "GraphUnpooling", torch.tensor([[0, 1], [2, 3]])), (f(2, 6, 3),)


# series


def fed(module, name, *given, **named):
    inside("FEDformer")
    return getattr(importlib.import_module(module), name)(*given, **named)


def fed_config(**more):
    return SimpleNamespace(**{
        "seq_len": 24, "label_len": 12, "pred_len": 12, "output_attention": False, "enc_in": 3, "dec_in": 3, "c_out": 3,
        "d_model": 16, "n_heads": 8, "d_ff": 16, "e_layers": 2, "d_layers": 1, "dropout": 0.1, "embed": "timeF",
        "freq": "h",
        "activation": "gelu", "moving_avg": [5, 7], "version": "Fourier", "mode_select": "random", "modes": 4, "L": 1,
        "base": "legendre", "cross_activation": "tanh", "wavelet": 0, "factor": 1, "distil": True, "ab": 0, **more,
    })  # fmt: skip


def fed_inputs():
    return f(2, 24, 3), f(2, 24, 4), f(2, 24, 3), f(2, 24, 4)


def case_fedformer():
    return fed("models.FEDformer", "Model", fed_config()), fed_inputs()


def case_fedformer_wavelets():
    return fed("models.FEDformer", "Model", fed_config(version="Wavelets")), fed_inputs()


def case_fed_autoformer():
    return fed("models.Autoformer", "Model", fed_config(moving_avg=5)), fed_inputs()


def case_fed_informer():
    return fed("models.Informer", "Model", fed_config()), fed_inputs()


def case_fed_transformer():
    return fed("models.Transformer", "Model", fed_config()), fed_inputs()


def case_fed_decomposition():
    return fed("layers.Autoformer_EncDec", "FourierDecomp"), (f(2, 12, 3),)


def case_fed_multi():
    return fed("layers.Autoformer_EncDec", "series_decomp_multi", [3, 5]), (f(2, 12, 3),)


def case_mtgnn():
    inside("MTGNN")
    model = importlib.import_module("net").gtnet(
        True, True, 2, 6, "cpu", subgraph_size=3, conv_channels=8, residual_channels=8, skip_channels=8, end_channels=8
    )
    return model, (f(2, 2, 6, 12),)


def case_mtgnn_graph():
    inside("MTGNN")
    return importlib.import_module("layer").graph_constructor(6, 3, 4, "cpu"), (torch.arange(6),)


def case_mtgnn_dynamic():
    inside("MTGNN")
    return importlib.import_module("layer").dy_mixprop(4, 4, 2, 0.1, 0.1), (f(2, 4, 5, 6),)


def case_wavenet():
    inside("Graph-WaveNet")
    model = importlib.import_module("model").gwnet("cpu", 6, supports=[torch.eye(6)], residual_channels=8,
                                                   dilation_channels=8, skip_channels=16, end_channels=16)  # fmt: skip
    return model, (f(2, 2, 6, 14),)


def case_wavenet_start():
    inside("Graph-WaveNet")
    model = importlib.import_module("model").gwnet("cpu", 6, supports=[torch.eye(6)], aptinit=torch.eye(6),
                                                   residual_channels=8, dilation_channels=8, skip_channels=16,
                                                   end_channels=16)  # fmt: skip
    return model, (f(2, 2, 6, 9),)


def anomalies(name, module="src.models"):
    inside("TranAD")
    return getattr(importlib.import_module(module), name)


def case_tranad():
    return anomalies("TranAD")(4).double(), (f(10, 3, 4).double(), f(1, 3, 4).double())


def case_tranad_basic():
    return anomalies("TranAD_Basic")(4).double(), (f(10, 3, 4).double(), f(1, 3, 4).double())


def case_tranad_omni():
    return anomalies("OmniAnomaly")(4).double(), (f(4).double(),)


def case_tranad_lstm():
    return anomalies("LSTM_AD")(4).double(), (f(5, 4).double(),)


def case_tranad_univariate():
    return anomalies("LSTM_Univariate")(4).double(), (f(5, 4).double(),)


def case_tranad_usad():
    return anomalies("USAD")(4).double(), (f(5, 4).double(),)


def case_tranad_dagmm():
    return anomalies("DAGMM")(4).double(), (f(5, 4).double(),)


def case_tranad_mad_gan():
    return anomalies("MAD_GAN")(4).double(), (f(5, 4).double(),)


def case_tranad_mscred():
    return anomalies("MSCRED")(4).double(), (f(4, 4).double(),)


def case_tranad_energy():
    loss = anomalies("ComputeLoss", "src.dlutils")
    compute = loss(None, 0.1, 0.005, "cpu", 2)

    class Energy(torch.nn.Module):
        def forward(self, x, x_hat, z, gamma):
            return compute.forward(x, x_hat, z, gamma)

    return Energy(), (f(6, 4), f(6, 4), f(6, 3), torch.softmax(f(6, 2), 1))


def case_tranad_convlstm():
    return anomalies("ConvLSTM", "src.dlutils")(3, [4], (3, 3), 1, True, True, False), (f(2, 3, 3, 6, 6),)


# pictures


def case_transunet():
    inside("TransUNet")
    return importlib.import_module("networks.vit_seg_modeling_resnet_skip").ResNetV2((1, 1, 1), 0.25), (
        f(1, 3, 64, 64),
    )


def case_transunet_dice():
    inside("TransUNet")
    return importlib.import_module("utils").DiceLoss(3), (f(2, 3, 8, 8), tokens(3, 2, 8, 8), None, True)


def case_animegan():
    inside("animegan2-pytorch")
    return importlib.import_module("model").Generator(), (f(1, 3, 32, 32),)


def case_animegan_corners():
    inside("animegan2-pytorch")
    return importlib.import_module("model").Generator(), (f(1, 3, 32, 32), False)


def case_dit():
    inside("DiT")
    model = importlib.import_module("models").DiT(8, 2, 4, 24, 2, 2, num_classes=5)
    return model, (f(2, 4, 8, 8), tokens(9, 2), tokens(5, 2))


class Guided(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, t, y):
        return self.model.forward_with_cfg(x, t, y, 2.0)


def case_dit_guided():
    model, given = case_dit()
    return Guided(model), given


def case_spade():
    inside("SPADE")
    spade = importlib.import_module("models.networks.normalization").SPADE
    return spade("spadebatch3x3", 8, 4), (f(1, 8, 16, 16), f(1, 4, 8, 8))


def spade_options(**more):
    return SimpleNamespace(**{
        "norm_G": "spectralspadeinstance3x3", "norm_E": "spectralinstance", "norm_D": "spectralinstance",
        "ngf": 4, "ndf": 4,
        "nef": 4, "semantic_nc": 4, "label_nc": 4, "output_nc": 3, "crop_size": 64, "aspect_ratio": 1.0,
        "use_vae": True,
        "z_dim": 8, "num_upsampling_layers": "normal", "netD_subarch": "n_layer", "num_D": 2, "n_layers_D": 3,
        "no_ganFeat_loss": False, "contain_dontcare_label": False, "no_instance": True, **more,
    })  # fmt: skip


def case_spade_generator():
    inside("SPADE")
    model = importlib.import_module("models.networks.generator").SPADEGenerator(spade_options())
    return model, (f(1, 4, 64, 64), f(1, 8))


def case_spade_discriminator():
    inside("SPADE")
    model = importlib.import_module("models.networks.discriminator").MultiscaleDiscriminator(spade_options())
    return model, (f(1, 7, 64, 64),)


def case_spade_encoder():
    inside("SPADE")
    return importlib.import_module("models.networks.encoder").ConvEncoder(spade_options()), (f(1, 3, 80, 80),)


class GanLoss(torch.nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, first, second):
        return self.loss([[first], [second]], True, for_discriminator=False)


def case_spade_hinge():
    inside("SPADE")
    loss = importlib.import_module("models.networks.loss").GANLoss("hinge", tensor=torch.FloatTensor, opt=None)
    return GanLoss(loss), (f(1, 1, 4, 4), f(1, 1, 2, 2))


def case_spade_original():
    inside("SPADE")
    loss = importlib.import_module("models.networks.loss").GANLoss("original", tensor=torch.FloatTensor, opt=None)
    return GanLoss(loss), (f(1, 1, 4, 4), f(1, 1, 2, 2))


def yolop(module, name, *given, **named):
    inside("YOLOP")
    return getattr(importlib.import_module(f"lib.{module}"), name)(*given, **named)


def case_yolop_detect():
    model = yolop("models.common", "Detect", 2, [[3, 9, 5, 11, 4, 20], [7, 18, 6, 39, 12, 31]], [8, 16])
    model.stride = torch.tensor([8.0, 16.0])
    return model, ([f(1, 8, 8, 8), f(1, 16, 4, 4)],)


def case_yolop_csp():
    return yolop("models.common", "BottleneckCSP", 8, 8, 1), (f(1, 8, 8, 8),)


def case_yolop_focus():
    return yolop("models.common", "Focus", 3, 8, 3), (f(1, 3, 16, 16),)


def case_yolop_sharpen():
    return yolop("models.common", "SharpenConv", 3, 8, 3, 2), (f(1, 3, 16, 16),)


def case_yolop_mish():
    return yolop("core.activations", "MemoryEfficientMish"), (f(3, 4),)


def case_yolop_focal():
    return yolop("core.loss", "FocalLoss", torch.nn.BCEWithLogitsLoss()), (f(3, 4), torch.ones(3, 4))


# agents


def case_drq_shift():
    inside("drqv2")
    return importlib.import_module("drqv2").RandomShiftsAug(4), (f(2, 9, 84, 84),)


def case_drq_encoder():
    inside("drqv2")
    return importlib.import_module("drqv2").Encoder((9, 84, 84)), (f(2, 9, 84, 84),)


class Acts(torch.nn.Module):
    def __init__(self, actor, clip):
        super().__init__()
        self.actor, self.clip = actor, clip

    def forward(self, obs):
        dist = self.actor(obs, 0.2)
        action = dist.sample(clip=self.clip)
        return action, dist.log_prob(action).sum(-1)


def case_drq_actor():
    inside("drqv2")
    return Acts(importlib.import_module("drqv2").Actor(20, (3,), 8, 16), 0.3), (f(2, 20),)


def case_drq_critic():
    inside("drqv2")
    return importlib.import_module("drqv2").Critic(20, (3,), 8, 16), (f(2, 20), f(2, 3))


def policy(module, name, *given, **named):
    inside("on-policy")
    return getattr(importlib.import_module(f"onpolicy.algorithms.{module}"), name)(*given, **named)


def policy_args(**more):
    return SimpleNamespace(**{
        "hidden_size": 16, "gain": 0.01, "use_orthogonal": True, "use_policy_active_masks": True, "use_ReLU": True,
        "use_naive_recurrent_policy": False, "use_recurrent_policy": True, "recurrent_N": 1, "algorithm_name": "rmappo",
        "use_feature_normalization": True, "stacked_frames": 1, "layer_N": 1, "use_popart": True,
        "use_valuenorm": False,
        **more,
    })  # fmt: skip


class Discrete:
    n = 4


class Box:
    shape = (6,)


def case_policy_actor():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Actor", policy_args(), Box(), Discrete())
    return model, (f(3, 6), torch.zeros(3, 1, 16), torch.ones(3, 1))


def case_policy_actor_numpy():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Actor", policy_args(), Box(), Discrete())
    return model, (np.zeros((3, 6), "float32"), np.zeros((3, 1, 16), "float32"), np.ones((3, 1), "float32"))


class Evaluates(torch.nn.Module):
    def __init__(self, actor):
        super().__init__()
        self.actor = actor

    def forward(self, obs, states, action, masks):
        return self.actor.evaluate_actions(obs, states, action, masks)


def case_policy_evaluates():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Actor", policy_args(), Box(), Discrete())
    return Evaluates(model), (f(6, 6), torch.zeros(3, 1, 16), tokens(4, 6, 1), torch.ones(6, 1))


def case_policy_critic():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Critic", policy_args(), Box())
    return model, (f(3, 6), torch.zeros(3, 1, 16), torch.ones(3, 1))


def case_policy_rnn():
    masks = torch.ones(6, 1)
    masks[2:4] = 0
    return policy("utils.rnn", "RNNLayer", 8, 8, 1, True), (f(6, 8), torch.zeros(2, 1, 8), masks)


def case_policy_popart():
    return policy("utils.popart", "PopArt", 8, 1), (f(5, 8),)


class Normalizes(torch.nn.Module):
    def __init__(self, popart):
        super().__init__()
        self.popart = popart

    def forward(self, x):
        self.popart.update(x)
        return self.popart.denormalize(self.popart.normalize(x))


def case_policy_popart_update():
    return Normalizes(policy("utils.popart", "PopArt", 8, 1)), (f(5, 1),)


def case_policy_gaussian():
    return policy("utils.distributions", "DiagGaussian", 8, 3), (f(5, 8),)


def case_policy_categorical():
    available = torch.ones(5, 3)
    available[0, 1] = 0
    return policy("utils.distributions", "Categorical", 8, 3), (f(5, 8), available)


def case_policy_transformer():
    model = policy("mat.algorithm.ma_transformer", "MultiAgentTransformer", 5, 6, 4, 3, 1, 8, 2)
    return model, (f(2, 3, 5), f(2, 3, 6), tokens(4, 2, 3, 1))


class Acting(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, state, obs):
        return self.model.get_actions(state, obs)


def case_policy_transformer_acts():
    model = policy("mat.algorithm.ma_transformer", "MultiAgentTransformer", 5, 6, 4, 3, 1, 8, 2)
    return Acting(model), (f(2, 3, 5), f(2, 3, 6))


# speech


def ko(module, name, *given, **named):
    inside("kospeech")
    return getattr(importlib.import_module(f"kospeech.{module}"), name)(*given, **named)


LENGTHS = torch.tensor([40, 32])


def case_ko_las():
    model = ko("models", "ListenAttendSpell", 40, 12, 16, 32, 1, 1, attn_mechanism="loc", max_length=6)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6))


def case_ko_las_dot():
    model = ko("models", "ListenAttendSpell", 40, 12, 16, 32, 1, 1, attn_mechanism="scaled-dot", max_length=6,
               joint_ctc_attention=True)  # fmt: skip
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6))


def case_ko_transformer():
    model = ko("models", "SpeechTransformer", 40, 12, "conv2d_subsample", 1, 1, d_model=16, d_ff=16, num_heads=2)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_transformer_vgg():
    model = ko("models", "SpeechTransformer", 40, 12, "vgg", 1, 1, d_model=16, d_ff=16, num_heads=2)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_deepspeech():
    model = ko("models", "DeepSpeech2", 40, 12, "gru", 2, 16, device="cpu")
    return model, (f(2, 40, 40), LENGTHS)


def case_ko_conformer():
    model = ko("models", "Conformer", 12, 40, 16, 16, 1, device="cpu", num_attention_heads=2)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_rnnt():
    model = ko("models", "RNNTransducer", 12, 40, 1, 1, 16, 16, 16)
    return model, (f(2, 40, 40), LENGTHS, tokens(12, 2, 6), torch.tensor([6, 5]))


def case_ko_jasper():
    return ko("models", "Jasper", 12, "5x3", device="cpu"), (f(1, 80, 64), torch.tensor([64]))


def case_ko_location():
    return ko("models.attention", "LocationAwareAttention", 16, 16, True), (f(2, 1, 16), f(2, 7, 16), None)


def case_ko_smoothing():
    return ko("criterion", "LabelSmoothedCrossEntropyLoss", 12, 0), (f(6, 12), tokens(12, 6))


def case_ko_joint():
    model = ko("criterion", "JointCTCCrossEntropyLoss", 12, 0, blank_id=11, smoothing=0.1)
    logs = torch.log_softmax(f(2, 9, 12), -1)
    return model, (logs, torch.log_softmax(f(8, 12), -1), torch.tensor([9, 8]), tokens(11, 8), torch.tensor([4, 4]))


class Decodes(torch.nn.Module):
    def __init__(self, model, *given):
        super().__init__()
        self.model, self.given = model, given

    def forward(self, inputs, lengths):
        return self.model.recognize(inputs, lengths)


def case_ko_recognizes():
    model = ko("models", "DeepSpeech2", 40, 12, "gru", 2, 16, device="cpu")
    return Decodes(model), (f(2, 40, 40), LENGTHS)


# voices


def style(module, name, *given, **named):
    inside("StyleTTS2")
    return getattr(importlib.import_module(module), name)(*given, **named)


def case_style_text():
    model = style("models", "TextEncoder", 16, 5, 2, 20)
    return model, (tokens(20, 2, 6), torch.tensor([6, 4]), torch.zeros(2, 6, dtype=torch.bool))


def case_style_prosody():
    model = style("models", "ProsodyPredictor", 8, 16, 1)
    return model, (f(2, 16, 6), f(2, 8), torch.tensor([6, 4]), f(2, 6, 9), torch.zeros(2, 6, dtype=torch.bool))


def case_style_encoder():
    return style("models", "StyleEncoder", 4, 8, 16), (f(1, 1, 80, 80),)


def case_style_discriminator():
    return style("models", "Discriminator2d", 4, 2, 16), (f(2, 1, 80, 80),)


def case_style_sines():
    return style("Modules.hifigan", "SineGen", 24000, 30, 2), (f(1, 30, 1).abs() * 100,)


def case_style_source():
    return style("Modules.istftnet", "SourceModuleHnNSF", 24000, 30, 2, voiced_threshod=10), (f(1, 30, 1).abs() * 100,)


def case_style_stft():
    return style("Modules.istftnet", "TorchSTFT", 80, 20, 80), (f(2, 400),)


def case_style_adain():
    return style("Modules.istftnet", "AdaINResBlock1", 8, 3, (1, 3, 5), 4), (f(2, 8, 20), f(2, 4))


def case_style_periods():
    return style("Modules.discriminators", "DiscriminatorP", 3), (f(1, 1, 500),)


def case_style_spectrum():
    return style("Modules.discriminators", "SpecDiscriminator", 64, 16, 64), (f(1, 1, 800),)


def case_style_k_diffusion():
    inside("StyleTTS2")
    sampler = importlib.import_module("Modules.diffusion.sampler")
    model = sampler.KDiffusion(torch.nn.Identity(), sigma_distribution=sampler.LogNormalDistribution(-3.0, 1.0),
                               sigma_data=0.2, dynamic_threshold=0.5)  # fmt: skip
    model.net = Net()
    return model, (f(2, 1, 8),)


class Net(torch.nn.Module):
    def forward(self, x, t, **_):
        return x * t.mean()


def case_style_sampler():
    inside("StyleTTS2")
    sampler = importlib.import_module("Modules.diffusion.sampler")
    diffusion = sampler.KDiffusion(Net(), sigma_distribution=sampler.LogNormalDistribution(-3.0, 1.0), sigma_data=0.2)
    model = sampler.DiffusionSampler(
        diffusion, sampler=sampler.ADPM2Sampler(), sigma_schedule=sampler.KarrasSchedule(0.0001, 3.0), num_steps=3
    )
    return model, (f(2, 1, 8),)


# tokens


def case_gen():
    inside("LlamaGen")
    gpt = importlib.import_module("autoregressive.models.gpt")
    config = gpt.ModelArgs(dim=16, n_layer=2, n_head=2, vocab_size=32, block_size=16, cls_token_num=1, num_classes=5,
                           max_batch_size=2,
                           max_seq_len=16)  # fmt: skip
    return gpt.Transformer(config), (tokens(32, 2, 15), tokens(5, 2), None, tokens(32, 2, 16))


def case_gen_quantizer():
    inside("LlamaGen")
    vq = importlib.import_module("tokenizer.tokenizer_image.vq_model").VectorQuantizer
    return vq(16, 4, 0.25, 0.1, True, True), (f(2, 4, 3, 3),)


def case_gen_autoencoder():
    inside("LlamaGen")
    vq = importlib.import_module("tokenizer.tokenizer_image.vq_model")
    config = vq.ModelArgs(codebook_size=16, codebook_embed_dim=4, encoder_ch_mult=[1, 1], decoder_ch_mult=[1, 1],
                          z_channels=32)  # fmt: skip
    return vq.VQModel(config), (f(1, 3, 16, 16),)


def mini(**more):
    inside("minimind")
    module = importlib.import_module("model.model_minimind")
    config = module.MiniMindConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                                   vocab_size=40, **more)  # fmt: skip
    return module.MiniMindForCausalLM(config)


def case_mini():
    return mini(), (tokens(40, 2, 6),)


def case_mini_labels():
    return mini(), (tokens(40, 2, 6), torch.ones(2, 6, dtype=torch.long), None, False, 0, tokens(40, 2, 6))


def case_mini_experts():
    return mini(use_moe=True), (tokens(40, 2, 6),)


def case_gemma_sampler():
    inside("gemma_pytorch")
    gemma, config = importlib.import_module("gemma.model"), importlib.import_module("gemma.config")
    model = gemma.Sampler(32, config.get_config_for_2b())
    return model, (
        f(32, 16),
        f(1, 4, 16),
        torch.tensor([3]),
        torch.tensor([0.9]),
        torch.tensor([0.8]),
        torch.tensor([5]),
    )


def case_gemma_greedy():
    inside("gemma_pytorch")
    gemma, config = importlib.import_module("gemma.model"), importlib.import_module("gemma.config")
    model = gemma.Sampler(32, config.get_config_for_2b())
    return model, (f(32, 16), f(1, 4, 16), torch.tensor([3]), None, torch.tensor([0.8]), torch.tensor([5]))


# backbones


def dino(module, name, *given, **named):
    inside("dinov2")
    return getattr(importlib.import_module(f"dinov2.{module}"), name)(*given, **named)


def case_dino_vit():
    return dino("models.vision_transformer", "DinoVisionTransformer", 28, 14, 3, 24, 2, 2), (f(1, 3, 28, 28),)


def case_dino_masks():
    model = dino("models.vision_transformer", "DinoVisionTransformer", 28, 14, 3, 24, 2, 2, drop_path_rate=0.3)
    return model, (f(2, 3, 28, 28), torch.tensor([[True, False, True, False]] * 2))


def case_dino_koleo():
    return dino("loss", "KoLeoLoss"), (f(4, 8),)


def case_dino_loss():
    return dino("loss", "DINOLoss", 8), ([f(4, 8)], [torch.softmax(f(4, 8), -1)])


def case_dino_patches():
    masks = torch.zeros(2, 5, dtype=torch.bool)
    masks[:, 1] = True
    return dino("loss", "iBOTPatchLoss", 8), (f(2, 5, 8), f(2, 5, 8), masks)


class Centers(torch.nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, teacher):
        return self.loss.sinkhorn_knopp_teacher(teacher, 0.07)


def case_dino_sinkhorn():
    return Centers(dino("loss", "DINOLoss", 8)), (f(4, 8),)


def case_depth():
    inside("Depth-Anything-V2")
    vit = importlib.import_module("depth_anything_v2.dinov2").DinoVisionTransformer
    return vit(28, 14, 3, 24, 2, 2), (f(1, 3, 28, 28),)


def case_depth_head():
    inside("Depth-Anything-V2")
    head = importlib.import_module("depth_anything_v2.dpt").DPTHead(24, 16, False, [8, 8, 8, 8], True)
    return head, ([(f(1, 4, 24), f(1, 24)) for _ in range(4)], 2, 2)


def case_birefnet_loss():
    inside("BiRefNet")
    return importlib.import_module("loss").SSIMLoss(), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_birefnet_contour():
    inside("BiRefNet")
    return importlib.import_module("loss").ContourLoss(), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_birefnet_structure():
    inside("BiRefNet")
    return importlib.import_module("loss").StructureLoss(), (f(1, 1, 32, 32), torch.rand(1, 1, 32, 32))


def case_birefnet_swin():
    inside("BiRefNet")
    swin = importlib.import_module("models.backbones.swin_v1").SwinTransformer
    return swin(32, embed_dim=12, depths=[2, 1], num_heads=[2, 2], window_size=4, out_indices=(0, 1)), (
        f(1, 3, 36, 36),
    )


def case_birefnet_pvt():
    inside("BiRefNet")
    pvt = importlib.import_module("models.backbones.pvt_v2").PyramidVisionTransformerImpr
    return pvt(64, embed_dims=[8, 8, 8, 8], num_heads=[1, 1, 2, 2], depths=[1, 1, 1, 1]), (f(1, 3, 64, 64),)


def case_points_masked():
    inside("Point-MAE", "segmentation")
    return importlib.import_module("pointnet_util").PointNetSetAbstraction(4, 0.4, 3, 6, [8, 8], False), (
        f(2, 12, 3),
        f(2, 12, 3),
    )


def case_points_nearest():
    inside("Point-MAE", "segmentation")
    model = importlib.import_module("pointnet_util").PointNetSetAbstraction(4, 0.4, 3, 6, [8, 8], False, True)
    return model, (f(2, 12, 3), f(2, 12, 3))


def case_points_propagation():
    inside("Point-MAE", "segmentation")
    model = importlib.import_module("pointnet_util").PointNetFeaturePropagation(10, [8])
    return model, (f(2, 3, 12), f(2, 3, 4), f(2, 4, 12), f(2, 6, 4))
