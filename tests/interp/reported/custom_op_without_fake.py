import torch
@torch.library.custom_op("mini::h", mutates_args=())
def h(ids: torch.Tensor, n: int) -> torch.Tensor:
    return (ids * 31 % n).clone()
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return h(x, 7) + 1  # BRK659
