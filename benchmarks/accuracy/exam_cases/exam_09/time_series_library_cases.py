"""Cases of Time-Series-Library."""

from __future__ import annotations

import torch
from exam_configurations import forecast

PACKAGES = ["Time-Series-Library"]


def case_tsl_autoformer():
    return forecast("Autoformer")


def case_tsl_crossformer():
    return forecast("Crossformer")


def case_tsl_dlinear():
    return forecast("DLinear")


def case_tsl_etsformer():
    return forecast("ETSformer", d_layers=2)


def case_tsl_fedformer():
    return forecast("FEDformer")


def case_tsl_film():
    return forecast("FiLM")


def case_tsl_frets():
    return forecast("FreTS")


def case_tsl_informer():
    return forecast("Informer")


def case_tsl_kanad():
    return forecast("KANAD", task="anomaly_detection")


def case_tsl_lightts():
    return forecast("LightTS")


def case_tsl_msgnet():
    return forecast("MSGNet")


def case_tsl_mambasimple():
    return forecast("MambaSimple")


def case_tsl_multipatchformer():
    return forecast("MultiPatchFormer")


def case_tsl_nonstationary():
    return forecast("Nonstationary_Transformer")


def case_tsl_nonstationary_imputation():
    model, (series, marks, *later) = forecast("Nonstationary_Transformer", task="imputation")
    return model, (series, marks, *later, torch.rand(4, 96, 7) > 0.25)


def case_tsl_pattn():
    return forecast("PAttn")


def case_tsl_patchtst():
    return forecast("PatchTST")


def case_tsl_reformer():
    return forecast("Reformer")


def case_tsl_segrnn():
    return forecast("SegRNN")


def case_tsl_tsmixer():
    return forecast("TSMixer")


def case_tsl_tide():
    return forecast("TiDE")


def case_tsl_timefilter():
    return forecast("TimeFilter")


def case_tsl_timemixer():
    return forecast("TimeMixer", down_sampling_layers=2, down_sampling_window=2, down_sampling_method="avg")


def case_tsl_timexer():
    return forecast("TimeXer")


def case_tsl_timesnet():
    return forecast("TimesNet")


def case_tsl_timesnet_classification():
    model, (series, *_) = forecast("TimesNet", task="classification", horizon=0)
    return model, (series, torch.ones(4, 96), None, None)


def case_tsl_wpmixer():
    return forecast("WPMixer")


def case_tsl_itransformer():
    return forecast("iTransformer")
