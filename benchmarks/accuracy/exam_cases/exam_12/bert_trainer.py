"""codertimo/BERT-pytorch: a trainer's iteration."""

import torch
from exam_surroundings import inside

inside("BERT-pytorch")

from bert_pytorch.model import BERT, BERTLM
from bert_pytorch.trainer import BERTTrainer
from bert_pytorch.trainer.optim_schedule import ScheduledOptim

PACKAGES = ["BERT-pytorch"]


def bert():
    return BERT(20, hidden=16, n_layers=1, attn_heads=2)


def batch():
    return {
        "bert_input": torch.randint(1, 20, (2, 6)), "segment_label": torch.ones(2, 6).long(),
        "is_next": torch.tensor([0, 1]), "bert_label": torch.randint(0, 20, (2, 6)),
    }  # fmt: skip


def case_model():
    return torch.compile(BERTLM(bert(), 20)), (torch.randint(1, 20, (2, 6)), torch.ones(2, 6).long())


def case_iteration():
    trainer = BERTTrainer(bert(), 20, [batch()], with_cuda=False)
    return torch.compile(trainer.iteration), (0, trainer.train_data)


def case_test():
    trainer = BERTTrainer(bert(), 20, [batch()], [batch()], with_cuda=False)
    evaluate = torch.compile(trainer.test)
    return evaluate, (0,)


def case_schedule():
    model = torch.nn.Linear(2, 2)
    model(torch.rand(2, 2)).sum().backward()
    schedule = ScheduledOptim(torch.optim.Adam(model.parameters()), 16, 10)
    return torch.compile(schedule.step_and_update_lr), ()
