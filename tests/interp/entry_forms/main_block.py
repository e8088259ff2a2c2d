"""What is compiled in main() only."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, log_every):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.log_every = log_every

    def forward(self, x):
        y = self.lin(x)
        if self.log_every:
            print("mean", y.mean())  # break
        return y

    def loss(self, x):
        y = self.lin(x)
        return y.pow(2).mean().item()  # break


def main():
    model = Net(log_every=10)
    compiled_model = torch.compile(model)
    compiled_loss = torch.compile(model.loss)
    compiled_model(torch.rand(2, 4))
    compiled_loss(torch.rand(2, 4))


def run():
    main()


if __name__ == "__main__":
    main()
