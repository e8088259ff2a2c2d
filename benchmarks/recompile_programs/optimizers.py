"""Steps of optimizers as people compile them: for each parameter, or for all of them."""

# ruff: noqa: D103 - programs that are compiled

import torch


def adam(parameter, gradient, mean, square, step, rate):
    mean = mean * 0.9 + gradient * 0.1
    square = square * 0.99 + gradient * gradient * 0.01
    scale = (1 - 0.99**step) ** 0.5 / (1 - 0.9**step)
    return parameter - rate * scale * mean / (square.sqrt() + 1e-8), mean, square


def adam_with_tensors(parameter, gradient, mean, square, step, rate):
    mean = mean.lerp(gradient, 0.1)
    square = square * 0.99 + gradient * gradient * 0.01
    scale = (1 - torch.pow(0.99, step)).sqrt() / (1 - torch.pow(0.9, step))
    return parameter - rate * scale * mean / (square.sqrt() + 1e-8), mean, square


def orthogonal(update):
    if update.shape[0] > update.shape[1]:
        update = update.T
    update = update / (update.norm() + 1e-7)
    for _ in range(5):
        gram = update @ update.T
        update = 3.4445 * update + (-4.775 * gram + 2.0315 * gram @ gram) @ update
    return update


def momentum(parameters, gradients, rate):
    return [each - rate * gradient for each, gradient in zip(parameters, gradients, strict=True)]


def schedule(parameter, gradient, step, rate):
    if step < 4:
        rate = rate * step / 4
    return parameter - rate * gradient
