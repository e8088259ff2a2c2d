"""A table of torch's names that is written by hand says why neither a schema nor a measurement answers it."""

from __future__ import annotations

import sys
from functools import cache

from harness import PROJECT

sys.path.insert(0, str(PROJECT / "scripts"))
from hand_tables import Table, tables, torch_names

KNOWN = cache(torch_names)


def is_of_torch(table: Table) -> bool:
    theirs = [name for name in table.names if name.startswith("torch") or name.rpartition(".")[2] in KNOWN()]
    return not table.name.startswith("__") and len(theirs) >= 3 and 2 * len(theirs) >= len(table.names)


def reason(table: Table) -> str:
    """The comment above a table, or beside its first line."""
    lines = table.path.read_text("utf-8").splitlines()
    above = lines[table.row - 2].strip() if table.row > 1 else ""
    comment = above if above.startswith("#") else lines[table.row - 1].partition("  # ")[2]
    return "" if "fmt:" in comment or "noqa" in comment else comment


def test_a_table_has_a_reason() -> None:
    found = [table for table in tables(PROJECT / "breaklint") if is_of_torch(table)]
    assert len(found) > 100
    assert [f"{table.path}:{table.row}: {table.name}" for table in found if not reason(table)] == []
