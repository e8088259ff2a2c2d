"""Options of the compiler, set where a file is imported."""

from __future__ import annotations

from breaklint.analysis.queries import Doubt, required
from breaklint.fixes import imports
from breaklint.fixes.base import DISPLAY, UNSAFE, FixRequest, NotFixable
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.model import Applicability, Edit


@fix("set-option")
def set_option(m: Match) -> Steps:
    """`torch._dynamo.config.allow_rnn = True` behind the imports of the file, for the option that the card names."""
    option = m.request.rule.setting
    yield required(bool(option), "its card names no option")
    yield Doubt(m.request.rule.fix_why)
    return Draft(f"Set `{option}`", option_edits(m.request, option))


def for_the_program(request: FixRequest, option: str) -> Applicability:
    """How far a fix is trusted that lets data into every graph of the program: written with consent alone."""
    return UNSAFE if request.settings.capture_options and not may_raise(request, option) else DISPLAY


def may_raise(request: FixRequest, option: str) -> bool:
    """Whether this file, or one whose functions the traced code calls, calls `tolist`.

    Of more than 50 uses of what `nonzero` finds it alone raises with the option where it broke the graph (2.11, 2.13);
    two rarer ones (`out=` that has to grow, a branch in an operator on such a length) are not looked for.
    """
    if not option.endswith("capture_dynamic_output_shape_ops"):
        return False
    modules = {request.module, *request.event.frame.interp.called_modules()}
    return any(".tolist(" in module.text for module in modules)


def option_edits(request: FixRequest, option: str) -> tuple[Edit, ...]:
    """The line that sets an option behind the imports of the file, with the import that it needs; raises NotFixable."""
    torch = imports.name_at_top(request.module, "torch")
    edits: tuple[Edit, ...] = ()
    if torch is None:
        torch, edits = request.name_of("torch")
    if not (edits or imports.name_at_top(request.module, "torch")):
        raise NotFixable("the file imports torch only under a condition")
    line = imports.edit_below(request.module, f"\n{torch}.{option.removeprefix('torch.')} = True\n", "\n")
    if line is None:
        raise NotFixable("the file imports nothing before its first class")
    return (*edits, line)
