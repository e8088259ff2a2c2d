"""Text given to Python's compiler: as a syntax tree, or to test whether it compiles. Nothing is executed."""

from __future__ import annotations

import ast
import gc
import warnings

from breaklint.errors import SourceError


def parse(path: str, text: str) -> ast.Module:
    """The tree of a source text; raises SourceError with the place if it is not Python of the running version."""
    enabled = gc.isenabled()
    gc.disable()  # saves 13-18 % of ast.parse: it makes many objects and frees none
    try:
        tree = _compiled(path, text, ast.PyCF_ONLY_AST)
        assert isinstance(tree, ast.Module)
        return tree
    finally:
        if enabled:
            gc.enable()


def check_compiles(path: str, text: str, top_level_await: bool = False) -> None:
    """Raise SourceError with the place when a text does not compile.

    `parse` tests the grammar only, which accepts a `return` outside of a function, a late import from `__future__`, or
    a name that is both parameter and global.
    """
    _compiled(path, text, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if top_level_await else 0)


def _compiled(path: str, text: str, flags: int) -> object:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the code that is looked at: other tools tell
            result: object = compile(text, path, "exec", flags, dont_inherit=True)
            return result
    except SyntaxError as error:
        reason = f"not valid Python: {error.msg.partition(' - ')[0]}"
        raise SourceError(path, reason, error.lineno or _row_of_null(text), error.offset or None) from None
    except (RecursionError, MemoryError):
        raise SourceError(path, "cannot be parsed: an expression is too long or nested too deeply") from None
    except (ValueError, OverflowError) as error:
        raise SourceError(path, f"cannot be parsed: {error}", _row_of_null(text)) from None


def _row_of_null(text: str) -> int | None:
    """The line of the first null character, for which Python reports no place."""
    return text.count("\n", 0, text.index("\0")) + 1 if "\0" in text else None
