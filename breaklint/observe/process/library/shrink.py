"""Configurations of transformers with few layers, a short vocabulary and narrow layers: the code that runs is the same.

A configuration that does not say how its sizes depend on each other may not allow a change: the caller tries the next.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

VOCABULARY, POSITIONS, IMAGE, EXPERTS = 1000, 512, 224, 4
WIDTHS = (64, 512)
_LAYERS = re.compile(r"(num|n)_(\w+_)?(layers?|blocks)|\w*(encoder|decoder|transformer)_layers|(\w+_)?depth|depths")
_POSITIONS = re.compile(r"max_position_embeddings|n_positions|max_source_positions|max_target_positions")
_HEADS = re.compile(r"(num_|n_)?(\w+_)?(heads?|head_kv|key_value_heads)")
_WIDTHS = re.compile(
    r"hidden_size|d_model|n_embd|n_inner|embed_dim|d_ff|(\w+_)?ffn_dim|dim_feedforward|(\w+_)?intermediate_size"
)
# What configurations call the width of a model: no library tells it.
_HIDDEN = ("hidden_size", "d_model", "n_embd", "embed_dim")
_EXPERTS = re.compile(r"(num|n|moe_num)_(\w+_)?experts|\w*_num_experts")
_CHOSEN = re.compile(r"num_experts_per_tok|moe_topk|top_?k|moe_k|num_selected_experts")
_GROUPS = ("n_group", "topk_group")
_TOKEN = re.compile(r"\w+_(token_)?(id|ids|index)")
_JOINTS = ("out_hidden_size", "output_dim", "text_hidden_size", "lm_hidden_size", "projector_hidden_size")
# Not settings, or such as name layers that are no longer there.
_DROPPED = ("out_features", "out_indices", "torch_dtype", "dtype", "transformers_version", "architectures")


def configs(config_class: Any) -> Iterator[Any]:
    """The default configuration made shallow and narrow, then less narrow, then shallow alone, then as it is."""
    usual = config_class()
    for width in (*WIDTHS, 0):
        try:
            yield _without_cache(config_class(**_changes(usual, width)))
        except Exception:  # noqa: BLE001 - every library checks in its own way that sizes fit each other
            continue
    yield _without_cache(usual)


def parts_of(config: Any) -> dict[str, Any]:
    """The configurations in a configuration, by attribute."""
    return {
        name: value
        for name, value in vars(config).items()
        if hasattr(value, "to_dict") and hasattr(value, "model_type")
    }


def _without_cache(config: Any) -> Any:
    for each in (config, *parts_of(config).values()):
        if getattr(each, "use_cache", None):
            each.use_cache = False
    return config


def _changes(config: Any, width: int) -> dict[str, Any]:
    """The arguments that make a configuration small, and not narrower than `width` (0: as wide as it was)."""
    told = {name: value for name, value in config.to_dict().items() if name not in _DROPPED}
    changed = {**_shallow(told), **_short(told), **(_narrow(told, width) if width else {})}
    inner = parts_of(config)
    for name, part in inner.items():
        whole = {key: value for key, value in part.to_dict().items() if key not in _DROPPED}
        changed[name] = {**whole, **_changes(part, width)}
    widths = _joint(inner, changed)
    for name in inner:
        changed[name].update(
            {key: widths[value] for key, value in changed[name].items() if key in _JOINTS and value in widths}
        )
    return changed


def _joint(inner: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[int, int]:
    """By the width that the text's part had, the one that it has now: others project to it."""
    for name in ("text_config", "llm_config", "decoder"):
        for key in _HIDDEN if name in inner else ():
            if isinstance(before := getattr(inner[name], key, None), int):
                return {before: changed[name].get(key, before)}
    return {}


def _shallow(told: Mapping[str, Any]) -> dict[str, Any]:
    """Two layers, or one of each kind where kinds are listed (four at most)."""
    counts = {
        name: value for name, value in told.items() if _LAYERS.fullmatch(name) and type(value) is int and value > 2
    }
    lists = {name: value for name, value in told.items() if isinstance(value, list) and len(value) in counts.values()}
    changed: dict[str, Any] = dict.fromkeys(counts, 2)
    for number in set(counts.values()):
        some = {name: value for name, value in lists.items() if len(value) == number}
        kinds: dict[str, int] = {}
        for index in range(number):
            kinds.setdefault(str([value[index] for value in some.values()]), index)
        rows = sorted(kinds.values())[:4]
        rows = rows if len(rows) > 1 else [0, 1]
        changed.update({name: [value[row] for row in rows] for name, value in some.items()})
        changed.update({name: len(rows) for name, value in counts.items() if value == number and some})
    for name, value in told.items():
        if _LAYERS.fullmatch(name) and isinstance(value, list) and all(type(each) is int for each in value):
            changed[name] = [min(each, 2) for each in value]
    return changed


def _short(told: Mapping[str, Any]) -> dict[str, Any]:
    """A short vocabulary with the tokens of special meaning at its end, few positions and a small image."""
    changed: dict[str, Any] = {}
    size = told.get("vocab_size")
    if type(size) is int and size > VOCABULARY:
        changed["vocab_size"] = VOCABULARY
    special = [
        name for name, value in told.items() if _TOKEN.fullmatch(name) and type(value) is int and value >= VOCABULARY
    ]
    changed.update({name: VOCABULARY - 1 - number for number, name in enumerate(special)})
    for name, value in told.items():
        if _POSITIONS.fullmatch(name) and type(value) is int and value > POSITIONS:
            changed[name] = POSITIONS
    image, patch = told.get("image_size"), told.get("patch_size")
    if type(image) is int and image > IMAGE:
        changed["image_size"] = IMAGE if type(patch) is not int or IMAGE % patch == 0 else 16 * patch
    return changed


def _narrow(told: Mapping[str, Any], width: int) -> dict[str, Any]:
    """Fewer heads of the same size, layers narrower by the same factor, and few experts."""
    changed: dict[str, Any] = {}
    heads = {name: value for name, value in told.items() if _HEADS.fullmatch(name) and type(value) is int and value > 0}
    hidden = next((told[name] for name in _HIDDEN if type(told.get(name)) is int), 0)
    common = math.gcd(*heads.values()) if heads else 1
    fits = [
        each for each in range(1, common + 1) if common % each == 0 and hidden % each == 0 and hidden // each >= width
    ]
    factor = max(fits, default=1)
    changed.update({name: value // factor for name, value in heads.items()})
    for name, value in told.items():
        if _WIDTHS.fullmatch(name) and type(value) is int and value % factor == 0 and value // factor > 0:
            changed[name] = value // factor
        elif _EXPERTS.fullmatch(name) and type(value) is int and value > EXPERTS:
            changed[name] = EXPERTS
        elif _CHOSEN.fullmatch(name) and type(value) is int and value > 2:
            changed[name] = 2
        elif name in _GROUPS and type(value) is int:
            changed[name] = 1
    return changed
