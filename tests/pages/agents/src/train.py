import torch

from model import Net


class Trainer:
    def __init__(self, model: Net, optimizer: torch.optim.Optimizer) -> None:
        self.model = model
        self.optimizer = optimizer
        self.step = torch.compile(self.plain_step)

    def plain_step(self, x: torch.Tensor) -> torch.Tensor:
        loss = self.model(x).pow(2).mean()
        if loss > 10:
            print("large loss")
        return loss


def main() -> None:
    model = Net()
    trainer = Trainer(model, torch.optim.SGD(model.parameters(), lr=0.1))
    for _ in range(3):
        trainer.optimizer.zero_grad()
        trainer.step(torch.randn(8, 64)).backward()
        trainer.optimizer.step()


if __name__ == "__main__":
    main()
