"""facebookresearch/dino: gradients, schedules, optimisers and measures."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("torchvision", "PIL")
inside("dino")

import utils
import vision_transformer
from main_dino import DINOLoss

PACKAGES = ["dino"]
torch.distributed.all_reduce = lambda tensor, *given: None
torch.distributed.get_world_size = lambda *given: 1


def trained():
    model = torch.nn.Linear(4, 3)
    model(torch.rand(2, 4)).sum().backward()
    return model


def case_clip():
    return torch.compile(utils.clip_gradients), (trained(), 1.0)


def case_cancel():
    model = torch.nn.Sequential()
    model.add_module("last_layer", trained())
    return torch.compile(utils.cancel_gradients_last_layer), (0, model, 1)


def case_loss():
    criterion = DINOLoss(6, 3, 0.04, 0.07, 2, 10)
    return torch.compile(criterion), (torch.rand(6, 6), torch.rand(4, 6), 1)


def case_vit():
    model = vision_transformer.vit_tiny(img_size=[32], patch_size=16)
    return torch.compile(model), (torch.rand(1, 3, 48, 48),)


def case_attention():
    model = vision_transformer.vit_tiny(img_size=[32], patch_size=16)
    attend = torch.compile(model.get_last_selfattention)
    return attend, (torch.rand(1, 3, 32, 32),)


def case_crops():
    model = utils.MultiCropWrapper(
        vision_transformer.vit_tiny(img_size=[32], patch_size=16), vision_transformer.DINOHead(192, 6)
    )
    return torch.compile(model), ([torch.rand(1, 3, 32, 32), torch.rand(1, 3, 32, 32), torch.rand(1, 3, 16, 16)],)


def case_lars():
    optimizer = utils.LARS(trained().parameters(), lr=0.1)

    def step():
        optimizer.step()

    return torch.compile(step), ()


def case_accuracy():
    return torch.compile(utils.accuracy), (torch.rand(5, 6), torch.randint(0, 6, (5,)), (1, 5))


def case_smoothed():
    value = utils.SmoothedValue()
    value.update(1.0)
    value.update(3.0)

    @torch.compile
    def told(x):
        return x * value.median + value.global_avg

    return told, (torch.rand(2),)


def case_parameter_groups():
    return torch.compile(utils.get_params_groups), (torch.nn.Linear(2, 2),)


def case_step():
    model = trained()
    optimizer = torch.optim.AdamW(utils.get_params_groups(model))
    options = SimpleNamespace(clip=1.0)

    @torch.compile
    def step(x):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        norms = utils.clip_gradients(model, options.clip)
        optimizer.step()
        return loss, norms

    return step, (torch.rand(2, 4),)
