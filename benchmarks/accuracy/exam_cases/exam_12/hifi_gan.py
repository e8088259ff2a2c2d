"""jik876/hifi-gan: generator, judges and their losses."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("librosa", "scipy", "matplotlib")
inside("hifi-gan")

from models import (
    Generator,
    MultiPeriodDiscriminator,
    MultiScaleDiscriminator,
    discriminator_loss,
    feature_loss,
    generator_loss,
)

PACKAGES = ["hifi-gan"]


def generator(resblock="1"):
    sizes = [[1, 3, 5]] if resblock == "1" else [[1, 3]]
    return Generator(SimpleNamespace(
        resblock_kernel_sizes=[3], upsample_rates=[4, 2], upsample_initial_channel=8, resblock=resblock,
        upsample_kernel_sizes=[8, 4], resblock_dilation_sizes=sizes,
    ))  # fmt: skip


def case_generator():
    return torch.compile(generator()), (torch.rand(1, 80, 5),)


def case_generator_2():
    model = generator("2")
    model.remove_weight_norm()
    return torch.compile(model), (torch.rand(1, 80, 5),)


def case_judges():
    judges = torch.compile(MultiScaleDiscriminator())
    return judges, (torch.rand(1, 1, 256), torch.rand(1, 1, 256))


def case_period():
    return torch.compile(MultiPeriodDiscriminator()), (torch.rand(1, 1, 200), torch.rand(1, 1, 200))


def case_discriminator_loss():
    return torch.compile(discriminator_loss), ([torch.rand(2, 3)], [torch.rand(2, 3)])


def case_generator_loss():
    return torch.compile(generator_loss), ([torch.rand(2, 3), torch.rand(2, 4)],)


def case_feature_loss():
    fast = torch.compile(feature_loss)
    return fast, ([[torch.rand(2, 3)]], [[torch.rand(2, 3)]])


def case_step():
    model, judge = generator(), MultiPeriodDiscriminator()
    optimizer = torch.optim.AdamW(judge.parameters())

    @torch.compile
    def step(x, y):
        made = model(x)
        optimizer.zero_grad()
        real, fake, _, _ = judge(y, made.detach())
        loss, of_real, of_fake = discriminator_loss(real, fake)
        loss.backward()
        optimizer.step()
        return loss, sum(of_real) + sum(of_fake)

    return step, (torch.rand(1, 80, 25), torch.rand(1, 1, 200))
