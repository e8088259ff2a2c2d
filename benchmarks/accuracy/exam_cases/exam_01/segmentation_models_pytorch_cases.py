"""Cases of segmentation_models_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["segmentation_models_pytorch"]


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
