"""Cases of giraffe."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["giraffe"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


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
