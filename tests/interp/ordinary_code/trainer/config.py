import dataclasses
import json
import os
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Dict, Optional, Type, TypeVar

T = TypeVar("T")


class Precision(Enum):
    FP32 = "32"
    BF16 = "bf16"


@dataclass
class OptimConfig:
    name: str = "sgd"
    lr: float = 0.1
    weight_decay: float = 0.0
    clip_norm: Optional[float] = 1.0
    accumulate: int = 1


@dataclass
class TrainConfig:
    optim: OptimConfig = field(default_factory=OptimConfig)
    precision: Precision = Precision.FP32
    log_every: int = 1
    detect_anomaly: bool = False
    ema: float = 0.99
    mixup: float = 0.0
    out_dir: str = os.environ.get("OUT_DIR", "/tmp")
    extra: Dict[str, Any] = field(default_factory=dict)

    def replace(self, **kw):
        return dataclasses.replace(self, **kw)


def load(cls: Type[T], text: str) -> T:
    known = {f.name for f in dataclasses.fields(cls)}
    return cls(**{k: v for k, v in json.loads(text).items() if k in known})
