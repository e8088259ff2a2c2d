from __future__ import annotations

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class RopeConfig:
    theta: float = 10000.0
    scaling: float | None = None


@dataclass
class LMConfig:
    vocab: int = 32
    dim: int = 16
    heads: int = 4
    kv_heads: int = 2
    layers: int = 2
    experts: int = 0
    top_k: int = 2
    max_len: int = 32
    window: int | None = None
    tie: bool = True
    rope: RopeConfig = field(default_factory=RopeConfig)

    def __post_init__(self):
        if self.dim % self.heads:
            raise ValueError("heads do not divide the width")

    @property
    def head_dim(self):
        return self.dim // self.heads

    def to_dict(self):
        return asdict(self)
