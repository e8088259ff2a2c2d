"""As the format `full`, with the whole help and every difference that an unsafe fix may make."""

from __future__ import annotations

from functools import partial

from breaklint.output import full

render = partial(full.render, verbose=True)
