"""tanelp/tiny-diffusion: a noise schedule and a step of training."""

import torch
from exam_surroundings import absent, inside

absent("matplotlib", "pandas", "sklearn")
inside("tiny-diffusion")

from ddpm import MLP, NoiseScheduler
from positional_embeddings import PositionalEmbedding

PACKAGES = ["tiny-diffusion"]


def case_model():
    return torch.compile(MLP(16, 1, 8)), (torch.rand(4, 2), torch.randint(0, 10, (4,)))


def case_step_back():
    schedule = NoiseScheduler(10)
    return torch.compile(schedule.step), (torch.rand(4, 2), torch.tensor(3), torch.rand(4, 2))


def case_add_noise():
    schedule = NoiseScheduler(10, beta_schedule="quadratic")
    add = torch.compile(schedule.add_noise)
    return add, (torch.rand(4, 2), torch.rand(4, 2), torch.randint(0, 10, (4,)))


def case_embedding():
    return torch.compile(PositionalEmbedding(8, "learnable")), (torch.rand(4),)


def case_training():
    schedule, model = NoiseScheduler(10), MLP(16, 1, 8)
    optimizer = torch.optim.AdamW(model.parameters())

    @torch.compile
    def step(batch):
        noise = torch.randn(batch.shape)
        times = torch.randint(0, schedule.num_timesteps, (batch.shape[0],)).long()
        loss = torch.nn.functional.mse_loss(model(schedule.add_noise(batch, noise, times), times), noise)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return step, (torch.rand(4, 2),)


def case_sampling():
    schedule, model = NoiseScheduler(4), MLP(16, 1, 8)

    @torch.compile
    def sample(x):
        for i in reversed(range(len(schedule))):
            t = torch.full((x.size(0),), i)
            x = schedule.step(model(x, t), t[0], x)
        return x

    return sample, (torch.rand(4, 2),)
