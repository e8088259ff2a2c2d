"""karpathy/minGPT: a step of training and sampling."""

import torch
from exam_surroundings import inside

inside("minGPT")

from mingpt.model import GPT
from mingpt.trainer import Trainer

PACKAGES = ["minGPT"]


def model():
    config = GPT.get_default_config()
    config.model_type, config.vocab_size, config.block_size = "gpt-nano", 10, 8
    return GPT(config)


def case_loss():
    gpt = torch.compile(model())
    return gpt, (torch.randint(0, 10, (2, 6)), torch.randint(0, 10, (2, 6)))


def case_generate():
    gpt = model()
    return torch.compile(gpt.generate), (torch.randint(0, 10, (2, 3)), 2), {"do_sample": True, "top_k": 3}


def case_trainer():
    config = Trainer.get_default_config()
    config.max_iters, config.num_workers, config.batch_size, config.device = 1, 0, 2, "cpu"
    data = torch.utils.data.TensorDataset(torch.randint(0, 10, (4, 6)), torch.randint(0, 10, (4, 6)))
    trainer = Trainer(config, model(), data)
    return torch.compile(trainer.run), ()


def case_step():
    gpt = model()
    optimizer = torch.optim.AdamW(gpt.parameters())

    @torch.compile
    def step(x, y):
        _, loss = gpt(x, y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
        optimizer.step()
        return loss

    return step, (torch.randint(0, 10, (2, 6)), torch.randint(0, 10, (2, 6)))
