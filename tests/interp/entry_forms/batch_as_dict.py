"""A batch as a dict, as keywords and as a tuple."""
import torch


@torch.compile
def by_dict(batch):
    x = batch["x"]
    if batch["weight"].sum() > 100:  # break
        x = x / 2
    return x * len(batch)


@torch.compile
def by_keywords(**batch):
    return batch["x"] * batch["weight"].max().item()  # break


@torch.compile
def by_tuple(batch):
    x, weight = batch
    return x - weight.min().item()  # break


def run():
    batch = {"x": torch.rand(4), "weight": torch.rand(4)}
    by_dict(batch)
    by_keywords(**batch)
    by_tuple((batch["x"], batch["weight"]))
