"""A compiled function applies an autograd.Function of the file."""
import torch


class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(0, 1)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ((x > 0) & (x < 1))


@torch.compile
def loss(x):
    y = Clamp.apply(x)
    print("y", y.mean())  # break
    return y.sum()


def run():
    loss(torch.rand(4, requires_grad=True)).backward()
