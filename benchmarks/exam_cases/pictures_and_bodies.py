"""Images, attacks, proteins, rotations, robots, spikes, recommendations and what lies outside a distribution."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import torch
from torch import nn

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

import numpy as np
import pypose
import pytorch_kinematics
import roma
import torchattacks
from deepinv.physics import Blur, BlurFFT
from pfrl.nn import RecurrentSequential
from pfrl.policies import GaussianHeadWithStateIndependentCovariance, SoftmaxCategoricalHead
from pfrl.q_functions import DiscreteActionValueHead, DuelingDQN, FCQuadraticStateQFunction
from pfrl.q_functions import DistributionalFCStateQFunctionWithDiscreteAction as Chosen
from pfrl.utils.recurrent import pack_and_forward
from pytorch_ood.detector import ASH, ODIN, EnergyBased

PACKAGES = (
    "deepinv segment_anything efficientnet_pytorch dynamic_network_architectures unet pytorch_toolbelt torchattacks "
    "esm ablang egnn_pytorch invariant_point_attention roma pytorch_kinematics pypose pfrl cebra spikingjelly "
    "complextorch torch_rechub pytorch_ood"
).split()


def image(*size: int) -> torch.Tensor:
    return torch.rand(size or (1, 1, 16, 16))


def case_median_filter():
    from deepinv.models import MedianFilter

    return MedianFilter(3), (image(),)


def case_total_variation():
    from deepinv.models import TVDenoiser

    return TVDenoiser(n_it_max=3), (image(), 0.1)


def case_generalized_variation():
    from deepinv.models import TGVDenoiser

    return TGVDenoiser(n_it_max=3), (image(), 0.1)


def case_bilateral():
    from deepinv.models import BilateralFilter

    return BilateralFilter(), (image(),)


def case_dncnn():
    from deepinv.models import DnCNN

    return DnCNN(1, 1, depth=3, nf=4, pretrained=None), (image(),)


def case_drunet():
    from deepinv.models import DRUNet

    return DRUNet(1, 1, nc=(4, 4, 4, 4), nb=1, pretrained=None), (image(), 0.1)


def case_drunet_padded():
    from deepinv.models import DRUNet

    return DRUNet(1, 1, nc=(4, 4, 4, 4), nb=1, pretrained=None), (image(1, 1, 17, 33), torch.tensor([0.1]))


def case_convex():
    from deepinv.models import ICNN

    return ICNN(1, num_filters=4, kernel_dim=3, num_layers=2), (image(),)


def case_unet_of_inverse_problems():
    from deepinv.models import UNet

    return UNet(1, 1, scales=2, channels_per_scale=[4, 8]), (image(),)


def case_modl():
    from deepinv.models import DnCNN, MoDL
    from deepinv.physics import Denoising

    physics = Denoising()
    return MoDL(DnCNN(1, 1, depth=3, nf=4, pretrained=None), num_iter=2), (image(), physics)


def case_artifact_removal():
    from deepinv.models import ArtifactRemoval, DnCNN
    from deepinv.physics import Inpainting

    physics = Inpainting((1, 16, 16), mask=0.5)
    return ArtifactRemoval(DnCNN(1, 1, depth=3, nf=4, pretrained=None)), (image(), physics)


def case_blur():
    from deepinv.physics import Blur

    return Blur(filter=torch.rand(1, 1, 3, 3), padding="circular"), (image(),)


class BlurFftInverse(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.physics = BlurFFT((1, 16, 16), filter=torch.rand(1, 1, 3, 3))

    def forward(self, x):
        return self.physics.A_dagger(x)


def case_blur_fft_inverse():
    return BlurFftInverse(), (image(),)


class BlurInverse(nn.Module):
    def forward(self, x):
        return Blur(filter=torch.rand(1, 1, 3, 3), padding="circular", max_iter=3).A_dagger(x)


def case_blur_inverse():
    return BlurInverse(), (image(),)


def case_inpainting():
    from deepinv.physics import GaussianNoise, Inpainting

    return Inpainting((1, 16, 16), mask=0.5, noise_model=GaussianNoise(0.1)), (image(),)


def case_mri():
    from deepinv.physics import MRI

    return MRI(mask=torch.ones(16, 16), img_size=(1, 2, 16, 16)), (image(1, 2, 16, 16),)


def case_tomography():
    from deepinv.physics import Tomography

    return Tomography(angles=4, img_width=16), (image(),)


def case_poisson_noise():
    from deepinv.physics import PoissonGaussianNoise

    return PoissonGaussianNoise(), (image(),)


def case_salt_and_pepper():
    from deepinv.physics import SaltPepperNoise

    return SaltPepperNoise(), (image(),)


def case_compressed_sensing():
    from deepinv.physics import CompressedSensing

    return CompressedSensing(8, (1, 16, 16)), (image(),)


def case_sure():
    from deepinv.loss import SureGaussianLoss
    from deepinv.models import MedianFilter
    from deepinv.physics import Denoising

    y = image()
    return (
        SureGaussianLoss(0.1),
        (),
        {"y": y, "x_net": y * 0.9, "physics": Denoising(), "model": lambda y, physics: MedianFilter(3)(y)},
    )


def case_equivariant_loss():
    from deepinv.loss import EILoss
    from deepinv.models import MedianFilter
    from deepinv.physics import Denoising
    from deepinv.transform import Shift

    return (
        EILoss(Shift()),
        (),
        {"x_net": image(), "physics": Denoising(), "model": lambda y, physics: MedianFilter(3)(y)},
    )


def case_splitting_loss():
    from deepinv.loss import SplittingLoss
    from deepinv.models import ArtifactRemoval, DnCNN
    from deepinv.physics import Inpainting

    physics = Inpainting((1, 16, 16), mask=0.5)
    model = SplittingLoss(split_ratio=0.5).adapt_model(ArtifactRemoval(DnCNN(1, 1, depth=3, nf=4, pretrained=None)))
    return model, (image(), physics), {"update_parameters": True}


def case_psnr():
    from deepinv.loss.metric import PSNR

    return PSNR(max_pixel=None), (image(), image())


def case_rotated():
    from deepinv.transform import Rotate

    return Rotate(multiples=90), (image(),)


def case_plug_and_play():
    from deepinv.models import MedianFilter
    from deepinv.optim import optim_builder
    from deepinv.optim.data_fidelity import L2
    from deepinv.optim.prior import PnP
    from deepinv.physics import Denoising

    model = optim_builder(
        "PGD",
        data_fidelity=L2(),
        prior=PnP(denoiser=MedianFilter(3)),
        max_iter=2,
        params_algo={"stepsize": 1.0, "g_param": 0.1},
    )
    return model, (image(), Denoising())


def case_unfolded():
    from deepinv.models import DnCNN
    from deepinv.optim.data_fidelity import L2
    from deepinv.optim.prior import PnP
    from deepinv.physics import Denoising
    from deepinv.unfolded import unfolded_builder

    prior = PnP(denoiser=DnCNN(1, 1, depth=3, nf=4, pretrained=None))
    model = unfolded_builder(
        "HQS", data_fidelity=L2(), prior=prior, max_iter=2, params_algo={"stepsize": 1.0, "g_param": 0.1, "lambda": 1.0}
    )
    return model, (image(), Denoising())


def segmenter():
    from functools import partial

    from segment_anything.modeling import ImageEncoderViT, MaskDecoder, PromptEncoder, Sam, TwoWayTransformer

    encoder = ImageEncoderViT(
        depth=2,
        embed_dim=16,
        img_size=32,
        mlp_ratio=2,
        norm_layer=partial(nn.LayerNorm, eps=1e-6),
        num_heads=2,
        patch_size=8,
        qkv_bias=True,
        use_rel_pos=True,
        global_attn_indexes=[1],
        window_size=3,
        out_chans=16,
    )
    prompts = PromptEncoder(embed_dim=16, image_embedding_size=(4, 4), input_image_size=(32, 32), mask_in_chans=4)
    decoder = MaskDecoder(
        num_multimask_outputs=3,
        transformer=TwoWayTransformer(depth=1, embedding_dim=16, mlp_dim=16, num_heads=2),
        transformer_dim=16,
        iou_head_depth=2,
        iou_head_hidden_dim=16,
    )
    return Sam(encoder, prompts, decoder)


def case_segment_anything():
    one = {
        "image": torch.rand(3, 30, 32) * 255,
        "original_size": (30, 32),
        "point_coords": torch.rand(1, 1, 2) * 30,
        "point_labels": torch.ones(1, 1),
    }
    return segmenter(), ([one],), {"multimask_output": True}


def case_segment_anything_boxes():
    one = {"image": torch.rand(3, 32, 32) * 255, "original_size": (32, 32), "boxes": torch.tensor([[1.0, 2, 20, 30]])}
    return segmenter(), ([one],), {"multimask_output": False}


def case_efficient_net():
    from efficientnet_pytorch import EfficientNet

    return EfficientNet.from_name("efficientnet-b0", image_size=32, num_classes=3), (image(2, 3, 32, 32),)


def case_plain_conv_unet():
    from dynamic_network_architectures.architectures.unet import PlainConvUNet

    return PlainConvUNet(1, 2, (4, 8), nn.Conv2d, 3, (1, 2), 1, 2, 1, deep_supervision=True), (image(),)


def case_residual_encoder_unet():
    from dynamic_network_architectures.architectures.unet import ResidualEncoderUNet

    return ResidualEncoderUNet(1, 2, (4, 8), nn.Conv2d, 3, (1, 2), 1, 2, 1, norm_op=nn.InstanceNorm2d), (image(),)


def case_unet():
    from unet import UNet2D

    return UNet2D(num_encoding_blocks=2, out_channels_first_layer=4, normalization="batch", padding=1), (image(),)


def case_unet_residual():
    from unet import UNet3D

    model = UNet3D(
        num_encoding_blocks=2, out_channels_first_layer=4, residual=True, padding=1, upsampling_type="linear"
    )
    return model, (image(1, 1, 8, 8, 8),)


def toolbelt(name: str, target: torch.Tensor | None = None, **options):
    from pytorch_toolbelt import losses

    return getattr(losses, name)(**options), (
        torch.randn(2, 1, 4, 4),
        torch.randint(0, 2, (2, 1, 4, 4)) if target is None else target,
    )


def case_binary_focal():
    return toolbelt("BinaryFocalLoss", alpha=0.5, ignore_index=-1)


def case_lovasz():
    return toolbelt("BinaryLovaszLoss", target=torch.randint(0, 2, (2, 4, 4)), ignore_index=-1)


def case_lovasz_of_classes():
    from pytorch_toolbelt.losses import LovaszLoss

    return LovaszLoss(), (torch.randn(2, 3, 4, 4).softmax(1), torch.randint(0, 3, (2, 4, 4)))


def case_dice():
    return toolbelt("DiceLoss", mode="binary")


def case_jaccard():
    return toolbelt("JaccardLoss", mode="binary")


def case_bi_tempered():
    from pytorch_toolbelt.losses import BiTemperedLogisticLoss

    return BiTemperedLogisticLoss(0.8, 1.4), (
        torch.randn(2, 3),
        torch.tensor([[1.0, 0, 0], [0, 1, 0]]),
    )


def case_soft_cross_entropy():
    from pytorch_toolbelt.losses import SoftCrossEntropyLoss

    return SoftCrossEntropyLoss(smooth_factor=0.1, ignore_index=-100), (
        torch.randn(4, 3),
        torch.tensor([0, 2, 1, -100]),
    )


def case_wing():
    return toolbelt("WingLoss", target=torch.randn(2, 1, 4, 4))


def case_balanced_bce():
    return toolbelt("BalancedBCEWithLogitsLoss")


def case_quality_focal():
    return toolbelt("QualityFocalLoss", target=torch.rand(2, 1, 4, 4))


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(48, 3)

    def forward(self, x):
        return self.linear(x.flatten(1))


def pictures():
    return image(2, 3, 4, 4), torch.tensor([0, 2])


class AttackFgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.FGSM(Classifier())

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_fgsm():
    return AttackFgsm(), pictures()


class AttackPgd(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.PGD(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_pgd():
    return AttackPgd(), pictures()


class AttackCw(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.CW(Classifier(), steps=2)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_cw():
    return AttackCw(), pictures()


class AttackMifgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.MIFGSM(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_mifgsm():
    return AttackMifgsm(), pictures()


class AttackTifgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.TIFGSM(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_tifgsm():
    return AttackTifgsm(), pictures()


class AttackVnifgsm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.VNIFGSM(Classifier(), steps=1, N=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_vnifgsm():
    return AttackVnifgsm(), pictures()


class AttackJitter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.Jitter(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_jitter():
    return AttackJitter(), pictures()


class AttackPgdl2(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.PGDL2(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_pgdl2():
    return AttackPgdl2(), pictures()


class AttackDeepFool(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.DeepFool(Classifier(), steps=1)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_deep_fool():
    return AttackDeepFool(), pictures()


class AttackOneNoise(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.GN(Classifier())

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_one_noise():
    return AttackOneNoise(), pictures()


class AttackSpsa(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.SPSA(Classifier(), nb_iter=1, nb_sample=2, max_batch_size=2)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_spsa():
    return AttackSpsa(), pictures()


class AttackSquare(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attack = torchattacks.Square(Classifier(), n_queries=2)

    def forward(self, images, labels):
        return self.attack.forward(images, labels)


def case_attack_square():
    return AttackSquare(), pictures()


def proteins():
    import esm

    return esm.data.Alphabet.from_architecture("ESM-1b")


def case_esm():
    from esm.model.esm2 import ESM2

    return ESM2(1, 8, 2, proteins()), (torch.tensor([[0, 5, 6, 32, 2], [0, 7, 2, 1, 1]]),), {"need_head_weights": True}


def case_esm_first():
    from esm.model.esm1 import ProteinBertModel

    settings = SimpleNamespace(
        arch="roberta_large",
        layers=1,
        embed_dim=8,
        ffn_embed_dim=8,
        attention_heads=2,
        max_positions=16,
        token_dropout=True,
        emb_layer_norm_before=True,
        final_bias=False,
    )
    return ProteinBertModel(settings, proteins()), (torch.tensor([[0, 5, 6, 32, 2], [0, 7, 2, 1, 1]]),)


def case_antibodies():
    from ablang.model import AbLang

    settings = SimpleNamespace(
        pad_token_id=21,
        vocab_size=24,
        hidden_size=8,
        max_position_embeddings=16,
        layer_norm_eps=1e-12,
        hidden_dropout_prob=0.1,
        num_hidden_layers=1,
        num_attention_heads=2,
        attention_probs_dropout_prob=0.1,
        intermediate_size=8,
        hidden_act="gelu",
        initializer_range=0.02,
        chunk_size_feed_forward=0,
    )
    return AbLang(settings), (torch.tensor([[0, 5, 6, 21]]),)


def case_graph_of_atoms():
    from egnn_pytorch import EGNN

    return EGNN(dim=4, edge_dim=2, num_nearest_neighbors=2), (
        torch.randn(1, 5, 4),
        torch.randn(1, 5, 3),
        torch.randn(1, 5, 5, 2),
    )


def case_graph_of_atoms_masked():
    from egnn_pytorch import EGNN

    layer = EGNN(dim=4, fourier_features=1, norm_coors=True, soft_edges=True, coor_weights_clamp_value=2.0)
    return layer, (torch.randn(1, 5, 4), torch.randn(1, 5, 3)), {"mask": torch.ones(1, 5).bool()}


def case_network_of_atoms():
    from egnn_pytorch import EGNN_Network

    model = EGNN_Network(
        num_tokens=6,
        num_positions=8,
        dim=4,
        depth=1,
        only_sparse_neighbors=True,
        num_adj_degrees=2,
        adj_dim=2,
        global_linear_attn_every=1,
        global_linear_attn_heads=2,
        global_linear_attn_dim_head=2,
        num_global_tokens=2,
    )
    chain = torch.arange(5)
    adjacent = ((chain[:, None] <= chain[None] + 1) & (chain[:, None] >= chain[None] - 1)).bool()
    return (
        model,
        (torch.randint(0, 6, (1, 5)), torch.randn(1, 5, 3)),
        {"adj_mat": adjacent, "mask": torch.ones(1, 5).bool()},
    )


def case_invariant_points():
    from invariant_point_attention import IPABlock

    given = {
        "pairwise_repr": torch.randn(1, 4, 4, 8),
        "rotations": torch.eye(3).expand(1, 4, 3, 3),
        "translations": torch.zeros(1, 4, 3),
    }
    return (
        IPABlock(dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, require_pairwise_repr=True),
        (torch.randn(1, 4, 8),),
        {**given, "mask": torch.ones(1, 4).bool()},
    )


class Procrustes(nn.Module):
    def forward(self, x):
        return roma.special_procrustes(x)


def case_procrustes():
    return Procrustes(), (torch.randn(4, 3, 3),)


class RotationVectors(nn.Module):
    def forward(self, v):
        return roma.rotmat_to_rotvec(roma.rotvec_to_rotmat(v))


def case_rotation_vectors():
    return RotationVectors(), (torch.randn(4, 3),)


class QuaternionSlerp(nn.Module):
    def forward(self, x, y, z):
        return roma.unitquat_slerp(x, y, z)


def case_quaternion_slerp():
    return QuaternionSlerp(), (roma.random_unitquat(3), roma.random_unitquat(3), torch.linspace(0, 1, 3))


class RigidRegistration(nn.Module):
    def forward(self, x, y):
        return roma.rigid_points_registration(x, y)


def case_rigid_registration():
    return RigidRegistration(), (torch.randn(2, 5, 3), torch.randn(2, 5, 3))


class Euler(nn.Module):
    def forward(self, q):
        return roma.unitquat_to_euler("xyz", q)


def case_euler():
    return Euler(), (roma.random_unitquat(3),)


class GramSchmidt(nn.Module):
    def forward(self, x):
        return roma.special_gramschmidt(x)


def case_gram_schmidt():
    return GramSchmidt(), (torch.randn(4, 3, 2),)


URDF = """<robot name="arm"><link name="a"/><link name="b"/><link name="c"/>
<joint name="one" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="two" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0 1 0"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def robot():
    import pytorch_kinematics

    return pytorch_kinematics.build_serial_chain_from_urdf(URDF, "c")


class Kinematics(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = robot()

    def forward(self, th):
        return self.chain.forward_kinematics(th).get_matrix()


def case_kinematics():
    return Kinematics(), (torch.rand(3, 2),)


class Jacobian(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = robot()

    def forward(self, x):
        return self.chain.jacobian(x)


def case_jacobian():
    return Jacobian(), (torch.rand(3, 2),)


class AllLinks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = pytorch_kinematics.build_chain_from_urdf(URDF)

    def forward(self, th):
        return self.chain.forward_kinematics(th)["c"].get_matrix()


def case_all_links():
    return AllLinks(), (torch.rand(3, 2),)


class Transforms(nn.Module):
    def moved(self, points, rotation):
        return (
            pytorch_kinematics.Transform3d(rot=rotation, pos=points[0])
            .compose(pytorch_kinematics.Translate(points[:1]))
            .transform_points(points)
        )

    def forward(self, x, y):
        return self.moved(x, y)


def case_transforms():
    return Transforms(), (torch.rand(3, 3), torch.eye(3))


class MatrixToQuaternion(nn.Module):
    def forward(self, x):
        return pytorch_kinematics.matrix_to_quaternion(x)


def case_matrix_to_quaternion():
    return MatrixToQuaternion(), (torch.eye(3).expand(2, 3, 3),)


class So3Log(nn.Module):
    def forward(self, v):
        return pytorch_kinematics.so3_log_map(pytorch_kinematics.so3_exp_map(v))


def case_so3_log():
    return So3Log(), (torch.rand(2, 3),)


class Slerp(nn.Module):
    def forward(self, x, y, z):
        return pytorch_kinematics.quaternion_slerp(x, y, z)


def case_slerp():
    return Slerp(), (torch.rand(2, 4), torch.rand(2, 4), 0.3)


class LieGroup(nn.Module):
    def forward(self, x, p):
        return pypose.Exp(x).Act(p)


def case_lie_group():
    return LieGroup(), (pypose.se3(torch.randn(2, 6)), torch.randn(2, 3))


class LieProducts(nn.Module):
    def forward(self, x, y):
        return (x @ y).Log().tensor()


class LieMatrix(nn.Module):
    def forward(self, x):
        return pypose.mat2SO3(x).tensor()


def case_lie_matrix():
    return LieMatrix(), (torch.eye(3).expand(2, 3, 3),)


class Bspline(nn.Module):
    def forward(self, x):
        return pypose.chspline(x)


def case_bspline():
    return Bspline(), (torch.randn(1, 4, 3),)


def case_pnp():
    import pypose

    points, k = torch.rand(1, 8, 3) + 1, torch.eye(3)[None]
    pixels = pypose.point2pixel(points, k)
    return pypose.module.EPnP(refine=False), (points, pixels, k)


def case_icp():
    import pypose

    return pypose.module.ICP(stepper=pypose.utils.ReduceToBason(steps=2)), (torch.rand(6, 3), torch.rand(6, 3))


def case_imu():
    import pypose

    model = pypose.module.IMUPreintegrator()
    return model, (), {"dt": torch.rand(3, 1), "gyro": torch.rand(3, 3), "acc": torch.rand(3, 3)}


def case_linear_quadratic():
    import pypose

    a, b = torch.eye(2)[None], torch.ones(1, 2, 1)
    system = pypose.module.LTI(a, b, torch.eye(2)[None], torch.zeros(1, 2, 1))
    return pypose.module.LQR(system, torch.eye(3).expand(1, 3, 3, 3), torch.zeros(1, 3, 3), 3), (torch.ones(1, 2),)


def case_kalman():
    import pypose

    class Model(pypose.module.NLS):
        def state_transition(self, state, input, t=None):
            return state + input

        def observation(self, state, input, t=None):
            return state * 2

    model = pypose.module.EKF(Model(), torch.eye(2), torch.eye(2))
    return model, (torch.ones(2), torch.ones(2), torch.zeros(2), torch.eye(2))


class GaussianPolicy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Sequential(
            nn.Linear(4, 2), GaussianHeadWithStateIndependentCovariance(2, "diagonal", lambda x: torch.exp(2 * x))
        )

    def forward(self, x):
        return self.model(x).mean


def case_gaussian_policy():
    return GaussianPolicy(), (torch.randn(3, 4),)


class SoftmaxPolicy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Sequential(nn.Linear(4, 2), SoftmaxCategoricalHead())

    def forward(self, x):
        return self.model(x).log_prob(torch.tensor([0, 1, 0]))


def case_softmax_policy():
    return SoftmaxPolicy(), (torch.randn(3, 4),)


class DiscreteQ(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Sequential(nn.Linear(4, 3), DiscreteActionValueHead())

    def forward(self, x):
        return (self.model(x).greedy_actions, self.model(x).max)


def case_discrete_q():
    return DiscreteQ(), (torch.randn(3, 4),)


class QuadraticQ(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = FCQuadraticStateQFunction(
            4, 2, 8, 1, action_space=SimpleNamespace(low=-np.ones(2), high=np.ones(2))
        )

    def forward(self, x):
        return self.model(x).max


def case_quadratic_q():
    return QuadraticQ(), (torch.randn(3, 4),)


class PackedRows(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = RecurrentSequential(nn.Linear(4, 3), nn.GRU(3, 3), nn.ReLU())

    def forward(self, a, b):
        return pack_and_forward(self.model, [a, b], None)[0]


def case_recurrent_sequential():
    return PackedRows(), (torch.randn(3, 4), torch.randn(2, 4))


def case_empirical_normalization():
    from pfrl.nn import EmpiricalNormalization

    return EmpiricalNormalization(4, clip_threshold=3), (torch.randn(5, 4),)


def case_noisy_linear():
    from pfrl.nn import FactorizedNoisyLinear

    return FactorizedNoisyLinear(nn.Linear(4, 3)), (torch.randn(5, 4),)


class Dueling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = DuelingDQN(3, 1)

    def forward(self, x):
        return self.model(x).q_values


def case_dueling():
    return Dueling(), (torch.randn(1, 1, 84, 84),)


class DistributionalQ(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = Chosen(4, 3, 5, -1, 1, 8, 1)

    def forward(self, x):
        return self.model(x).max


def case_distributional_q():
    return DistributionalQ(), (torch.randn(2, 4),)


def case_offset_model():
    import cebra.models

    return cebra.models.init("offset10-model", 4, 8, 3), (torch.randn(2, 4, 10),)


def case_resampled_model():
    import cebra.models

    return cebra.models.init("offset40-model-4x-subsample", 4, 8, 3), (torch.randn(2, 4, 40),)


def case_info_nce():
    from cebra.models.criterions import LearnableCosineInfoNCE

    return LearnableCosineInfoNCE(1.0, min_temperature=0.1), (torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3))


def case_nce():
    from cebra.models.criterions import NCE

    return NCE(), (torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3))


def neurons(name: str, steps: str = "m", **options):
    from spikingjelly.activation_based import neuron

    return getattr(neuron, name)(step_mode=steps, **options), (torch.rand(4, 2, 3) * 2,)


def case_lif():
    return neurons("LIFNode")


def case_if_single():
    return neurons("IFNode", "s", v_reset=None)


def case_plif():
    return neurons("ParametricLIFNode")


def case_gated_lif():
    return neurons("GatedLIFNode", T=4)


def case_klif():
    return neurons("KLIFNode")


def case_izhikevich():
    return neurons("IzhikevichNode")


def case_psn():
    from spikingjelly.activation_based import neuron

    return neuron.PSN(T=4), (torch.rand(4, 2, 3) * 2,)


def case_complementary_lif():
    return neurons("ComplementaryLIFNode")


def case_linear_recurrent_container():
    from spikingjelly.activation_based import layer, neuron

    return layer.LinearRecurrentContainer(neuron.IFNode(), 3, 3, step_mode="m"), (torch.rand(4, 2, 3),)


def case_temporal_batch_norm():
    from spikingjelly.activation_based import layer

    return layer.ThresholdDependentBatchNorm2d(1.0, 1.0, 3), (torch.rand(4, 2, 3, 4, 4),)


def case_spiking_dropout():
    from spikingjelly.activation_based import layer

    return layer.Dropout(0.5, step_mode="m"), (torch.rand(4, 2, 3),)


def case_spiking_network():
    from spikingjelly.activation_based import functional, layer, neuron

    model = nn.Sequential(layer.Linear(3, 4), neuron.LIFNode(), layer.Linear(4, 2))
    functional.set_step_mode(model, "m")
    return model, (torch.rand(4, 2, 3),)


def case_poisson_encoder():
    from spikingjelly.activation_based.encoding import PoissonEncoder

    return PoissonEncoder(), (torch.rand(2, 3),)


def case_latency_encoder():
    from spikingjelly.activation_based.encoding import LatencyEncoder

    return LatencyEncoder(4), (torch.rand(2, 3),)


def case_spiking_lstm():
    from spikingjelly.activation_based.rnn import SpikingLSTM

    return SpikingLSTM(3, 4, 1), (torch.rand(4, 2, 3),)


def complex_layer(name: str, *options, **named):
    import complextorch.nn as layers

    return getattr(layers, name)(*options, **named)


def case_complex_linear():
    return complex_layer("Linear", 4, 3), (torch.randn(2, 4, dtype=torch.cfloat),)


def case_complex_conv():
    return complex_layer("Conv2d", 2, 3, 3), (torch.randn(1, 2, 6, 6, dtype=torch.cfloat),)


def case_complex_batch_norm():
    return complex_layer("BatchNorm1d", 4), (torch.randn(5, 4, 3, dtype=torch.cfloat),)


def case_complex_attention():
    q = torch.randn(2, 4, 8, dtype=torch.cfloat)
    return complex_layer("MultiheadAttention", 2, 8), (q, q, q)


def case_complex_dropout():
    return complex_layer("Dropout", 0.5), (torch.randn(5, 4, dtype=torch.cfloat),)


def case_complex_max_pool():
    return complex_layer("AdaptiveAvgPool2d", 2), (torch.randn(1, 2, 6, 6, dtype=torch.cfloat),)


def case_complex_gru():
    return complex_layer("GRU", 4, 3), (torch.randn(5, 2, 4, dtype=torch.cfloat),)


def features():
    from torch_rechub.basic.features import DenseFeature, SequenceFeature, SparseFeature

    dense, sparse = [DenseFeature("age")], [SparseFeature("user", 6, 4), SparseFeature("item", 6, 4)]
    history = [SequenceFeature("seen", 6, 4, pooling="concat", shared_with="item")]
    given = {
        "age": torch.rand(3),
        "user": torch.tensor([0, 1, 5]),
        "item": torch.tensor([1, 2, 3]),
        "seen": torch.tensor([[1, 2, 0], [3, 0, 0], [4, 5, 1]]),
    }
    return dense, sparse, history, given


LAYERS = {"dims": [8], "dropout": 0.1, "activation": "relu"}


def case_deep_fm():
    from torch_rechub.models.ranking import DeepFM

    dense, sparse, _, given = features()
    return DeepFM(dense + sparse, sparse, LAYERS), (given,)


def case_wide_and_deep():
    from torch_rechub.models.ranking import WideDeep

    dense, sparse, _, given = features()
    return WideDeep(sparse, dense + sparse, LAYERS), (given,)


def case_deep_interest():
    from torch_rechub.models.ranking import DIN

    _, sparse, history, given = features()
    return DIN(sparse[:1], history, sparse[1:], {"dims": [8]}, {"dims": [4]}), (given,)


def case_cross_network():
    from torch_rechub.models.ranking import DCNv2

    _, sparse, _, given = features()
    return DCNv2(sparse, 2, LAYERS), (given,)


def case_auto_int():
    from torch_rechub.models.ranking import AutoInt

    _, sparse, _, given = features()
    return AutoInt(sparse, [], 1, 2), (given,)


def case_mixture_of_tasks():
    from torch_rechub.models.multi_task import MMOE

    _, sparse, _, given = features()
    return MMOE(sparse, ["classification", "regression"], 2, {"dims": [4]}, [{"dims": [4]}, {"dims": [4]}]), (given,)


def case_dssm():
    from torch_rechub.models.matching import DSSM

    _, sparse, _, given = features()
    return DSSM(sparse[:1], sparse[1:], {"dims": [4]}, {"dims": [4]}), (given,)


def case_hstu():
    from torch_rechub.models.generative.hstu import HSTUModel

    return HSTUModel(vocab_size=8, d_model=8, n_heads=2, n_layers=1, dqk=4, dv=4, max_seq_len=6), (
        torch.tensor([[1, 2, 3, 0, 0, 0]]),
    )


def outside(name: str, *options, size: int = 3):
    from pytorch_ood import loss

    return getattr(loss, name)(*options), (torch.randn(4, size), torch.tensor([0, 2, -1, 1]))


def case_open_set_entropy():
    return outside("EntropicOpenSetLoss")


def case_outlier_exposure():
    return outside("OutlierExposureLoss")


def case_energy_regularized():
    return outside("EnergyRegularizedLoss")


def case_objectosphere():
    from pytorch_ood.loss import ObjectosphereLoss

    return ObjectosphereLoss(), (torch.randn(4, 3), torch.randn(4, 5), torch.tensor([0, 2, -1, 1]))


def case_center_loss():
    from pytorch_ood.loss import CenterLoss

    return CenterLoss(3, 4), (torch.rand(4, 3), torch.tensor([0, 2, -1, 1]))


def case_cac_loss():
    from pytorch_ood.loss import CACLoss

    return CACLoss(3), (torch.rand(4, 3), torch.tensor([0, 2, -1, 1]))


def case_ii_loss():
    from pytorch_ood.loss import IILoss

    return IILoss(3, 4), (torch.rand(4, 4), torch.tensor([0, 2, 0, 1]))


def case_mchad_loss():
    from pytorch_ood.loss import MCHADLoss

    return MCHADLoss(3, 4), (torch.rand(4, 3), torch.tensor([0, 2, -1, 1]))


def case_svdd():
    from pytorch_ood.loss import DeepSVDDLoss

    return DeepSVDDLoss(4, center=torch.zeros(4)), (torch.rand(4, 4), torch.tensor([0, 2, -1, 1]))


def case_background_class():
    return outside("BackgroundClassLoss", 3, size=4)


def case_confidence_loss():
    from pytorch_ood.loss import ConfidenceLoss

    return ConfidenceLoss(), (torch.randn(4, 3), torch.rand(4, 1), torch.tensor([0, 2, -1, 1]))


class EnergyDetector(nn.Module):
    def forward(self, x):
        return EnergyBased(nn.Linear(4, 3)).predict(x)


def case_energy_detector():
    return EnergyDetector(), (torch.randn(2, 4),)


class ReactDetector(nn.Module):
    def forward(self, x):
        return ASH(nn.Conv2d(1, 2, 3), nn.Sequential(nn.Flatten(), nn.Linear(8, 2))).predict(x)


def case_react_detector():
    return ReactDetector(), (torch.randn(2, 1, 4, 4),)


class Odin(nn.Module):
    def forward(self, x):
        return ODIN(nn.Linear(4, 3), norm_std=None).predict(x)


def case_odin():
    return Odin(), (torch.randn(2, 4),)
