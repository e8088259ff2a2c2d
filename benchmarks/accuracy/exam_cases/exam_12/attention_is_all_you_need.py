"""jadore801120/attention-is-all-you-need-pytorch: losses, epochs, beam search."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("torchtext", "dill", "spacy")
inside("attention-is-all-you-need-pytorch")

from train import cal_loss, cal_performance, eval_epoch, train_epoch
from transformer.Models import Transformer
from transformer.Optim import ScheduledOptim
from transformer.Translator import Translator

PACKAGES = ["attention-is-all-you-need-pytorch"]


def transformer():
    return Transformer(
        12, 12, 0, 0, d_word_vec=16, d_model=16, d_inner=16, n_layers=1, n_head=2, d_k=8, d_v=8, n_position=20
    )


def batches():
    return [SimpleNamespace(src=torch.randint(1, 12, (5, 2)), trg=torch.randint(1, 12, (5, 2)))]


def case_model():
    return torch.compile(transformer()), (torch.randint(1, 12, (2, 5)), torch.randint(1, 12, (2, 5)))


def case_loss():
    return torch.compile(cal_loss), (torch.rand(6, 12), torch.randint(0, 12, (6,)), 0, True)


def case_performance():
    measure = torch.compile(cal_performance)
    return measure, (torch.rand(6, 12), torch.randint(0, 12, (6,)), 0)


def case_epoch():
    model = transformer()
    optimizer = ScheduledOptim(torch.optim.Adam(model.parameters()), 2.0, 16, 10)
    opt = SimpleNamespace(src_pad_idx=0, trg_pad_idx=0)
    return torch.compile(train_epoch), (model, batches(), optimizer, opt, torch.device("cpu"), True)


def case_evaluation():
    opt = SimpleNamespace(src_pad_idx=0, trg_pad_idx=0)
    return torch.compile(eval_epoch), (transformer(), batches(), torch.device("cpu"), opt)


def case_translate():
    translator = Translator(transformer(), 2, 5, 0, 0, 1, 2)
    return torch.compile(translator.translate_sentence), (torch.randint(1, 12, (1, 4)),)


def case_optimizer():
    model = torch.nn.Linear(2, 2)
    model(torch.rand(2, 2)).sum().backward()
    optimizer = ScheduledOptim(torch.optim.Adam(model.parameters()), 2.0, 16, 10)
    return torch.compile(optimizer.step_and_update_lr), ()
