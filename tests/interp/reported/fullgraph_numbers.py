# With fullgraph=True a number that is read stays in the graph, and a branch on it is an error.
import torch, math


@torch.compile(fullgraph=True)
def a(x):
    n = x.sum().item()
    if n > 0:  # BRK301
        return x + 1
    return x


@torch.compile(fullgraph=True)
def e(x):
    return x * math.sqrt(x.sum().item())


@torch.compile(fullgraph=True)
def f(x):
    n = x.sum().item()
    return x * max(n, 2)


@torch.compile(fullgraph=True)
def g(x):
    i = x.argmax().item()
    return x[i] + x[:i].sum()


@torch.compile(fullgraph=True)
def i(x):
    k = x.sum().item()
    return f"{k}"


@torch.compile(fullgraph=True)
def j(x):
    k = x.sum().item()
    while k > 0:  # BRK301
        k -= 1
    return x


@torch.compile(fullgraph=True)
def k(x):
    n = x.sum().long().item()
    y = torch.zeros(n)
    return y + 1


@torch.compile(fullgraph=True)
def l(x):
    n = x.sum().long().item()
    y = x
    for _ in range(n):  # BRK404
        y = y + 1
    return y


@torch.compile(fullgraph=True)
def m(x):
    n = x.sum().item()
    return x * math.log(n) * math.sqrt(n)  # BRK202


@torch.compile(fullgraph=True)
def n(x):
    rows = [x, x + 1, x + 2]
    return rows[x.argmax().item()]  # BRK405


@torch.compile(fullgraph=True)
def o(x):
    scales = (1.0, 2.0, 3.0)
    return x * scales[x.argmax().item()]  # BRK405


@torch.compile(fullgraph=True)
def p(x):
    y = x[x > 0]
    if y.numel() > 0:  # BRK301
        return y * y.numel()
    return x


@torch.compile(fullgraph=True)
def q(x):
    places = x.nonzero()
    if places.shape[0] == 0:  # BRK301
        return x
    return places
