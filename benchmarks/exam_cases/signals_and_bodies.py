"""Signal processing, sources of sound, bodies, operators and augmentations, of packages."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import absent

absent("torchaudio", "librosa", "pyworld", "soxr", "pylstraight", "tensorboard", "penn")

import diffsptk  # noqa: E402
import torchiva  # noqa: E402
import xitorch  # noqa: E402
from audioseal.builder import create_detector, create_generator  # noqa: E402, F401
from audioseal.models import MsgProcessor, NormalizationProcessor  # noqa: E402
from batchgeneratorsv2.transforms.intensity.brightness import MultiplicativeBrightnessTransform  # noqa: E402
from batchgeneratorsv2.transforms.intensity.gamma import GammaTransform  # noqa: E402
from batchgeneratorsv2.transforms.intensity.gaussian_noise import GaussianNoiseTransform  # noqa: E402
from batchgeneratorsv2.transforms.noise.gaussian_blur import GaussianBlurTransform  # noqa: E402
from batchgeneratorsv2.transforms.spatial.low_resolution import SimulateLowResolutionTransform  # noqa: E402
from batchgeneratorsv2.transforms.spatial.mirroring import MirrorTransform  # noqa: E402
from batchgeneratorsv2.transforms.spatial.spatial import SpatialTransform  # noqa: E402
from smplx.lbs import (  # noqa: E402
    batch_rodrigues,
    find_dynamic_lmk_idx_and_bcoords,
    lbs,
    vertices2landmarks,
)
from xitorch.integrate import solve_ivp  # noqa: E402
from xitorch.interpolate import Interp1D  # noqa: E402
from xitorch.linalg import solve, symeig  # noqa: E402
from xitorch.optimize import minimize, rootfinder  # noqa: E402

PACKAGES = ["diffsptk", "torchiva", "smplx", "audioseal", "xitorch", "batchgeneratorsv2"]


def signal(name: str, *options, given=None, **more):
    """A module of diffsptk and a signal."""
    return getattr(diffsptk, name)(*options, **more), given if given is not None else (torch.rand(2, 40),)


def case_diffsptk_acorr():
    return signal("Autocorrelation", 40, 6)


def case_diffsptk_stft():
    return signal("STFT", 16, 8, 32)


def case_diffsptk_istft():
    return signal("ISTFT", 16, 8, 32, given=(torch.randn(2, 6, 17, dtype=torch.cfloat),))


def case_diffsptk_frame():
    return signal("Frame", 10, 5)


def case_diffsptk_window():
    return signal("Window", 40, 64)


def case_diffsptk_lpc():
    return signal("LPC", 40, 6)


def case_diffsptk_levdur():
    return signal("LevinsonDurbin", 6, given=(torch.tensor([[8.0, 4, 3, 2, 1, 0.5, 0.1]]),))


def case_diffsptk_rlevdur():
    return signal("ReverseLevinsonDurbin", 4, given=(torch.tensor([[1.0, 0.1, 0.2, 0.1, 0.05]]),))


def case_diffsptk_lpc2par():
    return signal(
        "LinearPredictiveCoefficientsToParcorCoefficients", 4, given=(torch.tensor([[1.0, 0.1, 0.2, 0.1, 0.05]]),)
    )


def case_diffsptk_par2lpc():
    return signal(
        "ParcorCoefficientsToLinearPredictiveCoefficients", 4, given=(torch.tensor([[1.0, 0.1, 0.2, 0.1, 0.05]]),)
    )


def case_diffsptk_lsp2lpc():
    return signal(
        "LineSpectralPairsToLinearPredictiveCoefficients", 4, given=(torch.tensor([[1.0, 0.4, 0.9, 1.5, 2.2]]),)
    )


def case_diffsptk_lpccheck():
    return signal(
        "LinearPredictiveCoefficientsStabilityCheck",
        4,
        warn_type="ignore",
        given=(torch.tensor([[1.0, 0.1, 0.2, 0.1, 0.05]]),),
    )


def case_diffsptk_lspcheck():
    return signal("LineSpectralPairsStabilityCheck", 4, rate=0.01, given=(torch.tensor([[1.0, 0.4, 0.9, 1.5, 2.2]]),))


def case_diffsptk_mcep():
    return signal(
        "MelCepstralAnalysis", fft_length=32, cep_order=4, alpha=0.1, n_iter=1, given=(torch.rand(2, 17) + 0.1,)
    )


def case_diffsptk_mgcep():
    return signal(
        "MelGeneralizedCepstralAnalysis",
        fft_length=32,
        cep_order=4,
        alpha=0.1,
        gamma=-0.5,
        n_iter=1,
        given=(torch.rand(2, 17) + 0.1,),
    )


def case_diffsptk_mgc2sp():
    return signal("MelGeneralizedCepstrumToSpectrum", 4, 32, alpha=0.1, gamma=-0.5, given=(torch.rand(2, 5),))


def case_diffsptk_mglsadf():
    return signal("PseudoMGLSADigitalFilter", 4, 5, alpha=0.1, given=(torch.rand(20), torch.rand(4, 5)))


def case_diffsptk_mglsadf_frequency():
    return signal(
        "PseudoMGLSADigitalFilter",
        4,
        5,
        alpha=0.1,
        mode="freq-domain",
        frame_length=12,
        fft_length=16,
        given=(torch.rand(20), torch.rand(4, 5)),
    )


def case_diffsptk_zerodf():
    return signal("AllZeroDigitalFilter", 4, 5, given=(torch.rand(20), torch.rand(4, 5)))


def case_diffsptk_excite():
    return signal("ExcitationGeneration", 5, given=(torch.tensor([[10.0, 10, 0, 0, 8, 8, 8]]),))


def case_diffsptk_excite_voiced():
    return signal(
        "ExcitationGeneration",
        5,
        voiced_region="sawtooth",
        unvoiced_region="zeros",
        given=(torch.tensor([[10.0, 10, 0, 0, 8, 8, 8]]),),
    )


def case_diffsptk_linear_interpolation():
    return signal("LinearInterpolation", 4, given=(torch.rand(2, 6, 3),))


def case_diffsptk_magic_interpolation():
    return signal("MagicNumberInterpolation", 0, given=(torch.tensor([[0.0, 1, 0, 3, 0]]).unsqueeze(-1),))


def case_diffsptk_delta():
    return signal("Delta", given=(torch.rand(2, 6, 3),))


def case_diffsptk_mlpg():
    return signal("MaximumLikelihoodParameterGeneration", 6, given=(torch.rand(2, 6, 9),))


def case_diffsptk_dct():
    return signal("DCT", 40)


def case_diffsptk_mdct():
    return signal("MDCT", 16)


def case_diffsptk_wht():
    return signal("WHT", 8, given=(torch.rand(2, 8),))


def case_diffsptk_fbank():
    return signal("MelFilterBankAnalysis", fft_length=32, n_channel=6, sample_rate=8000, given=(torch.rand(2, 17),))


def case_diffsptk_mfcc():
    return signal("MFCC", fft_length=32, mfcc_order=4, n_channel=6, sample_rate=8000, given=(torch.rand(2, 17),))


def case_diffsptk_plp():
    return signal("PLP", fft_length=32, plp_order=4, n_channel=6, sample_rate=8000, given=(torch.rand(2, 17) + 0.1,))


def case_diffsptk_freqt():
    return signal("FrequencyTransform", 4, 6, 0.2, given=(torch.rand(2, 5),))


def case_diffsptk_pqmf():
    return signal("PQMF", 4, 15, given=(torch.rand(2, 1, 40),))


def case_diffsptk_ipqmf():
    return signal("IPQMF", 4, 15, given=(torch.rand(2, 4, 40),))


def case_diffsptk_zcross():
    return signal("ZeroCrossingAnalysis", 8, given=(torch.randn(2, 40),))


def case_diffsptk_ulaw():
    return signal("MuLawCompression")


def case_diffsptk_quantize():
    return signal("UniformQuantization")


def case_diffsptk_vq():
    return signal("VectorQuantization", 3, 4, given=(torch.rand(2, 6, 4),))


def case_diffsptk_msvq():
    return signal("MultiStageVectorQuantization", 3, 4, 2, given=(torch.rand(2, 6, 4),))


def case_diffsptk_lbg():
    return signal("LindeBuzoGrayAlgorithm", 2, 4, n_iter=3, given=(torch.rand(40, 3),))


def case_diffsptk_pca():
    return signal("PCA", 2, 1, given=(torch.rand(40, 3),))


def case_diffsptk_nmf():
    return signal("NMF", 40, 3, 2, n_iter=2, given=(torch.rand(40, 4),))


def case_diffsptk_ica():
    return signal("ICA", 2, 2, n_iter=2, given=(torch.rand(40, 3),))


def case_diffsptk_dtw():
    return signal("DynamicTimeWarping", given=(torch.rand(6, 3), torch.rand(8, 3)))


def case_diffsptk_entropy():
    return signal("Entropy", given=(torch.rand(2, 8).softmax(-1),))


def case_diffsptk_histogram():
    return signal("Histogram", 6)


def case_diffsptk_median_filter():
    return signal("MedianFilter", 3, given=(torch.rand(2, 20),))


def case_diffsptk_phase():
    return signal("Phase", 32, given=(torch.rand(2, 5), torch.rand(2, 5)))


def case_diffsptk_group_delay():
    return signal("GroupDelay", 32, given=(torch.rand(2, 5), torch.rand(2, 5)))


def case_diffsptk_spectrum():
    return signal("Spectrum", 32, given=(torch.rand(2, 5), torch.rand(2, 5)))


def case_diffsptk_roots():
    return signal("PolynomialToRoots", 4, given=(torch.rand(2, 5) + 0.5,))


def case_diffsptk_iir():
    return signal("IIR", [0.5, 0.2], [1.0, -0.3], 10)


def case_diffsptk_iir2():
    return signal("SecondOrderDigitalFilter", 8000, pole_frequency=1000, pole_bandwidth=100)


def case_diffsptk_decimation():
    return signal("Decimation", 3)


def case_diffsptk_delay():
    return signal("Delay", 2)


def case_diffsptk_yingram():
    return signal("Yingram", 64, 8000, 4, given=(torch.rand(2, 64),))


def case_diffsptk_griffin():
    return signal("GriffinLim", 16, 8, 32, n_iter=2, given=(torch.rand(2, 6, 17),))


def case_diffsptk_rmse():
    return signal("RootMeanSquareError", given=(torch.rand(2, 8), torch.rand(2, 8)))


def case_diffsptk_snr():
    return signal("SignalToNoiseRatio", 4, full=True, given=(torch.rand(2, 8), torch.rand(2, 8)))


def case_diffsptk_hilbert():
    return signal("HilbertTransform", 40)


def case_diffsptk_unframe():
    return signal("Unframe", 10, 5, given=(torch.rand(2, 6, 10),))


def mixture(channels=3):
    """A mixture in the domain of frequencies."""
    return torch.randn(1, channels, 9, 12, dtype=torch.cdouble)


def case_torchiva_ip():
    return torchiva.AuxIVA_IP(n_iter=2, n_src=3, model=torchiva.models.LaplaceModel()), (mixture(),)


def case_torchiva_ip2():
    return torchiva.AuxIVA_IP2(n_iter=2, model=torchiva.models.LaplaceModel()), (mixture(2),)


def case_torchiva_t_iss():
    return torchiva.T_ISS(n_iter=2, n_taps=2, n_delay=1, model=torchiva.models.LaplaceModel(), proj_back_mic=0), (
        mixture(),
    )


def case_torchiva_five():
    return torchiva.FIVE(n_iter=2, model=torchiva.models.LaplaceModel()), (mixture(),)


def case_torchiva_stft():
    return torchiva.STFT(16, 8), (torch.randn(1, 3, 100),)


class Skin(torch.nn.Module):
    """A body of 30 vertices and four joints."""

    def __init__(self, turned):
        super().__init__()
        self.turned = turned
        self.parents = torch.tensor([-1, 0, 1, 1])
        self.shapes, self.poses = torch.randn(30, 3, 5), torch.randn(27, 90)
        self.template, self.joints = torch.randn(30, 3), torch.rand(4, 30)
        self.weights = torch.rand(30, 4).softmax(1)

    def forward(self, betas, pose):
        return lbs(
            betas,
            pose,
            self.template,
            self.shapes,
            self.poses,
            self.joints,
            self.parents,
            self.weights,
            pose2rot=self.turned,
        )


def case_smplx_skin():
    return Skin(True), (torch.randn(2, 5), torch.randn(2, 12))


def case_smplx_skin_of_matrices():
    return Skin(False), (torch.randn(2, 5), torch.eye(3).repeat(2, 4, 1, 1))


class Landmarks(torch.nn.Module):
    """Landmarks on a face that turns."""

    def forward(self, vertices, pose, indices, weights, faces):
        found = find_dynamic_lmk_idx_and_bcoords(vertices, pose, indices, weights, torch.tensor([1, 0]))
        return vertices2landmarks(vertices, faces, *found), batch_rodrigues(pose.reshape(-1, 3))


def case_smplx_landmarks():
    args = (
        torch.randn(2, 30, 3),
        torch.randn(2, 12),
        torch.randint(0, 20, (79, 5)),
        torch.rand(79, 5, 3),
        torch.randint(0, 30, (20, 3)),
    )
    return Landmarks(), args


def case_audioseal_message():
    return MsgProcessor(4, 8), (torch.randn(2, 8, 5), torch.randint(0, 2, (2, 4)))


class Levelled(torch.nn.Module):
    """The loudness of a watermark, brought to the sound's."""

    def __init__(self):
        super().__init__()
        self.processor = NormalizationProcessor()

    def forward(self, sound, mark):
        return self.processor.loudness_normalization(sound), self.processor.fit_inside_envelope(mark, sound)


def case_audioseal_levels():
    return Levelled(), (torch.randn(2, 1, 40), torch.randn(2, 1, 40))


class SolvedByExactsolve(torch.nn.Module):
    """A linear system."""

    def forward(self, matrix, right):
        return solve(xitorch.LinearOperator.m(matrix), right, method="exactsolve")


class SolvedByCg(torch.nn.Module):
    """A linear system."""

    def forward(self, matrix, right):
        return solve(xitorch.LinearOperator.m(matrix), right, method="cg")


def case_xitorch_solve():
    return SolvedByExactsolve(), (torch.eye(4) * 3 + torch.rand(4, 4) / 10, torch.rand(4, 2))


def case_xitorch_solve_by_gradients():
    return SolvedByCg(), (torch.eye(4) * 3, torch.rand(4, 2))


class Spectrum(torch.nn.Module):
    """The lowest eigenvalues of a matrix."""

    def forward(self, matrix):
        return symeig(xitorch.LinearOperator.m(matrix, is_hermitian=True), neig=2, method="exacteig")


def case_xitorch_eigenvalues():
    return Spectrum(), (torch.diag(torch.arange(1.0, 6)),)


class InterpolatedByCspline(torch.nn.Module):
    """A line through points."""

    def forward(self, x, y, where):
        return Interp1D(x, y, method="cspline")(where)


class InterpolatedByLinear(torch.nn.Module):
    """A line through points."""

    def forward(self, x, y, where):
        return Interp1D(x, y, method="linear")(where)


def case_xitorch_spline():
    return InterpolatedByCspline(), (torch.linspace(0, 1, 6), torch.rand(6), torch.rand(4))


def case_xitorch_linear():
    return InterpolatedByLinear(), (torch.linspace(0, 1, 6), torch.rand(6), torch.rand(4))


def decays(t, y, a):
    """What a decaying quantity changes by."""
    return -a * y


class DecayByRk4(torch.nn.Module):
    """An initial value problem."""

    def forward(self, times, start, a):
        return solve_ivp(decays, times, start, params=(a,), method="rk4")


class DecayByRk45(torch.nn.Module):
    """An initial value problem."""

    def forward(self, times, start, a):
        return solve_ivp(decays, times, start, params=(a,), method="rk45")


def case_xitorch_rk4():
    return DecayByRk4(), (torch.linspace(0, 1, 4), torch.rand(3), torch.tensor(0.5))


def case_xitorch_rk45():
    return DecayByRk45(), (torch.linspace(0, 1, 4), torch.rand(3), torch.tensor(0.5))


def squared(y, a):
    """Zero at the root of a."""
    return y * y - a


class Root(torch.nn.Module):
    """A root of a function."""

    def forward(self, start, a):
        return rootfinder(squared, start, params=(a,), method="broyden1", maxiter=5)


def case_xitorch_root():
    return Root(), (torch.ones(3), torch.rand(3) + 1)


def bowl(y, a):
    """Lowest at a."""
    return ((y - a) ** 2).sum()


class Lowest(torch.nn.Module):
    """A minimum of a function."""

    def forward(self, start, a):
        return minimize(bowl, start, params=(a,), method="gd", step=0.1, maxiter=5)


def case_xitorch_minimum():
    return Lowest(), (torch.ones(3), torch.rand(3) + 1)


class Brighter(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = MultiplicativeBrightnessTransform((0.7, 1.3), False)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_brightness():
    np.random.seed(0)
    return Brighter(), (torch.rand(2, 8, 8, 8),)


class Corrected(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = GammaTransform((0.7, 1.3), 0, False, 1.0, 1.0)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_gamma():
    np.random.seed(0)
    return Corrected(), (torch.rand(2, 8, 8, 8),)


class Noisy(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = GaussianNoiseTransform((0, 0.1))

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_noise():
    np.random.seed(0)
    return Noisy(), (torch.rand(2, 8, 8, 8),)


class Blurred(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = GaussianBlurTransform((0.5, 1.0), False)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_blur():
    np.random.seed(0)
    return Blurred(), (torch.rand(2, 8, 8, 8),)


class Coarse(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = SimulateLowResolutionTransform((0.5, 1.0), False, False, (), None)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_resolution():
    np.random.seed(0)
    return Coarse(), (torch.rand(2, 8, 8, 8),)


class Mirrored(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = MirrorTransform((0, 1, 2))

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_mirror():
    np.random.seed(0)
    return Mirrored(), (torch.rand(2, 8, 8, 8),)


class Moved(torch.nn.Module):
    """A volume, changed."""

    def __init__(self):
        super().__init__()
        self.transform = SpatialTransform((8, 8, 8), 0, False, p_rotation=1, p_scaling=1, p_elastic_deform=0)

    def forward(self, image):
        return self.transform(image=image)


def case_batchgenerators_space():
    np.random.seed(0)
    return Moved(), (torch.rand(2, 8, 8, 8),)
