"""The models of GraphMend's table that the fixes leave with breaks, for graphmend_table.diff: called as they are."""

from __future__ import annotations

from real_cases.graphmend_table import (  # noqa: F401
    PACKAGES,
    REQUIREMENTS,
    case_clap_fused,
    case_grounding_dino,
    case_longformer,
    case_longformer_global,
)
