import argparse

import torch


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(16, 16)

    def forward(self, x):
        h = self.mix(x)
        return h / (h.abs().max().item() + 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    encoder = torch.compile(Encoder(), backend="eager")
    for _ in range(parser.parse_args().epochs):
        encoder(torch.randn(4, 16))
