"""Sparse activations, wavelets, cosines, filter banks, state spaces, equilibria and self-supervised losses."""

from __future__ import annotations

import contextlib

import torch

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

PACKAGES = (
    "entmax lightly ptwt mambapy torchdeq pytorch_msssim lpips conformer asteroid_filterbanks facenet_pytorch torch_dct"
).split()


class Applied(torch.nn.Module):
    def __init__(self, function, **options) -> None:
        super().__init__()
        self.function, self.options = function, options

    def forward(self, *args):
        return self.function(*args, **self.options)


def activation(name: str, **options):
    import entmax

    return getattr(entmax, name)(**options), (torch.randn(4, 6),)


def case_sparsemax():
    return activation("Sparsemax")


def case_entmax_of_some():
    return activation("Entmax15", k=3)


def case_entmax_by_bisection():
    return activation("EntmaxBisect")


def case_norm_max():
    return activation("NormmaxBisect")


def case_budget():
    return activation("BudgetBisect")


def case_entmax_loss():
    import entmax

    return entmax.Entmax15Loss(k=3), (torch.randn(4, 6), torch.tensor([0, 1, 5, 3]))


def case_sparsemax_loss():
    import entmax

    return entmax.SparsemaxLoss(), (torch.randn(4, 6), torch.tensor([0, 1, 5, 2]))


def loss(name: str, *args, **options):
    import lightly.loss

    return getattr(lightly.loss, name)(**options), args or (torch.randn(8, 16), torch.randn(8, 16))


def case_barlow_twins():
    return loss("BarlowTwinsLoss")


def case_decoupled():
    return loss("DCLWLoss")


def case_dino():
    return loss("DINOLoss", [torch.randn(4, 16)] * 2, [torch.randn(4, 16)] * 3, output_dim=16)


def case_patches():
    mask = torch.rand(4, 2, 2) > 0.5
    n = int(mask.sum())
    return loss("IBOTPatchLoss", torch.randn(n, 16), torch.randn(n, 16), mask, output_dim=16)


def case_koleo():
    return loss("KoLeoLoss", torch.randn(8, 16))


def case_masked_siamese():
    return loss("MSNLoss", torch.randn(8, 16), torch.randn(4, 16), torch.randn(5, 16))


def case_negatives():
    return loss("NTXentLoss")


def case_negatives_of_memory():
    return loss("NTXentLoss", memory_bank_size=(32, 16))


def case_swav():
    return loss("SwaVLoss", [torch.randn(4, 16)] * 2, [torch.randn(4, 16)] * 2)


def case_tico():
    return loss("TiCoLoss")


def case_vicreg():
    return loss("VICRegLoss")


def case_whitened():
    return loss("WMSELoss", torch.randn(16, 4), embedding_dim=4, w_size=8)


def case_maximum_manifold():
    return loss("MMCRLoss", torch.randn(4, 2, 16), torch.randn(4, 2, 16))


def case_small_batches():
    return loss("MACLLoss")


def case_prototypes():
    from lightly.models.modules.heads import SwaVPrototypes

    return SwaVPrototypes(8, [4, 5], n_steps_frozen_prototypes=2), (torch.randn(4, 8), 1)


def case_dino_head():
    from lightly.models.modules.heads import DINOProjectionHead

    return DINOProjectionHead(8, 8, 4, 16), (torch.randn(4, 8),)


def wavelets(name: str, *args, **options):
    import ptwt

    return Applied(getattr(ptwt, name), wavelet="db2", **options), args


def case_wavelets():
    return wavelets("wavedec", torch.randn(2, 32), level=2)


def case_wavelets_of_images():
    return wavelets("wavedec2", torch.randn(2, 16, 16), level=2)


def case_stationary_wavelets():
    return wavelets("swt", torch.randn(2, 32), level=2)


def case_separable_wavelets():
    return wavelets("fswavedec2", torch.randn(2, 16, 16), level=2)


def case_continuous_wavelets():
    import ptwt

    return Applied(ptwt.cwt, scales=torch.arange(1, 4).numpy(), wavelet="mexh"), (torch.randn(2, 32),)


def case_cosines():
    import torch_dct

    return Applied(torch_dct.dct_2d, norm="ortho"), (torch.randn(2, 8, 8),)


def case_cosines_back():
    import torch_dct

    return Applied(torch_dct.idct), (torch.randn(2, 8),)


def case_linear_cosines():
    import torch_dct

    return torch_dct.LinearDCT(8, "dct"), (torch.randn(2, 8),)


def case_state_space():
    from mambapy.mamba import Mamba, MambaConfig

    return Mamba(MambaConfig(d_model=8, n_layers=2, d_state=4)), (torch.randn(2, 5, 8),)


def case_state_space_in_turn():
    from mambapy.mamba import Mamba, MambaConfig

    return Mamba(MambaConfig(d_model=8, n_layers=1, d_state=4, pscan=False)), (torch.randn(2, 5, 8),)


class Equilibrium(torch.nn.Module):
    def __init__(self, **options) -> None:
        super().__init__()
        from torchdeq import get_deq

        self.layer = torch.nn.Linear(8, 8)
        self.solve = get_deq(f_max_iter=4, b_max_iter=4, **options)

    def forward(self, x):
        out, _ = self.solve(lambda z: torch.tanh(self.layer(z) + x), torch.zeros_like(x))
        return out[-1]


def case_equilibrium():
    return Equilibrium(f_solver="fixed_point_iter"), (torch.randn(2, 8),)


def case_equilibrium_of_anderson():
    return Equilibrium(f_solver="anderson"), (torch.randn(2, 8),)


def case_equilibrium_of_broyden():
    return Equilibrium(f_solver="broyden"), (torch.randn(2, 8),)


def case_structural_similarity():
    from pytorch_msssim import SSIM

    return SSIM(data_range=1), (torch.rand(2, 3, 32, 32), torch.rand(2, 3, 32, 32))


def case_similarity_of_scales():
    from pytorch_msssim import MS_SSIM

    return MS_SSIM(data_range=1), (torch.rand(1, 3, 192, 192), torch.rand(1, 3, 192, 192))


def case_perceptual():
    import lpips

    model = lpips.LPIPS(pretrained=False, net="squeeze", pnet_rand=True, verbose=False)
    return model, (torch.rand(1, 3, 64, 64), torch.rand(1, 3, 64, 64))


def case_conformer():
    from conformer import Conformer

    return Conformer(8, depth=2, dim_head=4, heads=2, conv_kernel_size=5), (torch.randn(2, 6, 8),)


def filters(name: str, **options):
    import asteroid_filterbanks as banks

    return banks.Encoder(getattr(banks, name)(**options)), (torch.randn(2, 1, 128),)


def case_learned_filters():
    return filters("FreeFB", n_filters=8, kernel_size=16)


def case_analytic_filters():
    return filters("AnalyticFreeFB", n_filters=8, kernel_size=16)


def case_sinc_filters():
    return filters("ParamSincFB", n_filters=8, kernel_size=17)


def case_fourier_filters():
    return filters("STFTFB", n_filters=16, kernel_size=16)


def case_decoded_filters():
    import asteroid_filterbanks as banks

    return banks.Decoder(banks.FreeFB(8, 16)), (torch.randn(2, 8, 15),)


def case_faces():
    from facenet_pytorch import InceptionResnetV1

    return InceptionResnetV1(classify=True, num_classes=3), (torch.rand(2, 3, 96, 96),)


def case_proposals():
    from facenet_pytorch.models.mtcnn import PNet

    return PNet(pretrained=False), (torch.rand(2, 3, 24, 24),)
