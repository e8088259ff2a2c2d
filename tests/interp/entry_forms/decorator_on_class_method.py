"""A class method below @torch.compile."""
import torch


class Table:
    rows = 3

    @classmethod
    @torch.compile
    def lookup(cls, index):
        table = torch.arange(cls.rows * 2.0)
        first = int(index[0])  # break
        return table[first] + index

    @classmethod
    def first(cls, index):
        return int(index[0])


def run():
    index = torch.tensor([1, 2])
    Table.first(index)
    Table.lookup(index)
