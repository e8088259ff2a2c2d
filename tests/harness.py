"""Names that tests share; the fixtures themselves are in conftest.py."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
WriteFiles = Callable[[Mapping[str, "str | bytes"]], Path]
RunBreaklint = Callable[..., "subprocess.CompletedProcess[str]"]
