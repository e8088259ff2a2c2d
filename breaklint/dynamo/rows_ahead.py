"""The lines that a function may still reach from an instruction. Imported after torch._dynamo."""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType

from torch._dynamo.bytecode_analysis import TERMINAL_OPCODES
from torch._dynamo.bytecode_transformation import Instruction, cleaned_instructions


class RowsAhead:
    """The rows of files that were traced, as bits of a number, and the rows that lie ahead in a function."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._ahead: dict[int, tuple[CodeType, Sequence[int]]] = {}  # by id, with the code, so that no other gets it

    def add(self, filename: str, row: int) -> bool:
        """Note a traced row: is it the first time?"""
        rows = self._rows.get(filename, 0)
        self._rows[filename] = rows | 1 << row
        return not rows >> row & 1

    def any(self, code: CodeType, place: int) -> bool:
        """Whether the instruction at a place of the function can lead to a row that was not traced."""
        if id(code) not in self._ahead:
            self._ahead[id(code)] = code, _rows_ahead(cleaned_instructions(code))
        return bool(self._ahead[id(code)][1][place] & ~self._rows.get(code.co_filename, 0))


def _rows_ahead(instructions: Sequence[Instruction]) -> list[int]:
    """For each instruction the rows that begin at it or later, without those of handlers of exceptions."""
    places = {id(instruction): place for place, instruction in enumerate(instructions)}
    ahead, before = [0] * (len(instructions) + 1), list[int]()
    while ahead != before:  # once more for each loop around a loop
        before = list(ahead)
        for place, one in reversed([*enumerate(instructions)]):
            rows = 1 << one.starts_line if one.starts_line and one.opname != "RESUME" else 0
            if one.opcode not in TERMINAL_OPCODES:
                rows |= ahead[place + 1]
            if one.target is not None:
                rows |= ahead[places[id(one.target)]]
            if isinstance(one.argval, CodeType):
                rows |= sum(1 << row for row in {row for _, _, row in one.argval.co_lines() if row})
            ahead[place] = rows
    return ahead
