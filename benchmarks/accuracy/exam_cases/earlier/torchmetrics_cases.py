"""Cases of torchmetrics."""

from __future__ import annotations

import torch

PACKAGES = ["torchmetrics"]


def classes(n: int = 16, upper: int = 4) -> torch.Tensor:
    return torch.randint(0, upper, (n,))


def case_multiclass_accuracy():
    from torchmetrics.classification import MulticlassAccuracy

    return MulticlassAccuracy(num_classes=4), (torch.randn(16, 4), classes())


def case_binary_auroc():
    from torchmetrics.classification import BinaryAUROC

    return BinaryAUROC(), (torch.rand(16), classes(upper=2))


def case_multiclass_auroc_binned():
    from torchmetrics.classification import MulticlassAUROC

    return MulticlassAUROC(num_classes=4, thresholds=5, average="weighted"), (torch.randn(16, 4).softmax(-1), classes())


def case_multilabel_f1():
    from torchmetrics.classification import MultilabelF1Score

    return MultilabelF1Score(num_labels=3, ignore_index=-1), (torch.rand(8, 3), torch.randint(0, 2, (8, 3)))


def case_confusion_matrix():
    from torchmetrics.classification import MulticlassConfusionMatrix

    return MulticlassConfusionMatrix(num_classes=4, normalize="true", ignore_index=0), (torch.randn(16, 4), classes())


def case_calibration_error():
    from torchmetrics.classification import MulticlassCalibrationError

    return MulticlassCalibrationError(num_classes=4, n_bins=3), (torch.randn(16, 4).softmax(-1), classes())


def case_cohen_kappa():
    from torchmetrics.classification import MulticlassCohenKappa

    return MulticlassCohenKappa(num_classes=4, weights="linear"), (torch.randn(16, 4), classes())


def case_jaccard():
    from torchmetrics.classification import MulticlassJaccardIndex

    return MulticlassJaccardIndex(num_classes=4), (torch.randn(16, 4), classes())


def case_hinge():
    from torchmetrics.classification import MulticlassHingeLoss

    return MulticlassHingeLoss(num_classes=4, squared=True), (torch.randn(16, 4), classes())


def case_ranking():
    from torchmetrics.classification import MultilabelRankingLoss

    return MultilabelRankingLoss(num_labels=3), (torch.rand(8, 3), torch.randint(0, 2, (8, 3)))


def case_average_precision():
    from torchmetrics.classification import MulticlassAveragePrecision

    return MulticlassAveragePrecision(num_classes=4), (torch.randn(16, 4).softmax(-1), classes())


def case_exact_match():
    from torchmetrics.classification import MulticlassExactMatch

    return MulticlassExactMatch(num_classes=4), (torch.randint(0, 4, (8, 3)), torch.randint(0, 4, (8, 3)))


def case_mean_squared_error():
    from torchmetrics import MeanSquaredError

    return MeanSquaredError(), (torch.randn(16), torch.randn(16))


def case_r2():
    from torchmetrics import R2Score

    return R2Score(), (torch.randn(16), torch.randn(16))


def case_pearson():
    from torchmetrics import PearsonCorrCoef

    return PearsonCorrCoef(), (torch.randn(16), torch.randn(16))


def case_spearman():
    from torchmetrics import SpearmanCorrCoef

    return SpearmanCorrCoef(), (torch.randn(16), torch.randn(16))


def case_kendall():
    from torchmetrics import KendallRankCorrCoef

    return KendallRankCorrCoef(), (torch.randn(16), torch.randn(16))


def case_explained_variance():
    from torchmetrics import ExplainedVariance

    return ExplainedVariance(), (torch.randn(16), torch.randn(16))


def case_tweedie():
    from torchmetrics import TweedieDevianceScore

    return TweedieDevianceScore(power=1.5), (torch.rand(16) + 0.1, torch.rand(16) + 0.1)


def case_ssim():
    from torchmetrics.image import StructuralSimilarityIndexMeasure

    return StructuralSimilarityIndexMeasure(data_range=1.0), (torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))


def case_ssim_open_range():
    from torchmetrics.image import StructuralSimilarityIndexMeasure

    return StructuralSimilarityIndexMeasure(), (torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))


def case_psnr():
    from torchmetrics.image import PeakSignalNoiseRatio

    return PeakSignalNoiseRatio(data_range=(0.0, 1.0)), (torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))


def case_uqi():
    from torchmetrics.image import UniversalImageQualityIndex

    return UniversalImageQualityIndex(), (torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))


def case_ergas():
    from torchmetrics.image import ErrorRelativeGlobalDimensionlessSynthesis

    return ErrorRelativeGlobalDimensionlessSynthesis(), (torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))


def case_spectral_angle():
    from torchmetrics.image import SpectralAngleMapper

    return SpectralAngleMapper(), (torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))


def case_total_variation():
    from torchmetrics.image import TotalVariation

    return TotalVariation(), (torch.rand(1, 3, 16, 16),)


def case_vif():
    from torchmetrics.image import VisualInformationFidelity

    return VisualInformationFidelity(), (torch.rand(1, 3, 48, 48), torch.rand(1, 3, 48, 48))


def case_si_sdr():
    from torchmetrics.audio import ScaleInvariantSignalDistortionRatio

    return ScaleInvariantSignalDistortionRatio(), (torch.randn(1, 100), torch.randn(1, 100))


def case_sdr():
    from torchmetrics.audio import SignalDistortionRatio

    return SignalDistortionRatio(filter_length=16), (torch.randn(1, 200), torch.randn(1, 200))


def case_permutation_invariant():
    from torchmetrics.audio import PermutationInvariantTraining
    from torchmetrics.functional.audio import scale_invariant_signal_noise_ratio

    return PermutationInvariantTraining(scale_invariant_signal_noise_ratio), (
        torch.randn(2, 2, 50),
        torch.randn(2, 2, 50),
    )


def case_retrieval_map():
    from torchmetrics.retrieval import RetrievalMAP

    return RetrievalMAP(), (torch.rand(16), classes(upper=2)), {"indexes": classes(upper=3)}


def case_retrieval_ndcg():
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    return RetrievalNormalizedDCG(top_k=2), (torch.rand(16), classes(upper=2)), {"indexes": classes(upper=3)}


def case_mutual_info():
    from torchmetrics.clustering import MutualInfoScore

    return MutualInfoScore(), (classes(), classes())


def case_davies_bouldin():
    from torchmetrics.clustering import DaviesBouldinScore

    return DaviesBouldinScore(), (torch.randn(16, 3), classes(upper=3))


def case_cramers_v():
    from torchmetrics.nominal import CramersV

    return CramersV(num_classes=4), (classes(), classes())


def case_fleiss_kappa():
    from torchmetrics.nominal import FleissKappa

    return FleissKappa(mode="counts"), (torch.randint(0, 4, (8, 3)),)


def case_mean():
    from torchmetrics import MeanMetric

    return MeanMetric(nan_strategy="warn"), (torch.randn(16),)


def case_cat():
    from torchmetrics import CatMetric

    return CatMetric(nan_strategy="ignore"), (torch.randn(16),)


def case_running_mean():
    from torchmetrics import RunningMean

    return RunningMean(window=2), (torch.tensor(1.0),)


def case_perplexity():
    from torchmetrics.text import Perplexity

    return Perplexity(ignore_index=0), (torch.randn(2, 5, 7), torch.randint(0, 7, (2, 5)))


def case_box_iou():
    from torchmetrics.detection import PanopticQuality

    return PanopticQuality(things={0, 1}, stuffs={2, 3}), (
        torch.randint(0, 4, (1, 4, 4, 2)),
        torch.randint(0, 4, (1, 4, 4, 2)),
    )


def case_dice():
    from torchmetrics.segmentation import GeneralizedDiceScore

    return GeneralizedDiceScore(num_classes=4, input_format="index"), (
        torch.randint(0, 4, (2, 8, 8)),
        torch.randint(0, 4, (2, 8, 8)),
    )


def case_hausdorff():
    from torchmetrics.segmentation import HausdorffDistance

    return HausdorffDistance(num_classes=3, input_format="index"), (
        torch.randint(0, 3, (1, 8, 8)),
        torch.randint(0, 3, (1, 8, 8)),
    )


def case_procrustes():
    from torchmetrics.shape import ProcrustesDisparity

    return ProcrustesDisparity(), (torch.randn(2, 8, 2), torch.randn(2, 8, 2))


def case_bootstrapper():
    from torchmetrics import MeanSquaredError
    from torchmetrics.wrappers import BootStrapper

    return BootStrapper(MeanSquaredError(), num_bootstraps=2), (torch.randn(16), torch.randn(16))


def case_collection():
    from torchmetrics import MeanAbsoluteError, MeanSquaredError, MetricCollection

    return MetricCollection([MeanSquaredError(), MeanAbsoluteError()]), (torch.randn(16), torch.randn(16))


def case_minmax():
    from torchmetrics import MeanSquaredError
    from torchmetrics.wrappers import MinMaxMetric

    return MinMaxMetric(MeanSquaredError()), (torch.randn(16), torch.randn(16))


def case_classwise():
    from torchmetrics.classification import MulticlassAccuracy
    from torchmetrics.wrappers import ClasswiseWrapper

    return ClasswiseWrapper(MulticlassAccuracy(num_classes=4, average=None)), (torch.randn(16, 4), classes())


def case_multioutput():
    from torchmetrics import MeanSquaredError
    from torchmetrics.wrappers import MultioutputWrapper

    return MultioutputWrapper(MeanSquaredError(), 2), (torch.randn(16, 2), torch.randn(16, 2))
