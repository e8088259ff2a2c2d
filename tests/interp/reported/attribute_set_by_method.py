import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.chunks = 0
        self.mode = "a"
        self.register_buffer("table", torch.zeros(1))
        self.scale = None
        self.debug = False
    def set_chunks(self, n):
        self.chunks = n
    def set_mode(self, mode):
        self.mode = mode
    def set_scale(self, s):
        self.scale = s
    def fit(self, x):
        self.table = x
    def forward(self, x):
        if self.chunks > 0:
            print("c")  # BRK101
        if self.mode == "b":
            print("m")  # BRK101
        if self.scale is not None:
            print("s")  # BRK101
        if self.debug:
            print("d")
        return self.table[x.argmax()]  # BRK405
