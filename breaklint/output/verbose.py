"""As the format `by-line`, with the whole help and every difference that an unsafe fix may make."""

from __future__ import annotations

from functools import partial

from breaklint.output import by_line

render = partial(by_line.render, verbose=True)
