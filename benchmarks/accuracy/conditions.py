"""Whether findings that hold under a condition are right once the condition holds.

    python benchmarks/accuracy/conditions.py

The labels of transformers' models were made in float32, and without labels for a loss. Twelve `break` findings on them
are counted as wrong, although each says `when: labels is not None` or `when: hidden_states.dtype == torch.float16`.
This runs the models both ways and prints the rows of their own file that break. Needs torch and transformers 5.23.0.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
import transformers

SPEECH = ("Wav2Vec2", "Hubert", "WavLM", "Data2VecAudio", "SEW", "SEWD")
SERIES = ("Autoformer", "Informer", "TimeSeriesTransformer")
SMALL = {
    "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "vocab_size": 12,
    "conv_dim": (16, 16), "conv_stride": (4, 2), "conv_kernel": (4, 2), "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 2,
}  # fmt: skip
Case = tuple[str, torch.nn.Module, dict[str, Any]]


def main() -> None:
    """Print a row a model, once as the labels were made and once with the condition."""
    for make in (speech, series, pix2struct):
        for name, model, arguments in make():
            print(f"| {name} | {broken(model, arguments)} |", flush=True)


def speech() -> Iterator[Case]:
    """Models that check their labels against the size of the vocabulary."""
    wave, labels = torch.randn(2, 800), torch.randint(1, 10, (2, 5))
    for name in SPEECH:
        more = {"conv_pos_kernel_size": 4} if name == "Data2VecAudio" else {}
        more |= {"squeeze_factor": 2} if name.startswith("SEW") else {}
        config = getattr(transformers, f"{name}Config")(**SMALL, **more)
        model: Callable[[Any], torch.nn.Module] = getattr(transformers, f"{name}ForCTC")
        yield f"{name}ForCTC, no labels", model(config), {"input_values": wave}
        yield f"{name}ForCTC, labels", model(config), {"input_values": wave, "labels": labels}


def series() -> Iterator[Case]:
    """Layers that clamp what has overflowed in half precision."""
    for name in SERIES:
        config = getattr(transformers, f"{name}Config")(
            prediction_length=4, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
            decoder_attention_heads=2, encoder_ffn_dim=32,
        )  # fmt: skip
        layer = getattr(
            importlib.import_module(type(config).__module__.replace("configuration", "modeling")), f"{name}EncoderLayer"
        )
        for dtype in (torch.float32, torch.float16):
            arguments = {"hidden_states": torch.randn(2, 16, 32, dtype=dtype), "attention_mask": None}
            yield f"{name}EncoderLayer, {dtype}", layer(config).to(dtype), arguments


def pix2struct() -> Iterator[Case]:
    """A decoder's layer with three such clamps."""
    block = importlib.import_module("transformers.models.pix2struct.modeling_pix2struct").Pix2StructTextBlock
    config = transformers.Pix2StructTextConfig(
        vocab_size=20, hidden_size=32, d_kv=16, d_ff=32, num_layers=1, num_heads=2
    )
    for dtype in (torch.float32, torch.float16):
        states = {key: torch.randn(2, 6, 32, dtype=dtype) for key in ("hidden_states", "encoder_hidden_states")}
        yield f"Pix2StructTextBlock, {dtype}", block(config, has_relative_attention_bias=True).to(dtype), states


def broken(model: torch.nn.Module, arguments: dict[str, Any]) -> str:
    """The rows of the model's own file in which Dynamo breaks the graph, or why it cannot say."""
    own = importlib.import_module(type(model).__module__).__file__
    torch._dynamo.reset()
    try:
        reasons = torch._dynamo.explain(model.eval())(**arguments).break_reasons
    except Exception as error:  # noqa: BLE001 - whatever Dynamo refuses
        return str(error).strip().partition("\n")[0][:100]
    rows = {frame.lineno for reason in reasons for frame in reason.user_stack if frame.filename == own}
    return " ".join(map(str, sorted(row for row in rows if row))) or "none"


if __name__ == "__main__":
    main()
