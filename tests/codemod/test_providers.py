"""LibCST's metadata providers: what breaklint infers on `ast` is told of the same nodes of LibCST's tree."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Mapping
from pathlib import Path

import libcst as cst
import libcst.matchers as m
import pytest
from harness import PROJECT, WriteFiles, model
from libcst.metadata import FullRepoManager, MetadataWrapper, PositionProvider

from breaklint.codemod import GraphBreakProvider, InferredValue, InferredValueProvider, TraceInfo
from breaklint.codemod.facts import module_facts
from breaklint.codemod.providers import FactsProvider, span_of_range
from breaklint.lint.engine import Engine
from breaklint.model import Settings
from breaklint.project.spans import span_of

VALUES, TRACES = InferredValueProvider, GraphBreakProvider
FILES = [
    *sorted((PROJECT / "fixtures").glob("*/before.py"))[::4],
    *sorted((PROJECT / "benchmarks" / "accuracy" / "exam_cases").glob("*/*.py"))[::40],
]


def values(forward: str) -> dict[str, InferredValue]:
    """By source text, what is told of each expression; of equal ones the last."""
    wrapper = MetadataWrapper(cst.parse_module(model(forward)))
    output = wrapper.resolve(VALUES)
    return {wrapper.module.code_for_node(n): output[n] for n in output if isinstance(n, cst.BaseExpression)}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x + 1", InferredValue("tensor")),
        ("x > 0", InferredValue("tensor", "bool")),
        ("x.sum().item()", InferredValue("number")),
        ("x.shape", InferredValue("shape")),
        ("x.shape[0]", InferredValue("size", python_type="int")),
        ("self.threshold", InferredValue("static", python_type="float")),
        ("'a'", InferredValue("static", python_type="str")),
        ("None", InferredValue("none")),
        ("[x, x]", InferredValue("list")),
        ("(x, x)", InferredValue("tuple")),
        ("{'a': x}", InferredValue("dict")),
        ("self.linear", InferredValue("module", qualified_name="torch.nn.Linear")),
        ("self", InferredValue("module", qualified_name="<module>.Net")),
        ("F.relu", InferredValue("name", qualified_name="torch.nn.functional.relu")),
        ("x.item", InferredValue("method", qualified_name="torch.Tensor.item")),
        ("print", InferredValue("name", qualified_name="builtins.print")),
        ("np.sqrt(2)", InferredValue("array", "float", 0)),
        ("unheard_of", InferredValue("unknown")),
    ],
)
def test_every_kind_of_value_has_its_word(expression: str, expected: InferredValue) -> None:
    assert values(f"y = {expression}\nreturn x")[expression] == expected


def test_what_may_be_none_and_what_is_only_taken_for_a_tensor_say_so() -> None:
    parameters = "x, y, mask: torch.Tensor | None = None"
    text = (
        f"import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, {parameters}):\n        return y, mask\n"
    )
    wrapper = MetadataWrapper(cst.parse_module(text))
    output = wrapper.resolve(VALUES)
    last = {node.value: output[node] for node in output if isinstance(node, cst.Name)}
    assert (last["y"].kind, last["y"].certain) == ("tensor", False)
    assert last["mask"].optional


def test_a_node_says_whether_it_is_traced_and_which_rule_it_breaks() -> None:
    wrapper = MetadataWrapper(cst.parse_module(model("if x.sum() > 0:\n    raise ValueError(str(x))\nreturn x.item()")))
    output = wrapper.resolve(TRACES)
    breaking = {wrapper.module.code_for_node(n): info for n, info in output.items() if info.breaks}
    assert {text: [f.code for f in info.findings] for text, info in breaking.items()} == {
        "x.sum() > 0": ["BRK301"],
        "x.item()": ["BRK201"],
    }
    functions = {n.name.value: output[n].traced for n in output if isinstance(n, cst.FunctionDef)}
    assert functions == {"forward": True, "__init__": False}
    raised = next(n for n in output if m.matches(n, m.Call(func=m.Name("ValueError"))))
    assert output[raised] == TraceInfo()


def test_a_loop_that_a_rule_flags_is_a_statement() -> None:
    wrapper = MetadataWrapper(cst.parse_module(model("while x.sum() > 0:\n    x = x - 1\nreturn x")))
    output = wrapper.resolve(TRACES)
    flagged = [type(node).__name__ for node, info in output.items() if info.findings]
    assert flagged in (["While"], ["Comparison"])


def joined(path: Path) -> tuple[set[object], set[object], Mapping[cst.CSTNode, TraceInfo], tuple[object, ...]]:
    text = path.read_text("utf-8")
    analysis = Engine(Settings()).analyse(str(path), text)
    facts = module_facts(analysis)
    wrapper = MetadataWrapper(cst.parse_module(text), cache={TRACES: facts})
    output = wrapper.resolve(TRACES)
    provider: FactsProvider[TraceInfo] = GraphBreakProvider(facts)
    with provider.resolve(wrapper):
        reached = {
            provider.place(node) for node, info in output.items() if info.traced and isinstance(node, EXPRESSIONS)
        }
    # LibCST has no node for the tuple in `x[0, 1]`, nor for the star in `f(*args)`.
    inside = [
        part
        for node in ast.walk(analysis.module.tree)
        for part in (
            [node.slice] if isinstance(node, ast.Subscript) else node.args if isinstance(node, ast.Call) else []
        )
        if isinstance(part, (ast.Tuple, ast.Starred))
    ]
    spans = {span_of(analysis.module, part) for part in inside}
    expected = {
        place
        for node, place in places(analysis.module.tree, facts.values)
        if span_of(analysis.module, node) not in spans
    }
    return expected, reached, output, analysis.findings


EXPRESSIONS = (cst.BaseExpression, cst.BaseElement)


def places(tree: ast.AST, known: Mapping[tuple[object, ...], object]) -> list[tuple[ast.expr, tuple[object, ...]]]:
    """The expressions that stand at a place of their own."""
    result = []
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not isinstance(node, (ast.Tuple, ast.GeneratorExp, ast.Starred)):
            result.append(node)
    ascii_only = [node for node in result if node.lineno == node.end_lineno]
    return [
        (node, place)
        for node in ascii_only
        if (place := ((node.lineno, node.col_offset + 1), (node.end_lineno, (node.end_col_offset or 0) + 1))) in known
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_everything_that_is_inferred_or_found_meets_a_node(path: Path) -> None:
    expected, reached, output, findings = joined(path)
    assert expected - reached == set()
    assert set(findings) - {f for info in output.values() for f in info.findings} == set()


@pytest.mark.parametrize(
    "expression",
    ["((x, 1), 2)[0]", "(x), 2", "sum(v for v in [x])", "(v for v in [x])", "((x))", "f'{x}'", "(x +\n  1)", "()",
     "(*[x], 1)", "x if True else 'é' + '€'", "'é', x.sum()"],
)  # fmt: skip
def test_parentheses_generators_and_wide_characters_do_not_move_a_value(expression: str) -> None:
    text = model(f"y = {expression}\nreturn y")
    wrapper = MetadataWrapper(cst.parse_module(text))
    output, ranges = wrapper.resolve(VALUES), wrapper.resolve(PositionProvider)
    assign = next(n for n in output if m.matches(n, m.Assign(targets=[m.AssignTarget(m.Name("y"))])))
    assert isinstance(assign, cst.Assign)
    assert output[assign.value].kind != "unknown", span_of_range(ranges[assign.value])


def test_a_file_of_windows_is_joined_as_well() -> None:
    text = model("return x.item()").replace("\n", "\r\n")
    output = MetadataWrapper(cst.parse_module(text.encode())).resolve(TRACES)
    assert [f.code for info in output.values() for f in info.findings] == ["BRK201"]


HELPER = "def scale(t):\n    return t.mean().item()\n"
CALLER = """\
import torch

from helper import scale


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * scale(x)
"""


def test_a_repository_manager_follows_imports(write_files: WriteFiles) -> None:
    folder = write_files({"net.py": CALLER, "helper.py": HELPER, "broken.py": "def"})
    manager = FullRepoManager(folder, ["net.py", "helper.py", "broken.py"], {VALUES, TRACES})
    wrapper = manager.get_metadata_wrapper_for_path("net.py")
    output = wrapper.resolve(VALUES)
    call = next(n for n in output if m.matches(n, m.Call(func=m.Name("scale"))))
    assert isinstance(call, cst.Call)
    assert output[call].kind == "number"
    assert output[call.func] == InferredValue("function", qualified_name="helper.scale")
    alone = MetadataWrapper(cst.parse_module(CALLER)).resolve(VALUES)
    assert all(alone[n].kind == "unknown" for n in alone if isinstance(n, cst.Call))
    assert pickle.loads(pickle.dumps(manager.cache)) == manager.cache  # libcst.tool sends it to its processes


def test_a_repository_manager_goes_by_the_configuration(write_files: WriteFiles) -> None:
    folder = write_files({"net.py": model("return x.item()"), "breaklint.toml": 'ignore = ["BRK201"]\n'})
    output = FullRepoManager(folder, ["net.py"], {TRACES}).get_metadata_wrapper_for_path("net.py").resolve(TRACES)
    assert not any(info.findings for info in output.values())
