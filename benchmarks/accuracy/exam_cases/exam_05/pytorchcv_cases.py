"""Cases of pytorchcv."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pytorchcv"]


def picture(name: str, size: int = 64, **options):
    from pytorchcv.model_provider import get_model

    return get_model(name, **options), (torch.rand(2, 3, size, size),)


def case_cv_resnet():
    return picture("resnet10")


def case_cv_shuffle():
    return picture("shufflenetv2_wd2")


def case_cv_darts():
    return picture("darts", size=96)


def case_cv_octresnet():
    return picture("octresnet10_ad2")


def case_cv_pspnet():
    return picture("icnet_resnetd50b_cityscapes", size=128, in_size=(128, 128))


def case_cv_sinet():
    return picture("sinet_cityscapes", size=128, in_size=(128, 128))


def case_cv_centernet():
    return picture("centernet_resnet18_voc", size=64, in_size=(64, 64))


def case_cv_alphapose():
    return picture("alphapose_fastseresnet101b_coco", size=64, in_size=(64, 64))


def case_cv_ibppose():
    return picture("lwopenpose2d_mobilenet_cmupan_coco", size=64, in_size=(64, 64))


def case_cv_jasper():
    from pytorchcv.model_provider import get_model

    return get_model("jasperdr10x5_en_nr"), (torch.rand(1, 64, 40), torch.tensor([40]))


def case_cv_bagnet():
    return picture("bagnet9")


def case_cv_diracnet():
    return picture("diracnet18v2")


def case_cv_revnet():
    return picture("revnet38")


def case_cv_msdnet():
    return picture("msdnet22")


def case_cv_spnasnet():
    return picture("spnasnet")


def case_cv_mixnet():
    return picture("mixnet_s")


def case_cv_selecsls():
    return picture("selecsls42b")
