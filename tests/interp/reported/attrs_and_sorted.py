# attrs classes with a validator (line 59) and frozen ones (65) raise or break inside Dynamo; sorted pairs that hold tensors break (82); plain attrs, namedtuples and mappings are traced.
import dataclasses
from collections import OrderedDict, defaultdict, namedtuple
from typing import NamedTuple
import attrs
import torch
import torch.nn as nn


class Mapping(OrderedDict):
    def __post_init__(self):
        for f in dataclasses.fields(self):
            v = getattr(self, f.name)
            if v is not None:
                self[f.name] = v

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)

    def to_tuple(self):
        return tuple(self[k] for k in self.keys())


@dataclasses.dataclass
class EncoderOutput(Mapping):
    last: torch.Tensor | None = None
    hidden: tuple | None = None


@attrs.define
class Stats:
    mean: torch.Tensor = attrs.field(validator=attrs.validators.instance_of(torch.Tensor))
    count: int = attrs.field(default=0, converter=int)


@attrs.frozen
class Pair:
    a: torch.Tensor
    b: torch.Tensor


Point = namedtuple("Point", ["u", "v"], defaults=[0])


class Step(NamedTuple):
    x: torch.Tensor
    n: int = 1


class Encoder(nn.Module):
    def forward(self, x):
        out = EncoderOutput(last=x * 2, hidden=(x, x + 1))
        return out.to_tuple()[0] + out["hidden"][1]


@torch.compile
def with_attrs(x):
    s = Stats(mean=x.mean(0), count=3)  # BRK659
    return s.mean * s.count


@torch.compile
def with_frozen(x):
    p = Pair(x, x + 1)  # BRK659
    p = attrs.evolve(p, a=x * 3)
    return p.a + p.b


@torch.compile
def with_tuples(x):
    p = Point(x)._replace(v=x + 1)
    s = Step(x)._replace(n=4)
    return p.u + p.v * s.n + len(s._asdict())


@torch.compile
def with_default(x):
    groups = defaultdict(list)
    for i, part in enumerate(x.unbind(0)):
        groups[i % 2].append(part)
    return torch.stack([torch.stack(v).sum(0) for k, v in sorted(groups.items())])  # BRK665


def run():
    m = torch.compile(Encoder())
    x = torch.ones(4, 3)
    return [m(x), with_attrs(x), with_frozen(x), with_tuples(x), with_default(x)]
