"""Papers' own code on pictures that are made, scenes, states and memories."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent(
    "faiss",
    "gym",
    "dotmap",
    "visdom",
    "warmup_scheduler",
    "pytorch_lightning",
    "hydra",
    "tensorboard",
    "wandb",
    "skimage",
    "trimesh",
)

PACKAGES = [
    "ddim",
    "iris",
    "score_sde_pytorch",
    "VAR",
    "mar",
    "detr",
    "monodepth2",
    "taming-transformers",
    "ijepa",
    "CLIP",
    "edm",
    "consistency_models",
    "deep-vector-quantization",
    "pytorch-dnc",
    "mvsnerf",
]


def names(**given):
    """A configuration whose parts are read as attributes, and as items."""
    made = {key: names(**value) if isinstance(value, dict) else value for key, value in given.items()}
    return Names(**made)


class Names(SimpleNamespace):
    """What configuration libraries hand out."""

    def __getitem__(self, name):
        return getattr(self, name)

    def get(self, name, default=None):
        """As dicts do."""
        return getattr(self, name, default)


def case_ddim_model():
    inside("ddim")
    from models.diffusion import Model

    model = {
        "type": "simple",
        "ch": 32,
        "out_ch": 3,
        "ch_mult": [1, 2],
        "num_res_blocks": 1,
        "attn_resolutions": [8],
        "dropout": 0.1,
        "in_channels": 3,
        "resamp_with_conv": True,
        "var_type": "fixedlarge",
    }
    config = names(model=model, data={"image_size": 16}, diffusion={"num_diffusion_timesteps": 10})
    return Model(config), (torch.randn(2, 3, 16, 16), torch.tensor([3, 7]))


def dnc(kind, **options):
    """A memory network and a batch of sequences."""
    inside("pytorch-dnc")
    made = getattr(importlib.import_module("dnc"), kind)
    return made(6, 12, **options), (torch.randn(2, 5, 6), None)


def case_dnc():
    return dnc("DNC", nr_cells=4, cell_size=3, read_heads=2)


def case_dnc_gru_two_layers():
    return dnc(
        "DNC", rnn_type="gru", num_layers=2, nr_cells=4, cell_size=3, read_heads=2, share_memory_between_layers=False
    )


def case_dnc_independent():
    return dnc("DNC", rnn_type="rnn", nr_cells=4, cell_size=3, read_heads=1, independent_linears=True)


def case_dnc_debug():
    return dnc("DNC", nr_cells=4, cell_size=3, read_heads=1, debug=True)


def case_dnc_memory():
    inside("pytorch-dnc")
    memory = importlib.import_module("dnc.memory").Memory(6, nr_cells=4, cell_size=3, read_heads=2)
    return memory, (torch.randn(2, 6), memory.reset(2))


def case_iris_world_model():
    inside("iris", "src")
    from models.transformer import TransformerConfig
    from models.world_model import WorldModel

    config = TransformerConfig(
        tokens_per_block=5,
        max_blocks=3,
        attention="causal",
        num_layers=1,
        num_heads=2,
        embed_dim=16,
        embed_pdrop=0.1,
        resid_pdrop=0.1,
        attn_pdrop=0.1,
    )
    return WorldModel(20, 4, config), (torch.randint(0, 4, (2, 10)),)


def case_iris_world_model_cached():
    model, (tokens,) = case_iris_world_model()
    return model, (tokens[:, :5],), {"past_keys_values": model.transformer.generate_empty_keys_values(2, 15)}


def case_iris_actor_critic():
    inside("iris", "src")
    from models.actor_critic import ActorCritic

    model = ActorCritic(4)
    model.reset(n=2)
    return model, (torch.rand(2, 3, 64, 64),)


def case_iris_actor_critic_padded():
    model, given = case_iris_actor_critic()
    return model, (*given, torch.tensor([True, False]))


def case_iris_tokenizer():
    inside("iris", "src")
    from models.tokenizer.nets import Decoder, Encoder, EncoderDecoderConfig
    from models.tokenizer.tokenizer import Tokenizer

    config = EncoderDecoderConfig(
        resolution=16,
        in_channels=3,
        z_channels=16,
        ch=32,
        ch_mult=[1, 2],
        num_res_blocks=1,
        attn_resolutions=[8],
        out_ch=3,
        dropout=0.0,
    )
    return (
        Tokenizer(20, 8, Encoder(config), Decoder(config), with_lpips=False),
        (torch.rand(2, 3, 16, 16),),
        {"should_preprocess": True, "should_postprocess": True},
    )


def score(name, **options):
    """A score network of score_sde."""
    inside("score_sde_pytorch")
    absent("op")
    module = importlib.import_module(f"models.{name.lower()[:6]}")
    model = {
        "name": name.lower(),
        "nonlinearity": "swish",
        "nf": 32,
        "ch_mult": (1, 2),
        "num_res_blocks": 1,
        "attn_resolutions": (8,),
        "resamp_with_conv": True,
        "conditional": True,
        "normalization": "GroupNorm",
        "dropout": 0.1,
        "sigma_min": 0.01,
        "sigma_max": 50,
        "num_scales": 10,
        "beta_min": 0.1,
        "beta_max": 20.0,
        "embedding_type": "positional",
        "fir": True,
        "fir_kernel": [1, 3, 3, 1],
        "skip_rescale": True,
        "resblock_type": "biggan",
        "progressive": "none",
        "progressive_input": "residual",
        "progressive_combine": "sum",
        "attention_type": "ddpm",
        "init_scale": 0.0,
        "fourier_scale": 16,
        "conv_size": 3,
        "scale_by_sigma": True,
        **options,
    }
    config = names(
        model=model,
        data={"image_size": 16, "num_channels": 3, "channels": 3, "centered": False},
        training={"continuous": True, "sde": "vesde"},
    )
    labels = torch.tensor([3, 7])
    return getattr(module, name)(config), (torch.randn(2, 3, 16, 16), labels)


def case_score_ddpm():
    return score("DDPM")


def case_score_ncsnpp():
    return score("NCSNpp", fir=False)


def case_score_ncsnv2():
    return score("NCSNv2", nonlinearity="elu", normalization="InstanceNorm++", interpolation="bilinear")


def one_process():
    """A group of one process, which training scripts start."""
    if not torch.distributed.is_initialized():
        torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)


def case_var_vqvae():
    inside("VAR")
    from models.vqvae import VQVAE

    one_process()
    model = VQVAE(vocab_size=16, z_channels=8, ch=32, v_patch_nums=(1, 2, 4), test_mode=False)
    return model, (torch.rand(2, 3, 64, 64),)


def case_var_vqvae_usages():
    model, given = case_var_vqvae()
    return model, given, {"ret_usages": True}


def case_var():
    inside("VAR")
    from models.var import VAR
    from models.vqvae import VQVAE

    vae = VQVAE(vocab_size=16, z_channels=8, ch=32, v_patch_nums=(1, 2, 4))
    model = VAR(
        vae, num_classes=5, depth=1, embed_dim=32, num_heads=2, patch_nums=(1, 2, 4), flash_if_available=False,
        fused_if_available=False,
    )  # fmt: skip
    return model, (torch.tensor([1, 3]), torch.randn(2, 20, 8))


def case_mar():
    inside("mar")
    from models.mar import MAR

    model = MAR(
        img_size=64,
        encoder_embed_dim=32,
        encoder_depth=1,
        encoder_num_heads=2,
        decoder_embed_dim=32,
        decoder_depth=1,
        decoder_num_heads=2,
        class_num=5,
        diffloss_d=1,
        diffloss_w=32,
        diffusion_batch_mul=1,
    )
    return model, (torch.randn(2, 16, 4, 4), torch.tensor([1, 3]))


def case_mar_autoencoder():
    inside("mar")
    from models.vae import AutoencoderKL

    AutoencoderKL.training_step = AutoencoderKL.configure_optimizers = None
    return AutoencoderKL(4, (1, 1, 2)), (torch.rand(1, 3, 32, 32),)


def case_detr():
    inside("detr")
    from models.backbone import Backbone, Joiner
    from models.detr import DETR
    from models.position_encoding import PositionEmbeddingSine
    from models.transformer import Transformer

    import util.misc  # isort: skip

    util.misc.is_main_process()
    importlib.import_module("models.backbone").is_main_process = lambda: False
    backbone = Backbone("resnet18", True, False, False)
    joiner = Joiner(backbone, PositionEmbeddingSine(16, normalize=True))
    joiner.num_channels = backbone.num_channels
    transformer = Transformer(
        d_model=32, nhead=2, num_encoder_layers=1, num_decoder_layers=1, return_intermediate_dec=True
    )
    return DETR(joiner, transformer, 5, 4, aux_loss=True), ([torch.rand(3, 64, 64), torch.rand(3, 48, 64)],)


def case_detr_criterion():
    inside("detr")
    from models.detr import SetCriterion
    from models.matcher import HungarianMatcher

    weights = {"loss_ce": 1, "loss_bbox": 5, "loss_giou": 2}
    criterion = SetCriterion(5, HungarianMatcher(), weights, 0.1, ["labels", "boxes", "cardinality"])
    boxes = torch.rand(2, 4, 4) * 0.3 + 0.3
    targets = [
        {"labels": torch.tensor([1, 2]), "boxes": boxes[0, :2]},
        {"labels": torch.tensor([0]), "boxes": boxes[1, :1]},
    ]
    return criterion, ({"pred_logits": torch.randn(2, 4, 6), "pred_boxes": boxes}, targets)


def case_detr_post():
    inside("detr")
    from models.detr import PostProcess

    outputs = {"pred_logits": torch.randn(2, 4, 6), "pred_boxes": torch.rand(2, 4, 4)}
    return PostProcess(), (outputs, torch.tensor([[64, 64], [48, 64]]))


def case_detr_masks():
    inside("detr")
    from models.segmentation import MHAttentionMap

    return MHAttentionMap(16, 16, 2), (torch.randn(1, 4, 16), torch.randn(1, 16, 8, 8))


def case_monodepth_depth():
    inside("monodepth2")
    import numpy as np
    from networks.depth_decoder import DepthDecoder

    channels = np.array([8, 8, 16, 32, 64])
    return DepthDecoder(channels), ([torch.randn(1, c, 32 // 2**i, 32 // 2**i) for i, c in enumerate(channels)],)


def case_monodepth_pose():
    inside("monodepth2")
    import numpy as np
    from networks.pose_decoder import PoseDecoder

    return PoseDecoder(np.array([8, 8, 16, 32, 64]), 2, 1), ([[torch.randn(1, 64, 4, 4)], [torch.randn(1, 64, 4, 4)]],)


def case_monodepth_pose_cnn():
    inside("monodepth2")
    from networks.pose_cnn import PoseCNN

    return PoseCNN(2), (torch.rand(1, 6, 64, 64),)


def case_monodepth_encoder():
    inside("monodepth2")
    from networks.resnet_encoder import ResnetEncoder

    return ResnetEncoder(18, False), (torch.rand(1, 3, 64, 64),)


def case_monodepth_layers():
    inside("monodepth2")
    from layers import BackprojectDepth

    return BackprojectDepth(1, 8, 8), (torch.rand(1, 1, 8, 8), torch.eye(4)[None])


def case_monodepth_ssim():
    inside("monodepth2")
    from layers import SSIM

    return SSIM(), (torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8))


def taming(module, name, *options, given, **more):
    """A part of taming-transformers."""
    import transformers

    inside("taming-transformers")
    transformers.top_k_top_p_filtering = None
    made = getattr(importlib.import_module(f"taming.modules.{module}"), name)(*options, **more)
    return made, given


def case_taming_quantizer():
    return taming("vqvae.quantize", "VectorQuantizer", 8, 4, 0.25, given=(torch.randn(2, 4, 5, 5),))


def case_taming_quantizer2():
    return taming(
        "vqvae.quantize", "VectorQuantizer2", 8, 4, beta=0.25, sane_index_shape=True, given=(torch.randn(2, 4, 5, 5),)
    )


def case_taming_gumbel():
    return taming("vqvae.quantize", "GumbelQuantize", 4, 4, 8, given=(torch.randn(2, 4, 5, 5),))


def case_taming_gpt():
    return taming(
        "transformer.mingpt", "GPT", 12, 10, n_layer=1, n_head=2, n_embd=16, given=(torch.randint(0, 12, (2, 6)),)
    )


def case_taming_kmeans():
    model, given = taming("transformer.mingpt", "KMeans", 4, 3, given=(torch.rand(2, 3, 4, 4),))
    return model, given


def case_taming_actnorm():
    return taming("util", "ActNorm", 4, logdet=True, given=(torch.randn(2, 4, 5, 5),))


def case_taming_discriminator():
    return taming("discriminator.model", "NLayerDiscriminator", 3, 8, 2, given=(torch.rand(2, 3, 32, 32),))


def case_taming_permuter():
    return taming("transformer.permuter", "SpiralOut", 4, 4, given=(torch.randint(0, 9, (2, 16)),))


def case_taming_encoder():
    return taming(
        "diffusionmodules.model",
        "Encoder",
        ch=32,
        out_ch=3,
        ch_mult=(1, 2),
        num_res_blocks=1,
        attn_resolutions=[8],
        in_channels=3,
        resolution=16,
        z_channels=4,
        given=(torch.rand(1, 3, 16, 16),),
    )


def case_taming_model():
    return taming(
        "diffusionmodules.model",
        "Model",
        ch=32,
        out_ch=3,
        ch_mult=(1, 2),
        num_res_blocks=1,
        attn_resolutions=[8],
        in_channels=3,
        resolution=16,
        given=(torch.rand(1, 3, 16, 16), torch.tensor([3])),
    )


def case_ijepa_encoder():
    inside("ijepa")
    from src.models.vision_transformer import VisionTransformer

    model = VisionTransformer(img_size=[32], patch_size=8, embed_dim=16, depth=1, num_heads=2)
    return model, (torch.rand(2, 3, 32, 32), [torch.tensor([[0, 1, 2], [3, 4, 5]])])


def case_ijepa_predictor():
    inside("ijepa")
    from src.models.vision_transformer import VisionTransformerPredictor

    model = VisionTransformerPredictor(16, embed_dim=16, predictor_embed_dim=16, depth=1, num_heads=2)
    seen, wanted = [torch.tensor([[0, 1, 2], [3, 4, 5]])], [torch.tensor([[6, 7], [8, 9]])]
    return model, (torch.randn(2, 3, 16), seen, wanted)


def case_clip():
    inside("CLIP")
    absent("clip.clip")
    from clip.model import CLIP

    model = CLIP(8, 32, 1, 64, 8, 6, 20, 16, 2, 1)
    return model, (torch.rand(2, 3, 32, 32), torch.randint(0, 20, (2, 6)))


def case_clip_resnet():
    inside("CLIP")
    absent("clip.clip")
    from clip.model import CLIP

    model = CLIP(8, 32, (1, 1, 1, 1), 2, None, 6, 20, 16, 2, 1)
    return model, (torch.rand(2, 3, 32, 32), torch.randint(0, 20, (2, 6)))


def edm(name, **options):
    """A preconditioned network of edm."""
    inside("edm")
    module = importlib.import_module("training.networks")
    small = {"model_channels": 16, "channel_mult": [1, 2], "num_blocks": 1, "attn_resolutions": [8]}
    return (
        getattr(module, name)(16, 3, **small, **options),
        (torch.randn(2, 3, 16, 16), torch.tensor([1.0, 2.0])),
    )


def case_edm_edm():
    return edm("EDMPrecond", model_type="DhariwalUNet")


def case_edm_vp():
    return edm("VPPrecond", model_type="SongUNet")


def case_edm_ve():
    return edm("VEPrecond", model_type="SongUNet", label_dim=3)


def case_edm_iddpm():
    return edm("iDDPMPrecond", model_type="DhariwalUNet")


def case_consistency_unet():
    inside("consistency_models")
    absent("flash_attn", "blobfile", "mpi4py")
    from cm.unet import UNetModel

    model = UNetModel(
        16, 3, 32, 3, 1, (2,), channel_mult=(1, 2), num_heads=2, num_head_channels=16, resblock_updown=True
    )
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([3.0, 7.0]))


def case_dvq_quantizer():
    inside("deep-vector-quantization")
    from dvq.model.quantize import VQVAEQuantize

    return VQVAEQuantize(8, 10, 4), (torch.randn(2, 8, 5, 5),)


def case_dvq_gumbel():
    inside("deep-vector-quantization")
    from dvq.model.quantize import GumbelQuantize

    return GumbelQuantize(8, 10, 4), (torch.randn(2, 8, 5, 5),)


def case_dvq_openai():
    inside("deep-vector-quantization")
    from dvq.model.openai_enc_dec import OpenAIEncoder

    return OpenAIEncoder(), (torch.rand(1, 3, 32, 32),)


def mvsnerf(name, *options, given, **more):
    """A network of mvsnerf."""
    inside("mvsnerf")
    return getattr(importlib.import_module("models"), name)(*options, **more), given


def case_mvsnerf_nerf():
    return mvsnerf("Renderer_ours", D=2, W=16, input_ch=3, output_ch=4, skips=[1], input_ch_views=3, input_ch_feat=8,
                   use_viewdirs=True, given=(torch.randn(4, 5, 14),))  # fmt: skip


def case_mvsnerf_features():
    return mvsnerf("FeatureNet", given=(torch.rand(1, 3, 32, 32),))
