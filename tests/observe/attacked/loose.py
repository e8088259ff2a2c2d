"""A file that no import finds: the suite loads it by its place."""

import torch


class Loose(torch.nn.Module):
    def forward(self, x):
        print("loose")  # BRK101 confirmed test_class_of_a_module_that_is_not_known
        return x
