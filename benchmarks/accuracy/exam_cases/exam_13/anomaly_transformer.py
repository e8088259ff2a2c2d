"""thuml/Anomaly-Transformer: a solver's losses and loops."""

import numpy as np
import torch
from exam_surroundings import absent, inside

absent("pandas", "sklearn", "einops", "matplotlib", "PIL")
np.Inf = np.inf
inside("Anomaly-Transformer")

import solver as solving
from model.AnomalyTransformer import AnomalyTransformer

PACKAGES = ["Anomaly-Transformer"]
solving.get_loader_segment = lambda *given, **named: [(torch.rand(2, 6, 3), torch.zeros(2, 6))]
torch.Tensor.cuda = lambda self, *given, **named: self


def solver():
    made = solving.Solver({
        "data_path": "", "batch_size": 2, "win_size": 6, "dataset": "X", "input_c": 3, "output_c": 3, "lr": 1e-3,
        "k": 3, "num_epochs": 1, "model_save_path": "/tmp", "anormly_ratio": 1.0,
    })  # fmt: skip
    made.model = AnomalyTransformer(6, 3, 3, d_model=8, n_heads=2, e_layers=1, d_ff=8)
    for block in made.model.encoder.attn_layers:
        size = block.attention.inner_attention.distances.shape
        block.attention.inner_attention.distances = torch.ones(size)
    return made


def case_model():
    return torch.compile(solver().model), (torch.rand(2, 6, 3),)


def case_validation():
    made = solver()
    return torch.compile(made.vali), (made.vali_loader,)


def case_kl():
    return torch.compile(solving.my_kl_loss), (torch.rand(2, 3, 4, 4), torch.rand(2, 3, 4, 4))


def case_stopping():
    stopping = solving.EarlyStopping(patience=1)
    stopping.best_score, stopping.best_score2 = torch.tensor(0.5), torch.tensor(0.5)
    return torch.compile(stopping), (torch.tensor(0.6), torch.tensor(0.7), torch.nn.Linear(2, 2), "/tmp")


def case_learning_rate():
    made = solver()
    return torch.compile(solving.adjust_learning_rate), (made.optimizer, 2, 0.1)


def case_step():
    made = solver()

    @torch.compile
    def step(batch):
        made.optimizer.zero_grad()
        output, series, prior, _ = made.model(batch)
        kl = solving.my_kl_loss(series[0], prior[0].detach()).mean()
        loss = made.criterion(output, batch) - made.k * kl
        loss.backward(retain_graph=True)
        made.optimizer.step()
        return loss.item()

    return step, (torch.rand(2, 6, 3),)
