"""yunjey/stargan: a solver's losses and its step."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("torchvision", "tensorflow", "PIL")
inside("stargan")

from solver import Solver

PACKAGES = ["stargan"]


def solver():
    return Solver(None, None, SimpleNamespace(
        c_dim=3, c2_dim=2, image_size=16, g_conv_dim=4, d_conv_dim=4, g_repeat_num=1, d_repeat_num=2, lambda_cls=1,
        lambda_rec=10, lambda_gp=10, dataset="CelebA", batch_size=2, num_iters=1, num_iters_decay=1, g_lr=1e-3,
        d_lr=1e-3, n_critic=1, beta1=0.5, beta2=0.9, resume_iters=None, selected_attrs=["Black_Hair", "Male", "Young"],
        test_iters=1, use_tensorboard=False, log_dir="", sample_dir="", model_save_dir="", result_dir="", log_step=1,
        sample_step=1, model_save_step=1, lr_update_step=1,
    ))  # fmt: skip


def case_penalty():
    made = solver()

    @torch.compile
    def penalty(x):
        out, _ = made.D(x)
        return made.gradient_penalty(out, x)

    return penalty, (torch.rand(2, 3, 16, 16, requires_grad=True),)


def case_classification():
    made = solver()
    return torch.compile(made.classification_loss), (torch.rand(2, 3), torch.rand(2, 3))


def case_labels():
    made = solver()
    return torch.compile(made.create_labels), (torch.zeros(2, 3), 3, "CelebA", ["Black_Hair", "Male", "Young"])


def case_one_hot():
    made = solver()
    return torch.compile(made.label2onehot), (torch.tensor([0, 2]), 3)


def case_reset():
    made = solver()
    return torch.compile(made.reset_grad), ()


def case_update_lr():
    made = solver()
    return torch.compile(made.update_lr), (1e-4, 1e-4)


def case_denorm():
    made = solver()
    return torch.compile(made.denorm), (torch.rand(2, 3, 4, 4),)


def case_generator():
    made = solver()
    return torch.compile(made.G), (torch.rand(1, 3, 16, 16), torch.rand(1, 3))


def case_step():
    made = solver()

    def step(real, labels):
        out, classes = made.D(real)
        loss = -out.mean() + made.classification_loss(classes, labels)
        made.reset_grad()
        loss.backward()
        made.d_optimizer.step()
        return {"D/loss": loss.item()}

    return torch.compile(step), (torch.rand(2, 3, 16, 16), torch.ones(2, 3))
