import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
    def forward(self, x):
        return self.a(x)
def hook(module, args, output):
    print(output)  # BRK101
def make(store):
    def pre(module, args):
        store.append(args[0].sum().item())  # BRK201
    return pre
def attach(net, store):
    for m in net.modules():
        m.register_forward_pre_hook(make(store))
net = Net()
net.a.register_forward_hook(hook)
attach(net, [])
net = torch.compile(net)
