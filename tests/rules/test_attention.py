"""Masks that torch's attention modules look into, or warn of."""

from __future__ import annotations

import pytest
from harness import findings, marked

NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2), 2)
        self.transformer = nn.Transformer(8, 2)
        self.attention = nn.MultiheadAttention(8, 2)
"""
CAUSAL = {
    "a mask by place": """
    def forward(self, x, mask):
        return self.encoder(x, mask)  # BRK651
    """,
    "a mask that the module makes": """
    def forward(self, x):
        mask = self.transformer.generate_square_subsequent_mask(5)
        return self.transformer(x, x, tgt_mask=mask)  # BRK651
    """,
    "a mask of which the call says that it is causal": """
    def forward(self, x, mask):
        return self.decoder(x, self.encoder(x, mask, is_causal=True), mask, tgt_is_causal=False)
    """,
    "a mask of the memory": """
    def forward(self, x, mask):
        return self.decoder(x, x, memory_mask=mask)
    """,
    "a mask for each head, which has three dimensions": """
    def forward(self, x):
        return self.encoder(x, torch.zeros(4, 5, 5))
    """,
    "a mask that may be None": """
    def forward(self, x, mask=None):
        return self.encoder(x, mask)
    """,
    "arguments in a row of unknown length": """
    def forward(self, x, *masks):
        return self.encoder(x, *masks)
    """,
}
MIXED = {
    "numbers and bools": """
    def forward(self, x, tokens):
        mask = torch.zeros(5, 5).masked_fill(torch.ones(5, 5).triu(1) == 1, float("-inf"))
        return self.attention(x, x, x, tokens == 0, attn_mask=mask)[0]  # BRK652
    """,
    "bools and numbers": """
    def forward(self, x, tokens):
        return self.attention(x, x, x, (tokens == 0).float(), True, torch.ones(5, 5).triu(1).bool())[0]  # BRK652
    """,
    "a mask filled with a number": """
    def forward(self, x, tokens):
        mask = torch.triu(torch.full((5, 5), float("-inf")), diagonal=1)
        return self.encoder(x, mask, tokens == 0, is_causal=True)  # BRK652
    """,
    "bools and bools": """
    def forward(self, x, tokens):
        return self.attention(x, x, x, tokens == 0, attn_mask=torch.full((5, 5), False))[0]
    """,
    "a mask of unknown type": """
    def forward(self, x, tokens, mask):
        return self.attention(x, x, x, tokens == 0, attn_mask=mask)[0]
    """,
}
CASES = {**CAUSAL, **MIXED}


@pytest.mark.parametrize("method", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(method: str) -> None:
    assert findings(NET + method) == marked(NET + method)
