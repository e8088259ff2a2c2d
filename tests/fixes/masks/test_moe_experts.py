"""Loops over places that hold anything, without an option of the compiler: all rows run, and a mask selects."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from nightly import one_in
from test_expert_hits import HIT, INPUTS, LEFT, MASK, NUMBERS, ROWS, outcome, source

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Applicability, Settings

torch = pytest.importorskip("torch")

ONE = "mask = (chosen == torch.arange(5)[:, None, None]).any(-1)\nhit = mask.any(1).nonzero()\n"
SINGLE = """
for k in hit:
    k = k[0]
    (rows,) = torch.where(mask[k])
    y[rows] += nn.functional.linear(x[rows], self.weight[k])
"""
ADDED = "y.index_add_(0, rows, h)"
WRITTEN = {
    "rows of places": HIT + ROWS,
    "places as numbers": HIT + NUMBERS,
    "without a name": MASK + NUMBERS.replace("hit", "(mask.sum((-2, -1)) > 0).nonzero()"),
    "flattened": HIT.replace("nonzero()", "nonzero().squeeze(-1)") + NUMBERS.replace("    k = k[0]\n", ""),
    "columns first": HIT.replace("(2, 1, 0)", "(2, 0, 1)") + NUMBERS.replace("i, rows =", "rows, i ="),
    "weights by column": "weights = weights.T\n"
    + HIT
    + NUMBERS.replace("weights[rows, i, None]", "weights[i, rows, None]"),
    "scaled where it is added": HIT
    + NUMBERS.replace(" * weights[rows, i, None]", "").replace(
        ADDED, "y.index_add_(0, rows, weights[rows, i, None] * h)"
    ),
    "a cast between": HIT + NUMBERS.replace("    y.", "    h = h.to(y.dtype)\n    y."),
    "halves": HIT + NUMBERS.replace("    y.", "    a, b = h.chunk(2, dim=-1)\n    h = h\n    y."),
    "rows that are added": ONE + SINGLE,
    "rows that are stored": ONE + SINGLE.replace("+=", "="),
    "a list of places": ONE + SINGLE.replace("torch.where(mask[k])", "mask[k].nonzero(as_tuple=True)"),
}
EVERY = """
for k in range(5):
    i, rows = torch.where(mask[k])
    h = nn.functional.linear(x[None, rows].reshape(-1, 4), self.weight[k]) * weights[rows, i, None]
    y.index_add_(0, rows, h.to(y.dtype))
"""
ASKED = {
    "a loop over all places": MASK + EVERY,
    "modules in a loop": MASK
    + EVERY.replace("range(5)", "(0, 2, 4)").replace("h = nn", 'layer = self.experts[f"expert_{k}"]\n    h = nn'),
    "a list of rows and columns": MASK + EVERY.replace("torch.where(mask[k])", "mask[k].nonzero(as_tuple=True)"),
    "a comparison": "weights = weights * 2\n" + EVERY.replace("mask[k]", "chosen.T == k"),
    "added in brackets": MASK + EVERY.replace("y.index_add_(0, rows, h.to(y.dtype))", "y[rows] += h"),
    "in one line": """
for k in range(5):
    rows, i = torch.where(chosen == k)
    y[rows] += weights[rows, i, None] * nn.functional.linear(x[rows], self.weight[k])
""",
    "a factor by name": MASK
    + EVERY.replace("    h =", "    w = weights[rows, i]\n    h =").replace(
        "weights[rows, i, None]", "w.unsqueeze(-1)"
    ),
    "a turn that ends without rows": MASK
    + EVERY.replace("    h =", "    if rows.numel() == 0:\n        continue\n    h ="),
    "a turn that asks for columns": MASK + EVERY.replace("    h =", "    if not len(i):\n        continue\n    h ="),
    "a turn that asks for rows": MASK
    + EVERY.replace("    h =", "    if rows.shape[0] > 0:\n        h =").replace("    y.", "        y."),
    "no loop": MASK + "k = 2" + EVERY.replace("for k in range(5):", "if self.share:"),
}
READ = {
    "an end with rows": EVERY.replace("    h =", "    if rows.numel() > 0:\n        continue\n    h ="),
    "another end": EVERY.replace("    h =", "    if rows.numel() == 0:\n        break\n    h ="),
    "another count": EVERY.replace("    h =", "    if rows.numel() == 1:\n        continue\n    h ="),
    "another side": EVERY.replace("    h =", "    if len(rows) > 0:\n        h =").replace("    y.", "        y.")
    + "    else:\n        y += 1\n",
    "more under the question": EVERY.replace("    h =", "    if len(rows) > 0:\n        h =").replace(
        "    y.", "        y."
    )
    + "        y += 1\n",
    "a result that is read behind": EVERY + "y = y + h.sum()\n",
    "rows that are read behind": EVERY + "y[rows] = 0\n",
    "an attribute": EVERY.replace("    y.", "    self.last = h\n    y."),
    "a call for its effect": EVERY.replace("    y.", "    self.seen(h)\n    y."),
    "another store": EVERY.replace("    y.", "    x[rows] = h\n    y."),
    "an end where nothing is selected": EVERY.replace("    y.", "    if k == 3:\n        break\n    y."),
    "a result of the turn before": "h = x\n" + EVERY.replace("x[None, rows]", "(h + x)[None, rows]"),
    "a loop as often as data says": "places = chosen[0]\n" + EVERY.replace("range(5)", "places"),
}
MIXED = {
    "a mean over rows": NUMBERS.replace("    y.", "    h = h - h.mean(0)\n    y."),
    "a sum of all": NUMBERS.replace("    y.", "    h = h / h.sum()\n    y."),
    "a softmax over rows": NUMBERS.replace("x[rows]", "x[rows].softmax(dim=0)"),
    "a count": NUMBERS.replace("    y.", "    h = h / len(rows)\n    y."),
    "a count of results": NUMBERS.replace("    y.", "    h = h / h.shape[0]\n    y."),
    "rows by rows": NUMBERS.replace("    y.", "    h = (h @ h.T) @ h\n    y."),
    "a norm of all": NUMBERS.replace("    y.", "    h = h / h.norm(2)\n    y."),
    "a shape": NUMBERS.replace("    y.", "    n, d = h.shape\n    h = h / n\n    y."),
    "rows that see each other": NUMBERS.replace(
        "    y.", "    h = nn.functional.scaled_dot_product_attention(h, h, h)\n    y."
    ),
    "batch norm": NUMBERS.replace("    y.", "    h = nn.functional.batch_norm(h, None, None, training=True)\n    y."),
    "differences": NUMBERS.replace("    y.", "    h = torch.diff(h, dim=0, prepend=h[:, :1].T)\n    y."),
    "a count by method": NUMBERS.replace("    y.", "    h = h / h.nelement()\n    y."),
    "the first row": NUMBERS.replace("    y.", "    h = h - h[0]\n    y."),
    "rows in another order": NUMBERS.replace("x[rows]", "x[rows.flip(0)]"),
    "rows viewed in another shape": NUMBERS.replace("x[rows]", "x[rows].view(2, -1, 4)[0]"),
    "a power of the factor": NUMBERS.replace("    y.", "    h = h * h\n    y."),
    "a bias behind the factor": NUMBERS.replace("    y.", "    h = h + 1\n    y."),
    "no factor": NUMBERS.replace(" * weights[rows, i, None]", ""),
    "a factor of the column": NUMBERS.replace("weights[rows, i, None]", "weights[0, i, None]"),
    "a factor twice": NUMBERS.replace(ADDED, ADDED.replace("h)", "h * weights[rows, i, None])")),
    "a share of what is added": NUMBERS.replace(ADDED, "y.index_add_(0, rows, h, alpha=2)"),
    "a factor by name, twice": NUMBERS.replace("    h =", "    w = weights[rows, i, None]\n    h =")
    .replace("* weights[rows, i, None]", "* w")
    .replace("    y.", "    h = h * w\n    y."),
    "a sum of factors": NUMBERS.replace("    h =", "    w = weights[rows, i, None] + 1\n    h =").replace(
        "* weights[rows, i, None]", "* w"
    ),
    "two sums": NUMBERS.replace(ADDED, f"{ADDED}\n    {ADDED}"),
    "one of two values": NUMBERS.replace(ADDED, "y[rows] = h"),
    "columns added": NUMBERS.replace("(0, rows, h)", "(1, rows, h.T)"),
    "a branch on the results": NUMBERS.replace("    y.", "    if h.isnan().any():\n        h = h * 0\n    y."),
}
# What an expert does with its number or in place, where one call for all experts would do otherwise.
TWO_STEPS = NUMBERS.replace(" * weights[rows, i, None]", "\n    h = h * weights[rows, i, None]")
APART = {
    "the number": NUMBERS.replace("x[rows]", "x[rows] * (k != 7)"),
    "a module of its own": NUMBERS.replace("x[rows]", 'self.experts[f"expert_{k}"](x[rows])'),
    "a sum in place": TWO_STEPS.replace("    h =", "    g =", 1).replace(
        "    h = h *", "    g += x[rows]\n    h = g *"
    ),
    "a function that works in place": NUMBERS.replace("x[rows]", "nn.functional.relu(x[rows], inplace=True)"),
    "a part of its own": TWO_STEPS.replace("    h =", "    w = self.weight * 2\n    h =", 1).replace(
        "self.weight[k]", "w[k]"
    ),
    "another test that passes over experts": NUMBERS.replace("k == 5", "k > 4"),
    "what others have added": NUMBERS.replace("x[rows]", "(x + y)[rows]"),
    "what others have added, by another name": "z = y\n" + NUMBERS.replace("x[rows]", "(x + z)[rows]"),
    "what others have added, in a function": "def seen():\n    return y\n"
    + NUMBERS.replace("x[rows]", "(x + seen())[rows]"),
    "rows of what is added to": "x = x * 1\ny = x[:]\n" + NUMBERS,
    "what is added to": "x = x * 1\ny = x\n" + NUMBERS,
    "a setting that passes over all": NUMBERS.replace("k == 5", "self.share == 1"),
}
NO_CONSENT = Settings()
ALL = WRITTEN | ASKED | {name: HIT + body for name, body in APART.items()}
STACKED = {body for name, body in WRITTEN.items() if name != "rows of places" and "stored" not in name}


@cache
def written(body: str) -> str:
    """What the fixes leave of it without `capture-options`."""
    result = fix_source(source(body), "model.py", NO_CONSENT, True)
    assert result.errors == ()
    return result.text or source(body)


def whys(body: str) -> list[str]:
    """Why the fixes that compute with all rows are unsafe."""
    found = check_source(source(body), "model.py", NO_CONSENT).findings
    fixes = [each.fix for each in found if each.fix is not None and "select by a mask" in each.fix.message]
    assert all(fix.applicability is Applicability.UNSAFE for fix in fixes)
    return [fix.why for fix in fixes]


@pytest.mark.parametrize("body", ASKED.values(), ids=ASKED)
def test_rows_that_are_listed_for_a_place_are_selected_by_a_mask(body: str) -> None:
    assert "rows = torch.arange(" in written(body)
    assert "torch.where(mask[k])" not in written(body)
    assert "capture_dynamic_output_shape_ops" not in written(body)


@pytest.mark.parametrize("body", [body for name, body in ASKED.items() if "a turn that" not in name])
def test_with_consent_the_option_is_set_instead(body: str) -> None:
    text = fix_source(source(body), "model.py", Settings(capture_options=True), True).text or ""
    assert "capture_dynamic_output_shape_ops = True" in text
    assert "arange" not in text.replace("torch.arange(5)", "")


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_every_place_runs_on_all_rows_without_an_option(body: str) -> None:
    text = written(body)
    assert ("range(mask.shape[0])" in text) is (body not in STACKED)
    assert ("torch.vmap(" in text) is (body in STACKED)
    assert "nonzero" not in text
    assert "capture_dynamic_output_shape_ops" not in text


@pytest.mark.parametrize("body", [HIT + body for body in APART.values()], ids=APART)
def test_experts_that_are_no_function_of_their_weights_keep_a_loop(body: str) -> None:
    assert "range(mask.shape[0])" in written(body)
    assert "vmap" not in written(body)


def test_names_that_are_taken_are_not_taken_again() -> None:
    body = HIT + "expert, expert_mask = weights, x\nself.y = expert, expert_mask\n" + NUMBERS
    assert "def one_expert(mask_of_expert, weight):" in written(body)


def test_stacks_of_one_name_get_two_names() -> None:
    body = HIT + "weight = self.weight * 2\n" + NUMBERS.replace("self.weight[k]", "self.weight[k] + weight[k]")
    assert "def expert(expert_mask, weight_of_expert, weight_2):" in written(body)
    for one, other in zip(
        *(outcome(text, INPUTS["some places"]) for text in (source(body), written(body))), strict=True
    ):
        torch.testing.assert_close(one, other)


def test_an_expert_that_is_passed_over_is_named() -> None:
    assert all("passes over" in why for why in whys(HIT + NUMBERS))
    assert not any("passes over" in why for why in whys(ONE + SINGLE))


def test_random_numbers_of_an_expert_are_drawn_as_before() -> None:
    body = HIT + NUMBERS.replace("x[rows]", "nn.functional.dropout(x[rows], 0.5)")
    assert "torch.vmap(" in written(body)
    assert outcome(written(body), INPUTS["some places"])[0].isfinite().all()


@pytest.mark.parametrize("chosen", INPUTS.values(), ids=INPUTS)
@pytest.mark.parametrize("body", ALL.values(), ids=ALL)
def test_results_and_gradients_are_the_same_up_to_rounding(body: str, chosen: list[list[int]]) -> None:
    if "y[rows] += " in body and chosen == INPUTS["one place"] and body not in WRITTEN.values():
        pytest.skip("a row that is selected twice is added once by the original, as the reason says")
    for one, other in zip(outcome(source(body), chosen), outcome(written(body), chosen), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("body", one_in(4, ALL.values(), ALL))
def test_it_compiles_whole_once_for_all_places(body: str) -> None:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    space: dict[str, Any] = {}
    exec(written(body), space)
    torch.manual_seed(0)
    net = space["Net"]()
    call = torch.compile(net, backend="eager", fullgraph=True)
    x, weights = torch.randn(3, 4), torch.rand(3, 2)
    for chosen in INPUTS.values():
        torch.testing.assert_close(call(x, torch.tensor(chosen), weights), net(x, torch.tensor(chosen), weights))
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


@pytest.mark.parametrize("body", [HIT + body for body in MIXED.values()], ids=MIXED)
def test_turns_whose_rows_are_mixed_or_not_scaled_once_are_left(body: str) -> None:
    assert whys(body) == []


@pytest.mark.parametrize("body", [MASK + body for body in READ.values()], ids=READ)
def test_rows_that_reach_further_are_left(body: str) -> None:
    assert whys(body) == []


@pytest.mark.parametrize("body", [MASK + body.replace("hit", "range(5)") for body in MIXED.values()], ids=MIXED)
def test_rows_that_are_mixed_are_left_in_a_loop_over_all_places(body: str) -> None:
    text = body.replace("    k = k[0]\n    if k == 5:\n        continue\n", "")
    assert text != body
    assert whys(text) == []


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_other_loops_are_left(body: str) -> None:
    assert whys(body) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_a_place_makes_of_rows_that_it_does_not_select_is_left_out(value: float) -> None:
    spoilt = HIT + NUMBERS.replace("self.weight[k])", "self.weight[k] + (0 if k in (0, 2, 4) else part))")
    spoilt = f'part = float("{value}")\n' + spoilt
    chosen = INPUTS["some places"]
    before, after = outcome(source(spoilt), chosen)[0], outcome(written(spoilt), chosen)[0]
    assert "range(mask.shape[0])" in written(spoilt)
    assert before.isfinite().all()
    torch.testing.assert_close(before, after)


def test_the_reason_names_the_work_and_the_key_that_saves_it() -> None:
    assert whys(HIT + NUMBERS)
    assert all("as many times the work" in why and "`capture-options`" in why for why in whys(HIT + NUMBERS))


def test_what_is_written_is_left_alone() -> None:
    text = written(HIT + NUMBERS)
    assert fix_source(text, "model.py", NO_CONSENT, True).text in (None, text)
