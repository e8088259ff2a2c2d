"""Segmentation, detection, registration, text in images, diffusion, and measures of image quality."""

from __future__ import annotations

import contextlib

import torch

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

PACKAGES = ["segmentation_models_pytorch", "effdet", "voxelmorph", "piq", "denoising_diffusion_pytorch", "easyocr"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def segmentation(name: str, encoder: str = "resnet18", size: int = 64, **options):
    import segmentation_models_pytorch as smp

    return getattr(smp, name)(encoder, encoder_weights=None, classes=2, **options), (image(size=size),)


def case_unet():
    return segmentation("Unet", decoder_attention_type="scse")


def case_unet_plus_plus():
    return segmentation("UnetPlusPlus")


def case_manet():
    return segmentation("MAnet")


def case_linknet():
    return segmentation("Linknet")


def case_fpn_and_classifier():
    return segmentation("FPN", aux_params={"classes": 3, "dropout": 0.1})


def case_pspnet():
    return segmentation("PSPNet")


def case_pan():
    return segmentation("PAN", size=128)


def case_deeplab():
    return segmentation("DeepLabV3Plus")


def case_upernet():
    return segmentation("UPerNet")


def case_segformer():
    return segmentation("Segformer", "mit_b0")


def case_unet_of_efficientnet():
    return segmentation("Unet", "efficientnet-b0")


def case_unet_of_densenet():
    return segmentation("Unet", "densenet121")


def masks():
    return torch.randn(2, 3, 16, 16), torch.randint(0, 3, (2, 16, 16))


def case_dice_loss():
    import segmentation_models_pytorch as smp

    return smp.losses.DiceLoss("multiclass", ignore_index=2), masks()


def case_lovasz_loss():
    import segmentation_models_pytorch as smp

    return smp.losses.LovaszLoss("multiclass"), masks()


def case_focal_loss():
    import segmentation_models_pytorch as smp

    return smp.losses.FocalLoss("multiclass", ignore_index=2), masks()


def case_tversky_loss():
    import segmentation_models_pytorch as smp

    return smp.losses.TverskyLoss("multiclass"), masks()


def case_mcc_loss():
    import segmentation_models_pytorch as smp

    return smp.losses.MCCLoss(), (torch.randn(2, 1, 16, 16), torch.randint(0, 2, (2, 1, 16, 16)))


def case_soft_bce_loss():
    import segmentation_models_pytorch as smp

    return smp.losses.SoftBCEWithLogitsLoss(smooth_factor=0.1, ignore_index=-100), (
        torch.randn(2, 16, 16),
        torch.randint(0, 2, (2, 16, 16)).float(),
    )


def detector(size: int = 128):
    import effdet

    config = effdet.get_efficientdet_config("tf_efficientdet_d0")
    config.update({"image_size": (size, size), "num_classes": 3})
    return effdet.EfficientDet(config, pretrained_backbone=False)


def case_efficientdet():
    return detector(), (image(size=128),)


def case_detection_training():
    import effdet

    boxes = torch.tensor([[[4.0, 4.0, 40.0, 40.0]]] * 2)
    target = {
        "bbox": boxes,
        "cls": torch.ones(2, 1),
        "img_size": torch.tensor([[128.0, 128.0]] * 2),
        "img_scale": torch.ones(2),
    }
    return effdet.DetBenchTrain(detector()), (image(size=128), target)


def case_registration():
    from voxelmorph.nn.models import VxmPairwise

    return VxmPairwise(2, 1, 1, nb_features=[4, 4, 4, 4], integration_steps=3), (image(1, 32, 1), image(1, 32, 1))


def case_registration_in_space():
    from voxelmorph.nn.models import VxmPairwise

    volume = torch.rand(1, 1, 16, 16, 16)
    return VxmPairwise(3, 1, 1, nb_features=[4, 4, 4], integration_steps=2), (volume, volume.flip(2))


def case_spatial_transformer():
    from voxelmorph.nn.modules import SpatialTransformer

    return SpatialTransformer(), (image(1, 16, 1), torch.rand(1, 2, 16, 16))


def case_integrated_field():
    from voxelmorph.nn.modules import IntegrateVelocityField

    return IntegrateVelocityField(steps=3), (torch.rand(1, 2, 16, 16),)


def quality(name: str, size: int = 64, **options):
    import piq

    return getattr(piq, name)(**options), (image(size=size), image(size=size))


def case_ssim():
    return quality("SSIMLoss")


def case_multi_scale_ssim():
    return quality("MultiScaleSSIMLoss", 192)


def case_gmsd():
    return quality("GMSDLoss")


def case_multi_scale_gmsd():
    return quality("MultiScaleGMSDLoss", chromatic=True)


def case_vif():
    return quality("VIFLoss")


def case_fsim():
    return quality("FSIMLoss")


def case_vsi():
    return quality("VSILoss", 128)


def case_mdsi():
    return quality("MDSILoss")


def case_haarpsi():
    return quality("HaarPSILoss")


def case_srsim():
    return quality("SRSIMLoss", 128)


def case_dss():
    return quality("DSSLoss")


def case_weighted_ssim():
    return quality("InformationWeightedSSIMLoss", 192)


def case_total_variation():
    import piq

    return piq.TVLoss(), (image(),)


def case_fid():
    import piq

    return piq.FID(), (torch.rand(8, 4), torch.rand(8, 4))


def case_inception_score():
    import piq

    return piq.IS(num_splits=2), (torch.rand(8, 4), torch.rand(8, 4))


def case_diffusion():
    from denoising_diffusion_pytorch import GaussianDiffusion, Unet

    model = GaussianDiffusion(Unet(dim=8, dim_mults=(1, 2), flash_attn=False), image_size=16, timesteps=4)
    return model, (image(size=16),)


def case_denoiser():
    from denoising_diffusion_pytorch import Unet

    return Unet(dim=8, dim_mults=(1, 2), self_condition=True), (image(size=16), torch.tensor([1, 2]))


def case_diffusion_of_sequences():
    from denoising_diffusion_pytorch import GaussianDiffusion1D, Unet1D

    model = GaussianDiffusion1D(Unet1D(dim=8, dim_mults=(1, 2), channels=4), seq_length=16, timesteps=4)
    return model, (torch.rand(2, 4, 16),)


def case_continuous_diffusion():
    from denoising_diffusion_pytorch import ContinuousTimeGaussianDiffusion, Unet

    net = Unet(dim=8, dim_mults=(1, 2), learned_sinusoidal_cond=True)
    return ContinuousTimeGaussianDiffusion(net, image_size=16, num_sample_steps=2), (image(size=16),)


def case_elucidated_diffusion():
    from denoising_diffusion_pytorch import ElucidatedDiffusion, Unet

    net = Unet(dim=8, dim_mults=(1, 2), learned_sinusoidal_cond=True)
    return ElucidatedDiffusion(net, image_size=16), (image(size=16),)


def case_learned_variance():
    from denoising_diffusion_pytorch import LearnedGaussianDiffusion, Unet

    net = Unet(dim=8, dim_mults=(1, 2), out_dim=6)
    return LearnedGaussianDiffusion(net, image_size=16, timesteps=4), (image(size=16),)


class Sampler(torch.nn.Module):
    def __init__(self, diffusion) -> None:
        super().__init__()
        self.diffusion = diffusion

    def forward(self, n: int):
        return self.diffusion.sample(batch_size=n)


def case_sampling():
    model, _ = case_diffusion()
    return Sampler(model), (1,)


def case_karras_unet():
    from denoising_diffusion_pytorch import KarrasUnet

    net = KarrasUnet(image_size=16, dim=16, dim_max=32, channels=3, num_downsamples=1, num_blocks_per_stage=1)
    return net, (image(size=16), torch.rand(2))


def case_text_detector():
    from easyocr.craft import CRAFT

    return CRAFT(pretrained=False), (image(size=64, n=1),)


def case_text_reader():
    from easyocr.model.model import Model

    return Model(1, 32, 16, 10), (torch.rand(1, 1, 64, 100), torch.zeros(1, 5).long())


def case_text_reader_of_vgg():
    from easyocr.model.vgg_model import Model

    return Model(1, 32, 16, 10), (torch.rand(1, 1, 64, 100), torch.zeros(1, 5).long())
