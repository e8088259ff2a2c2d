"""Cases of diffsptk."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_c"])


import diffsptk  # noqa: E402
from audioseal.builder import create_detector, create_generator  # noqa: E402, F401

PACKAGES = ["diffsptk"]


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
