"""Class.method = torch.compile(Class.method)."""
import torch


class Sampler:
    def draw(self, p):
        return torch.multinomial(p, 1).item()  # break

    def peek(self, p):
        return p.argmax().item()


Sampler.draw = torch.compile(Sampler.draw)


def run():
    sampler = Sampler()
    sampler.draw(torch.rand(4))
    sampler.peek(torch.rand(4))
