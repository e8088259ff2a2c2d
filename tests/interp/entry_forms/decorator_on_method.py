"""A method of a plain class below @torch.compile."""
import torch


class Evaluator:
    def __init__(self, scale):
        self.scale = scale

    @torch.compile
    def evaluate(self, x):
        total = (x * self.scale).sum()
        return total.item()  # break

    def describe(self, x):
        return x.sum().item()


def run():
    evaluator = Evaluator(2.0)
    evaluator.describe(torch.tensor(evaluator.evaluate(torch.rand(4))))
