"""if args.compile: step = torch.compile(step)."""
import argparse

import torch


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile", action="store_true", default=True)
    return parser.parse_args([])


def step(x):
    y = x.tanh()
    print("step", y.mean())  # break
    return y


def run():
    args = parse()
    fn = step
    if args.compile:
        fn = torch.compile(step)
    fn(torch.rand(4))
