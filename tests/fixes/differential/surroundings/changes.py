"""Changes of values between definition and use: in place, through views, helpers and loops, by name or behind it."""

from __future__ import annotations

from random import Random

from differential.surroundings.drafts import Draft

TENSORS = [
    "{v}[:1] = 2",
    "{v}[...] = {v} * 0 + 3",
    "{v}.add_(1)",
    "{v}.mul_({v})",
    "{v}.data.add_(1)",
    "{v}.data = {v}.data * 2",
    "torch.add({v}, 1, out={v})",
    "w_ = {v}.view(-1)\nw_.add_(2)",
    "w_ = {v}\nw_ += 1",
    "self.touch({v})",
    "self.also({v})",
    "for t_ in ({v}, x):\n    t_.add_(1)",
    "for t_ in [{v}]:\n    t_[...] = 2",
    "list(map(lambda t_: t_.add_(1), [{v}]))",
    "with torch.no_grad():\n    {v}.zero_()",
    "getattr({v}, 'add_')(1)",
    "{v}.copy_(x) if {v}.shape == x.shape else None",
    "{v}[...] = x.sum()",
    "{v}[:1] = x.mean()",
    "{v}.fill_(x.sum())",
    "{v}.masked_fill_({v} > 0, 2)",
    "{v}.__setitem__(0, 1)",
    "{v}.requires_grad_()",
    "{v}.requires_grad = True",
    "x.requires_grad_()",
    "{v}.resize_(0)",
    "{v}.transpose_(0, -1)",
    "{v}.unsqueeze_(0)",
    "self.kept = {v}",
    "self.room = {v}",
    "torch.relu_({v})",
    "{v}.set_(x)",
    "torch.mul(x, 2, out={v})",
    "torch.nn.functional.relu({v}, inplace=True)",
]
NAMES = [
    "{v} = {v} + 1",
    "{v} += 1",
    "{v} *= x",
    "for _ in range(2):\n    {v} = {v} + 1",
    "for {v} in ({v}, x):\n    pass",
    "if x.dim() > 1:\n    {v} = x",
    "if x.dim() > 9:\n    {v} = None",
    "{v}, k_ = x, {v}",
    "({v} := x)",
    "[{v} := x for _ in range(1)]",
    "del {v}",
    "if x.dim() == 1:\n    del {v}",
    "try:\n    {v} = x\nfinally:\n    pass",
    "try:\n    {v} = x.view(3)\nexcept RuntimeError:\n    pass",
    "def inner_():\n    nonlocal {v}\n    {v} = x\ninner_()",
    "with torch.no_grad():\n    {v} = {v} * 1",
    "{v} = {v}.bool()",
    "{v} = {v}.to(torch.uint8)",
    "{v} = {v}.half()",
    "{v} = {v}.to(torch.bfloat16)",
    "{v} = {v}.char()",
    "{v} = {v}.t() if {v}.dim() == 2 else {v}",
    "{v} = x[0]",
    "{v} = torch.nn.Parameter({v})",
    "match {v}:\n    case t_:\n        {v} = t_ * 2",
]
OTHERS = [
    "self.deep = not getattr(self, 'deep', True)",
    "setattr(self, 'deep', not getattr(self, 'deep', True))",
    "self.switch()",
    "self.also(x)",
    "self.train()",
    "self.eval()",
    "self.train(not self.training)",
    "vars(self)['deep'] = True",
    "self.__dict__.update(deep=True, limit=1)",
    "k_ = self\nk_.deep = True",
    "self.calls += 1",
    "self.sizes.append(3)",
    "self.limit = 9",
    "seen_ = sorted(locals())\nself.calls = len(seen_)",
    "self.seen = sorted(locals())",
    "print(sorted(locals()))",
    "exec('pass')",
    "x = x * 2",
    "y = y.clone()",
    "assert x is not None",
    "torch.rand(1)",
    "self.count.add_(1) if hasattr(self, 'count') else None",
    "self.count = torch.tensor(5) if hasattr(self, 'count') else None",
    "setattr(self, 'count', torch.tensor([5, 6]))",
    "self.offset.add_(1)",
    "self.offset = self.offset * 2",
    "self.apply(lambda m_: setattr(m_, 'deep', True))",
    "torch.set_default_dtype(torch.float64)",
    "torch.set_grad_enabled(False)",
    "if x.sum() > 3:\n    raise ValueError('large')",
    "if not self.training:\n    return y",
]


def change(draft: Draft, rng: Random) -> None:
    """Change a value, a name or a setting somewhere in the method."""
    lines = rng.choice([TENSORS, TENSORS, NAMES, OTHERS])
    line = rng.choice(lines).replace("{v}", rng.choice(draft.names()))
    draft.body.insert(draft.place(rng), line)
    draft.done.append(line.split("\n", 1)[0])
