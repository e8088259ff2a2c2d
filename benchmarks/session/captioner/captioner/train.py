import torch
from torch import nn

from captioner.model import Captioner, get_inputs


def training_step(model, optimizer, batch, target, step):
    logits = model(*batch)
    loss = nn.functional.cross_entropy(logits, target)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if loss.item() > 10:
        print("loss is high at", step)
    return loss


def main():
    model = Captioner()
    optimizer = torch.optim.AdamW(model.parameters())
    step = torch.compile(training_step)
    for number in range(10):
        step(model, optimizer, get_inputs(), torch.randint(0, 10, (4,)), number)


if __name__ == "__main__":
    main()
