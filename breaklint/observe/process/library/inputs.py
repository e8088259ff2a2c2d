"""Made-up inputs for models of transformers: by the names of forward's parameters and what the configuration tells."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from inspect import Parameter, signature
from typing import Any

import torch

from breaklint.observe.process.library.shrink import parts_of

ROWS, TOKENS, MOST = 2, 16, 24
_EXTRAS = (
    (),
    ("input_ids",),
    ("pixel_values",),
    ("input_ids", "pixel_values"),
    ("input_ids", "input_features"),
    ("input_ids", "input_values"),
    ("input_features",),
    ("input_values",),
    ("inputs_embeds",),
    ("input_ids", "bbox"),
    ("input_ids", "bbox", "pixel_values"),
    ("input_ids", "attention_mask"),
    ("decoder_input_ids",),
    ("input_values", "decoder_input_ids"),
    ("hidden_states",),
    ("input_ids", "pixel_values", "attention_mask", "pixel_mask"),
)
"""What is given beside what forward needs, in this order; the first that works is taken."""


def lacking(cls: Any, config: Any) -> list[str]:
    """What forward needs and of which there is no example."""
    return [
        each.name for each in _parameters(cls) if each.default is Parameter.empty and each.name not in _pool(config)
    ]


def inputs_of(cls: Any, config: Any) -> Iterator[dict[str, Any]]:
    """Arguments of forward, the likeliest first."""
    names = [each.name for each in _parameters(cls)]
    pool = _pool(config)
    main = str(getattr(cls, "main_input_name", "input_ids"))
    wanted = [each.name for each in _parameters(cls) if each.default is Parameter.empty]
    wanted += [main] if main in names and main in pool else []
    if getattr(config, "is_encoder_decoder", False) and "decoder_input_ids" in names:
        wanted.append("decoder_input_ids")
    seen, made = set(), 0
    instead = {*wanted, "inputs_embeds"} - {"input_ids"}
    for chosen in (*(tuple(sorted({*wanted, *extra})) for extra in _EXTRAS), tuple(sorted(instead))):
        if chosen in seen or not set(chosen) <= set(names) or not chosen:
            continue
        seen.add(chosen)
        for values in itertools.product(*(pool[name] for name in chosen)):
            made += 1
            if made > MOST:
                return
            yield dict(zip(chosen, values, strict=True))


def _parameters(cls: Any) -> list[Parameter]:
    kinds = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return [
        each for each in signature(cls.forward).parameters.values() if each.kind not in kinds and each.name != "self"
    ]


def _pool(config: Any) -> dict[str, list[Any]]:
    """By parameter, examples of it."""
    parts = parts_of(config)
    text = _text_part(config, parts)
    pool: dict[str, list[Any]] = {
        **_of_text(text, config),
        **_of_images(
            next((parts[name] for name in ("vision_config", "backbone_config", "encoder") if name in parts), config)
        ),
        **_of_sound(
            next(
                (parts[name] for name in ("audio_config", "speech_config", "audio_encoder_config") if name in parts),
                config,
            )
        ),
        **_of_series(config),
    }
    hidden = _number(text, "hidden_size", "d_model", "n_embd", "embed_dim", default=64)
    own = _number(config, "hidden_size", "d_model", "n_embd", "embed_dim", default=hidden)
    pool["inputs_embeds"] = [torch.randn(ROWS, TOKENS, width) for width in dict.fromkeys((own, hidden))]
    pool["hidden_states"] = [*pool["inputs_embeds"], *pool.pop("patches"), pool["pixel_values"][0]]
    pool["encoder_hidden_states"] = pool["image_embeds"] = pool["inputs_embeds"]
    return pool


def _text_part(config: Any, parts: Mapping[str, Any]) -> Any:
    return next(
        (parts[name] for name in ("text_config", "llm_config", "decoder", "text_encoder") if name in parts), config
    )


def _of_text(text: Any, config: Any) -> dict[str, list[Any]]:
    size = _number(text, "vocab_size", default=0) or _number(config, "vocab_size", default=100)
    low = min(3, size - 1)
    tokens = torch.randint(low, max(low + 1, min(size, 900)), (ROWS, TOKENS))
    end = getattr(text, "eos_token_id", None)
    tokens[:, -1] = end if type(end) is int and 0 <= end < size else tokens[:, -1]
    books = _number(config, "num_codebooks", default=2)
    ones = torch.ones(ROWS, TOKENS, dtype=torch.long)
    return {
        "input_ids": [
            tokens,
            tokens[:, None].repeat(1, 2, 1),
            tokens[:, :, None].repeat(1, 1, books),
        ],  # of choices, of codes
        "decoder_input_ids": [tokens.flip(0)],
        "attention_mask": [ones],
        "decoder_attention_mask": [ones],
        "token_type_ids": [ones * 0],
        "position_ids": [torch.arange(TOKENS).expand(ROWS, TOKENS)],
        "bbox": [torch.tensor([1, 2, 11, 12]).expand(ROWS, TOKENS, 4)],
    }


def _of_images(vision: Any) -> dict[str, list[Any]]:
    size = getattr(vision, "image_size", None) or 224
    height, width = size if isinstance(size, list | tuple) else (size, size)
    channels = _number(vision, "num_channels", "in_channels", "in_chans", default=3)
    frames = _number(vision, "num_frames", default=2)
    image = torch.randn(ROWS, channels, height, width)
    video = image.unsqueeze(1).repeat(1, frames, 1, 1, 1)
    patch = _number(vision, "patch_size", default=16)
    patches = torch.randn(16, channels * _number(vision, "temporal_patch_size", default=1) * patch * patch)
    return {
        "pixel_values": [image, video, patches],
        "pixel_values_videos": [video],
        "pixel_mask": [torch.ones(ROWS, height, width, dtype=torch.long)],
        "grid_thw": [torch.tensor([[1, 4, 4]])],
        "image_grid_thw": [torch.tensor([[1, 4, 4]])],
        "bool_masked_pos": [torch.zeros(ROWS, (height // patch) * (width // patch), dtype=torch.bool)],
        "patches": [patches],
    }


def _of_sound(audio: Any) -> dict[str, list[Any]]:
    mels = _number(audio, "num_mel_bins", "feature_size", "input_feat_per_channel", default=80)
    frames = 2 * _number(audio, "max_source_positions", default=64)
    mel = torch.randn(ROWS, mels, frames)
    raw = torch.randn(ROWS, 16000)
    return {
        "input_features": [mel, mel.transpose(1, 2).contiguous()],
        "input_values": [raw, raw[:, None], torch.randn(ROWS, _number(audio, "max_length", default=128), mels)],
    }


def _of_series(config: Any) -> dict[str, list[Any]]:
    """What models of time series and of decisions take."""
    context = _number(config, "context_length", default=16)
    lags = getattr(config, "lags_sequence", None) or [0]
    length = context + (max(lags) if isinstance(lags, list) else 0)
    channels, times = _number(config, "num_input_channels", default=1), _number(config, "num_time_features", default=1)
    past = torch.randn(ROWS, length)
    ahead = _number(config, "prediction_length", default=8)
    return {
        "past_values": [past, torch.randn(ROWS, length, channels)],
        "past_time_features": [torch.randn(ROWS, length, times)],
        "past_observed_mask": [torch.ones(ROWS, length)],
        "future_values": [torch.randn(ROWS, ahead)],
        "future_time_features": [torch.randn(ROWS, ahead, times)],
        "states": [torch.randn(ROWS, TOKENS, _number(config, "state_dim", default=17))],
        "actions": [torch.randn(ROWS, TOKENS, _number(config, "act_dim", default=4))],
        "rewards": [torch.randn(ROWS, TOKENS, 1)],
        "returns_to_go": [torch.randn(ROWS, TOKENS, 1)],
        "timesteps": [torch.arange(TOKENS).expand(ROWS, TOKENS)],
    }


def _number(config: Any, *names: str, default: int) -> int:
    return next((value for name in names if type(value := getattr(config, name, None)) is int), default)
