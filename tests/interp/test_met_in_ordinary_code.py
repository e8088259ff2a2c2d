"""Laws that ordinary code showed, each by its smallest example, measured on torch 2.11 and 2.13."""

from __future__ import annotations

import pytest
from harness import findings, marked

CASES = {
    "a method that another gives to torch.compile": """
class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = torch.compile(self._step)
    def _step(self, x: torch.Tensor):
        print(x.shape)  # BRK101
        return self.model(x)
""",
    "methods that torch.compile decorates": """
class Trainer:
    @torch.compile
    def step(self, x: torch.Tensor):
        return x.sum().item()  # BRK201
class Net(torch.nn.Module):
    @torch.compile(dynamic=True)
    def score(self, x: torch.Tensor):
        return x.sum().item()  # BRK201
    def told(self, x: torch.Tensor):
        return x.sum().item()
""",
    "a method that only raises gives what an override gives": """
class Base(torch.nn.Module):
    def step(self, batch):
        raise NotImplementedError
    def forward(self, batch):
        loss = self.step(batch)
        loss.backward()  # BRK612
        return loss.item()  # BRK201
""",
    "callbacks that a list of them calls by name": """
class Report:
    def on_step(self, loss):
        print(loss.item())  # BRK101 BRK201
class Callbacks:
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)
    def __getattr__(self, name):
        def call(*args):
            for callback in self.callbacks:
                getattr(callback, name)(*args)
        return call
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.callbacks = Callbacks([Report()])
    def forward(self, x):
        self.callbacks.on_step(x.sum())
        return x
""",
    "methods that change a tensor give it": """
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, index: torch.Tensor):
        degree = torch.zeros(3).index_add_(0, index, torch.ones(4))
        filled = torch.zeros(3).scatter_add_(0, index, x).put_(index, x)
        if (degree == 0).any():  # BRK301
            return x
        return x if filled.sum() > 0 else x.unflatten(0, (2, -1)).max().item()  # BRK301 BRK201
""",
    "one tensor method without tensors as arguments": """
class Net(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        ratio = self.inner(x).exp()
        if (ratio - 1).mean() > 0.1:  # BRK301
            return x
        if self.inner.norm(x):
            return x * 2
        return self.inner(x).norm(dim=-1).item()  # BRK201
""",
    "how long gradients are": """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
    def forward(self, x: torch.Tensor):
        norm = torch.nn.utils.clip_grad_norm_(self.layer.parameters(), 1.0)
        return x if norm > 1 else x * 2  # BRK301
""",
    "rows that are subtracted from each other": """
class Net(torch.nn.Module):
    def forward(self, points):
        return [i for i in range(len(points)) if (points[i] - points[0]).norm() < 1]  # BRK301
""",
    "a parameter whose comparison is an index": """
class Net(torch.nn.Module):
    def forward(self, scores, labels):
        near = scores[labels == 1]  # BRK401
        return near.numel(), scores.new_zeros(3)
""",
    "an instance of a class of the project, by isinstance": """
import zlib
class Hashed:
    def bucket(self, value):
        return zlib.crc32(value.encode()) % 7  # BRK618
class Net(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.features = list(features)
    def forward(self, x):
        for feature in self.features:
            if isinstance(feature, Hashed):
                x = x + feature.bucket("a")
        return x
""",
    "an object that stands in where none is given": """
class Actor(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.tanh(x)
class Net(torch.nn.Module):
    def __init__(self, actor=None):
        super().__init__()
        self.actor = actor or Actor()
    def forward(self, x: torch.Tensor):
        return bool(self.actor(x).sum() > 0)  # BRK202
""",
    "an order whose best is taken off the front has one dimension": """
class Net(torch.nn.Module):
    def forward(self, boxes, scores):
        order = scores.argsort(descending=True)
        kept = []
        while order.numel() > 1:
            kept.append(boxes[order[0]])  # BRK405
            order = order[1:]
        return torch.stack(kept)
class Suppression(torch.nn.Module):
    def forward(self, boxes, scores):
        order = scores.argsort(descending=True)
        best = boxes[order[0]]  # BRK405
        rest = order[1:]
        return best, boxes[rest], scores.argsort()[0]
class Filter(torch.nn.Module):
    def forward(self, logits, table):
        order = logits.argsort(descending=True)
        return table[order[0]], order[:, 1:]
""",
    "a function that the name of the class chooses": """
import re
def causal(x, labels):
    return torch.nn.functional.cross_entropy(x, labels)
def detection(x, labels):
    return x.sum().item()  # BRK201
def unused(x, labels):
    return x.sum().item()
LOSSES = {"ForCausalLM": causal, "ForObjectDetection": detection, "ForCTC": unused}
class Base(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        loss_type = self.__class__.__name__
        if loss_type not in LOSSES:
            found = re.findall(f"({'|'.join(LOSSES)})", self.__class__.__name__)
            loss_type = found[0] if len(found) > 0 else None
        self.loss_type = loss_type
    @property
    def loss_function(self):
        if hasattr(self, "_loss_function"):
            return self._loss_function
        loss_type = getattr(self, "loss_type", None)
        if loss_type is None or loss_type not in LOSSES:
            print("unknown loss")
            loss_type = "ForCausalLM"
        return LOSSES[loss_type]
    @loss_function.setter
    def loss_function(self, value):
        self._loss_function = value
class NetForObjectDetection(Base):
    def forward(self, x: torch.Tensor, labels: torch.Tensor):
        return self.loss_function(x, labels)
class NetForCausalLM(Base):
    def forward(self, x: torch.Tensor, labels: torch.Tensor):
        return self.loss_function(x, labels)
""",
    "what is not in a table of the module": """
SCALES = {"a": 1.0}
class Net(torch.nn.Module):
    def __init__(self, kind="b"):
        super().__init__()
        self.kind, self.cache = kind, {"a": 1.0}
        self.known = kind in SCALES
    def forward(self, x: torch.Tensor):
        if "b" not in self.cache:
            self.cache["b"] = 2.0
        else:
            print("again")  # BRK101
        return x * self.cache["b"] if self.known else x.sum().item()  # BRK201
""",
    "the values of torch.unique with their places": """
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        values, places = torch.unique(x, return_inverse=True)  # BRK402
        return values[values > 0] * places.float().mean().item()  # BRK401 BRK201
""",
    "numbers out of NumPy arrays as indexes": """
import numpy as np
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.counts, self.first, self.rows = np.zeros((3, 3)), np.int64(1), [1, 2, 3]
    def forward(self, x: torch.Tensor):
        for place in x.numpy().ravel():
            self.counts[place, 0] += 1  # BRK405
        near = [self.rows[i] for i in np.random.choice(3, 2)]  # BRK405 BRK206
        return x[self.first] * len(near), x[np.arange(3)[1]]  # BRK405
""",
    "objects of Python's random": """
import random
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.draw = random.Random(0)
    def forward(self, x: torch.Tensor):
        order = self.draw.sample([1, 2], 2)  # BRK608
        width = self.draw.randint(0, 3)
        if self.draw.random() < 0.5:  # BRK301
            return x * order[0] * width
        return x * self.draw.uniform(0, 1)
""",
    "a drawn number compared with an unknown value": """
import random
class Net(torch.nn.Module):
    def __init__(self, rate, other=None):
        super().__init__()
        self.rate, self.other = rate, other
    def dropped(self, rate):
        return random.uniform(0, 1) < rate
    def forward(self, x: torch.Tensor, p):
        if random.uniform(0, 1) < self.rate:  # BRK301
            x = x * 2
        if self.training and random.randint(0, 9) >= p:  # BRK301
            x = x * 3
        if random.randint(0, 3) in (1, 2):  # BRK305
            x = p[random.randint(0, 3)]  # BRK405
        return x if self.dropped(self.other) else x + 1  # BRK301
""",
    "counts": """
from collections import Counter
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, words: list[str]):
        counts = Counter(words)
        first = counts.most_common(1)[0][0]  # BRK659
        best = max(counts, key=counts.get)  # BRK665
        return x * (counts[first] + counts[best] + counts.most_common(2)[0][1] + counts.most_common()[0][1])
""",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_a_law_holds(text: str) -> None:
    source = "import torch\n" + text
    assert findings(source) == marked(source)
