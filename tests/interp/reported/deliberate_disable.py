import torch
class Svc:
    def __init__(self):
        self.fast = torch.compile(self.run)
    @torch.compiler.disable
    def pack(self, x):
        return x.cpu().tolist()
    def run(self, x: torch.Tensor):
        y = x.sin()
        return self.pack(y)  # BRK618

# The call of a function that is deliberately disabled is a break; the help for it is about np.ogrid today.
