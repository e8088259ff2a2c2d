"""Papers' own code on images, points and fields."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import kornia.filters
import kornia.utils
import numpy as np
import torch
from exam_surroundings import absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = [
    "SwinIR",
    "giraffe",
    "LightGlue",
    "SuperGluePretrainedNetwork",
    "LoFTR",
    "RAFT",
    "U-2-Net",
    "guided-diffusion",
    "pointMLP-pytorch",
    "Point-Transformers",
    "siren",
    "votenet",
    "deep-text-recognition-benchmark",
]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written
Rotation.as_dcm = Rotation.as_matrix  # likewise
sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it
absent("pointnet2_ops", "matplotlib", "mpi4py", "blobfile", "cmapy", "skimage", "imageio", "trimesh", "tensorboardX")


def restored(**options):
    """SwinIR on images whose sides are no multiple of its window."""
    inside("SwinIR")
    from models.network_swinir import SwinIR

    given = {"img_size": 16, "window_size": 4, "depths": [2, 2], "embed_dim": 12, "num_heads": [2, 2], "mlp_ratio": 2}
    return SwinIR(**{**given, **options}), (torch.rand(1, options.get("in_chans", 3), 18, 16),)


def case_swinir_super_resolution():
    return restored(upscale=2, upsampler="pixelshuffle", img_range=1.0)


def case_swinir_real():
    return restored(upscale=4, upsampler="nearest+conv", resi_connection="3conv")


def case_swinir_denoising():
    return restored(upscale=1, upsampler="", in_chans=1, ape=False, use_checkpoint=True)


def case_giraffe_decoder():
    inside("giraffe")
    from im2scene.giraffe.models.decoder import Decoder

    model = Decoder(hidden_size=16, n_blocks=6, z_dim=8, rgb_out_dim=8)
    return model, (torch.randn(2, 10, 3), torch.randn(2, 10, 3), torch.randn(2, 8), torch.randn(2, 8))


def case_giraffe_decoder_without_codes():
    inside("giraffe")
    from im2scene.giraffe.models.decoder import Decoder

    return Decoder(hidden_size=16, n_blocks=4, z_dim=8), (torch.randn(2, 10, 3), torch.randn(2, 10, 3))


def scene(**options):
    """GIRAFFE's generator, of objects before a background."""
    inside("giraffe")
    from im2scene.giraffe.models.bounding_box_generator import BoundingBoxGenerator
    from im2scene.giraffe.models.decoder import Decoder
    from im2scene.giraffe.models.generator import Generator
    from im2scene.giraffe.models.neural_renderer import NeuralRenderer

    small = {"hidden_size": 16, "n_blocks": 2, "rgb_out_dim": 8, "skips": []}
    boxes = BoundingBoxGenerator(n_boxes=1, check_collison=options.pop("check_collison", False))
    model = Generator(
        "cpu",
        z_dim=8,
        z_dim_bg=4,
        decoder=Decoder(z_dim=8, **small),
        n_ray_samples=4,
        bounding_box_generator=boxes,
        background_generator=Decoder(z_dim=4, **small),
        resolution_vol=8,
        neural_renderer=NeuralRenderer(n_feat=16, input_dim=8, img_size=16, min_feat=8),
        **options,
    )
    return model, (2,)


def case_giraffe_generator():
    return scene(use_max_composition=False)


def case_giraffe_generator_with_maximum():
    return scene(use_max_composition=True, check_collison=True)


def case_giraffe_boxes():
    inside("giraffe")
    from im2scene.giraffe.models.bounding_box_generator import BoundingBoxGenerator

    return BoundingBoxGenerator(n_boxes=2, check_collison=True), (4,)


def case_giraffe_renderer():
    inside("giraffe")
    from im2scene.giraffe.models.neural_renderer import NeuralRenderer

    return NeuralRenderer(n_feat=16, input_dim=8, img_size=32, min_feat=8, use_norm=True), (torch.randn(2, 8, 16, 16),)


def case_giraffe_discriminator():
    inside("giraffe")
    from im2scene.discriminator.conv import DCDiscriminator

    return DCDiscriminator(3, n_feat=32, img_size=32), (torch.rand(2, 3, 32, 32),)


def case_lightglue():
    inside("LightGlue")
    from lightglue.lightglue import LightGlue

    def image():
        return {
            "keypoints": torch.rand(1, 12, 2) * 60,
            "descriptors": torch.randn(1, 12, 16),
            "image_size": torch.tensor([[64.0, 64.0]]),
        }

    model = LightGlue(None, input_dim=16, descriptor_dim=16, n_layers=3, num_heads=2)
    return model, ({"image0": image(), "image1": image()},)


def case_lightglue_without_pruning():
    model, (data,) = case_lightglue()
    model.conf.depth_confidence = model.conf.width_confidence = -1
    return model, (data,)


def case_lightglue_superpoint():
    inside("LightGlue")
    torch.hub.load_state_dict_from_url = lambda *_, **__: {}
    from lightglue.superpoint import SuperPoint

    loading, SuperPoint.load_state_dict = SuperPoint.load_state_dict, lambda *_, **__: None
    model = SuperPoint(max_num_keypoints=20)
    SuperPoint.load_state_dict = loading
    return model, ({"image": torch.rand(1, 1, 64, 64)},)


def unloaded(name: str):
    """A class of SuperGlue's repository, which loads no weights when it is made."""
    inside("SuperGluePretrainedNetwork")
    kind = getattr(importlib.import_module(f"models.{name.lower()}"), name)
    kind.load_state_dict = lambda *_, **__: None
    return kind


def built(kind, config):
    """A model whose constructor reads files that are not there."""
    kept, torch.load = torch.load, lambda *_, **__: {}
    try:
        return kind(config)
    finally:
        torch.load = kept


def case_superglue():
    kind = unloaded("SuperGlue")
    model = built(
        kind,
        {"descriptor_dim": 16, "keypoint_encoder": [8, 16], "GNN_layers": ["self", "cross"], "sinkhorn_iterations": 5},
    )
    data = {"image0": torch.rand(1, 1, 32, 32), "image1": torch.rand(1, 1, 32, 32)}
    for side in "01":
        data |= {
            f"keypoints{side}": torch.rand(1, 10, 2) * 30,
            f"scores{side}": torch.rand(1, 10),
            f"descriptors{side}": torch.randn(1, 16, 10),
        }
    return model, (data,)


def case_superglue_superpoint():
    model = built(unloaded("SuperPoint"), {"max_keypoints": 20, "keypoint_threshold": 0.0})
    return model, ({"image": torch.rand(1, 1, 64, 64)},)


def case_superglue_matching():
    inside("SuperGluePretrainedNetwork")
    from models.matching import Matching

    unloaded("SuperPoint"), unloaded("SuperGlue")
    config = {
        "superpoint": {"keypoint_threshold": 0.0, "max_keypoints": 20},
        "superglue": {"GNN_layers": ["self", "cross"], "sinkhorn_iterations": 3},
    }
    return built(Matching, config), ({"image0": torch.rand(1, 1, 48, 48), "image1": torch.rand(1, 1, 48, 48)},)


def matched(**options):
    """LoFTR, small, and two grey images."""
    inside("LoFTR")
    from src.config.default import get_cfg_defaults
    from src.utils.misc import lower_config

    config = get_cfg_defaults()
    config.LOFTR.COARSE.LAYER_NAMES = ["self", "cross"]
    for key, value in options.items():
        setattr(config.LOFTR.MATCH_COARSE, key.upper(), value)
    from src.loftr import LoFTR

    data = {"image0": torch.rand(1, 1, 64, 64), "image1": torch.rand(1, 1, 64, 64)}
    return LoFTR(lower_config(config)["loftr"]), (data,)


def case_loftr():
    model, args = matched()
    model.eval()
    return model, args


def flow(**options):
    """RAFT and two images."""
    inside("RAFT", "core")
    from argparse import Namespace

    from raft import RAFT

    args = Namespace(mixed_precision=False, **{"small": False, **options})
    return RAFT(args), (torch.rand(1, 3, 128, 128) * 255, torch.rand(1, 3, 128, 128) * 255), {"iters": 2}


def case_raft():
    return flow()


def case_raft_small():
    return flow(small=True, dropout=0.1)


def case_raft_test():
    model, images, options = flow()
    return model, images, {**options, "test_mode": True, "flow_init": torch.zeros(1, 2, 16, 16)}


def case_u2net():
    inside("U-2-Net")
    from model import U2NETP

    return U2NETP(3, 1), (torch.rand(2, 3, 64, 64),)


def case_u2net_refactored():
    inside("U-2-Net")
    from model.u2net_refactor import U2NET_lite

    return U2NET_lite(), (torch.rand(2, 3, 64, 64),)


def case_guided_diffusion_unet():
    inside("guided-diffusion")
    from guided_diffusion.unet import UNetModel

    model = UNetModel(
        16,
        3,
        32,
        3,
        1,
        (2,),
        channel_mult=(1, 2),
        num_classes=4,
        use_checkpoint=True,
        use_scale_shift_norm=True,
        resblock_updown=True,
    )
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([1, 7]), torch.tensor([0, 2]))


def case_guided_diffusion_super_resolution():
    inside("guided-diffusion")
    from guided_diffusion.unet import SuperResModel

    model = SuperResModel(
        16, 3, 32, 3, 1, (2,), channel_mult=(1, 2), num_head_channels=16, use_new_attention_order=True
    )
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([1, 7])), {"low_res": torch.randn(2, 3, 8, 8)}


def case_guided_diffusion_classifier():
    inside("guided-diffusion")
    from guided_diffusion.unet import EncoderUNetModel

    model = EncoderUNetModel(16, 3, 32, 5, 1, (2,), channel_mult=(1, 2), pool="spatial_v2")
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([1, 7]))


def case_guided_diffusion_losses():
    inside("guided-diffusion")
    from guided_diffusion.script_util import create_gaussian_diffusion

    class Losses(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = torch.nn.Conv2d(3, 6, 1)
            self.diffusion = create_gaussian_diffusion(steps=20, learn_sigma=True)

        def denoise(self, x, t):
            return self.net(x)

        def forward(self, x, t, noise):
            return self.diffusion.training_losses(self.denoise, x, t, noise=noise)["loss"]

    return Losses(), (torch.randn(2, 3, 8, 8), torch.tensor([1, 7]), torch.randn(2, 3, 8, 8))


def case_guided_diffusion_step():
    inside("guided-diffusion")
    from guided_diffusion.script_util import create_gaussian_diffusion

    diffusion, net = create_gaussian_diffusion(steps=20, timestep_respacing="5"), torch.nn.Conv2d(3, 3, 1)
    return diffusion.p_sample, (lambda x, t: net(x), torch.randn(2, 3, 8, 8), torch.tensor([1, 3]))


def case_pointmlp_loss_free():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp
    from pointnet2_ops import pointnet2_utils

    pointnet2_utils.furthest_point_sample = pointmlp.farthest_point_sample
    pointnet2_utils.gather_operation = lambda x, idx: x
    model = pointmlp.Model(
        points=64,
        class_num=4,
        embed_dim=8,
        normalize="anchor",
        use_xyz=False,
        pre_blocks=[1] * 4,
        pos_blocks=[1] * 4,
        k_neighbors=[4] * 4,
    )
    return model, (torch.rand(2, 3, 64),)


def case_pointmlp_grouper():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp
    from pointnet2_ops import pointnet2_utils

    pointnet2_utils.furthest_point_sample = pointmlp.farthest_point_sample
    return pointmlp.LocalGrouper(8, 16, 4, normalize="center"), (torch.rand(2, 64, 3), torch.randn(2, 64, 8))


def case_pointmlp_sampling():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp

    return pointmlp.farthest_point_sample, (torch.rand(2, 64, 3), 8)


def case_pointmlp_ball():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp

    return pointmlp.query_ball_point, (0.3, 8, torch.rand(2, 64, 3), torch.rand(2, 8, 3))


def points(kind: str, **model):
    """A model of Point-Transformers, of points with normals."""
    inside("Point-Transformers")
    module = importlib.import_module(f"models.{kind}.model")
    return module, SimpleNamespace(num_point=256, num_class=4, input_dim=6, model=SimpleNamespace(**model))


def case_point_transformer_hengshuang():
    module, config = points("Hengshuang", nneighbor=4, nblocks=2, transformer_dim=16)
    return module.PointTransformerCls(config), (torch.rand(2, 256, 6),)


def case_point_transformer_hengshuang_segments():
    module, config = points("Hengshuang", nneighbor=4, nblocks=2, transformer_dim=16)
    return module.PointTransformerSeg(config), (torch.rand(2, 256, 6),)


def case_point_transformer_menghao():
    module, config = points("Menghao")
    config.num_point = 1024
    return module.PointTransformerCls(config), (torch.rand(2, 1024, 6),)


def case_point_transformer_nico():
    module, config = points("Nico", n_head=2, m=2, k=8, global_k=16, global_dim=16, local_dim=16, reduce_dim=8)
    return module.PointTransformerCls(config), (torch.rand(2, 1024, 6),)


def case_point_transformer_sets_of_all():
    inside("Point-Transformers")
    from pointnet_util import PointNetSetAbstraction

    model = PointNetSetAbstraction(None, None, None, 3 + 3, [8, 16], group_all=True)
    return model, (torch.rand(2, 64, 3), torch.rand(2, 64, 3))


def case_point_transformer_sets_with_radius():
    inside("Point-Transformers")
    from pointnet_util import PointNetSetAbstraction

    model = PointNetSetAbstraction(16, 0.3, 8, 3 + 3, [8, 16], group_all=False)
    return model, (torch.rand(2, 64, 3), torch.rand(2, 64, 3))


def case_siren():
    inside("siren")
    from modules import SingleBVPNet

    return SingleBVPNet(1, "sine", 2, hidden_features=16, num_hidden_layers=2), ({"coords": torch.rand(1, 20, 2)},)


def case_siren_radial():
    inside("siren")
    from modules import SingleBVPNet

    model = SingleBVPNet(1, "relu", 2, mode="rbf", hidden_features=16, num_hidden_layers=2, rbf_centers=8)
    return model, ({"coords": torch.rand(1, 20, 2)},)


def case_siren_nerf():
    inside("siren")
    from modules import SingleBVPNet

    model = SingleBVPNet(1, "relu", 3, mode="nerf", hidden_features=16, num_hidden_layers=2)
    return model, ({"coords": torch.rand(1, 20, 3)},)


def case_siren_physics():
    inside("siren")
    from modules import PINNet

    return PINNet(1, "tanh", 3), ({"coords": torch.rand(1, 20, 3)},)


def case_siren_hypernetwork():
    inside("siren")
    from meta_modules import NeuralProcessImplicit2DHypernet

    model = NeuralProcessImplicit2DHypernet(5, 3, image_resolution=(8, 8))
    data = {"coords": torch.rand(1, 16, 2), "img_sub": torch.rand(1, 16, 3), "coords_sub": torch.rand(1, 16, 2)}
    return model, (data,)


def case_siren_hypernetwork_of_images():
    inside("siren")
    from meta_modules import ConvolutionalNeuralProcessImplicit2DHypernet

    model = ConvolutionalNeuralProcessImplicit2DHypernet(3, 3, image_resolution=(32, 32))
    return model, ({"coords": torch.rand(1, 16, 2), "img_sparse": torch.rand(1, 3, 32, 32)},)


def case_siren_differential_operators():
    inside("siren")
    import diff_operators
    from modules import SingleBVPNet

    class Energy(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = SingleBVPNet(1, "sine", 2, hidden_features=16, num_hidden_layers=1)

        def forward(self, coords):
            found = self.net({"coords": coords})
            x, y = found["model_in"], found["model_out"]
            return diff_operators.gradient(y, x).sum() + diff_operators.laplace(y, x).sum()

    return Energy(), (torch.rand(1, 10, 2),)


def case_siren_losses():
    inside("siren")
    import loss_functions
    from modules import SingleBVPNet

    class Distance(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = SingleBVPNet(1, "sine", 3, hidden_features=16, num_hidden_layers=1)

        def forward(self, coords, gt):
            return loss_functions.sdf(self.net({"coords": coords}), gt)

    return Distance(), (torch.rand(1, 10, 3), {"sdf": torch.rand(1, 10, 1), "normals": torch.rand(1, 10, 3)})


def case_votenet_voting():
    inside("votenet", "models")
    from voting_module import VotingModule

    return VotingModule(2, 16), (torch.rand(2, 20, 3), torch.randn(2, 16, 20))


def case_votenet_scores():
    inside("votenet")
    sys.path[:0] = [sys.path[0] + "/" + part for part in ("pointnet2", "utils", "models")]
    sys.modules["pointnet2._ext"] = MagicMock()
    from models.proposal_module import decode_scores

    sizes = np.random.default_rng(0).random((5, 3)).astype("float32")
    ends = {"aggregated_vote_xyz": torch.rand(2, 8, 3)}
    return decode_scores, (torch.randn(2, 2 + 3 + 4 * 2 + 5 * 4 + 6, 8), ends, 6, 4, 5, sizes)


def case_votenet_distance():
    inside("votenet", "utils")
    from nn_distance import nn_distance

    return nn_distance, (torch.rand(2, 8, 3), torch.rand(2, 10, 3)), {"l1": True}


def case_votenet_distance_smooth():
    inside("votenet", "utils")
    from nn_distance import nn_distance

    return nn_distance, (torch.rand(2, 8, 3), torch.rand(2, 10, 3)), {"l1smooth": True}


def read(**options):
    """A reader of words in pictures."""
    inside("deep-text-recognition-benchmark")
    from model import Model

    given = {
        "Transformation": "TPS",
        "FeatureExtraction": "ResNet",
        "SequenceModeling": "BiLSTM",
        "Prediction": "Attn",
        "num_fiducial": 6,
        "imgH": 32,
        "imgW": 64,
        "input_channel": 1,
        "output_channel": 32,
        "hidden_size": 16,
        "num_class": 12,
        "batch_max_length": 5,
        **options,
    }
    return Model(SimpleNamespace(**given)), (torch.rand(2, 1, 32, 64), torch.randint(0, 12, (2, 26)))


def case_text_attention():
    return read()


def case_text_attention_greedy():
    model, args = read()
    return model, args, {"is_train": False}


def case_text_ctc():
    return read(Transformation="None", FeatureExtraction="RCNN", SequenceModeling="None", Prediction="CTC")


def case_text_vgg():
    return read(FeatureExtraction="VGG", Prediction="CTC")
