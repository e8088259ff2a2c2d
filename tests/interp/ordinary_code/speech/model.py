from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import nn

from .frontend import LogMel, MaskedNorm, PositionalEncoding, SpecAugment, Subsampling
from .utils import accuracy, add_sos_eos, chunk_mask, collapse, lengths_to_mask


@dataclass
class RecognizerConfig:
    vocab: int = 12
    dim: int = 16
    heads: int = 2
    layers: int = 2
    layerdrop: float = 0.0
    ctc_weight: float = 0.3
    chunk: int = 0
    norm: Literal["batch", "layer"] = "layer"
    report: bool = False


class ConvModule(nn.Module):
    def __init__(self, cfg: RecognizerConfig, kernel: int = 3):
        super().__init__()
        self.pw = nn.Conv1d(cfg.dim, 2 * cfg.dim, 1)
        self.dw = nn.Conv1d(cfg.dim, cfg.dim, kernel, padding=kernel // 2, groups=cfg.dim)
        self.norm = {"batch": nn.BatchNorm1d, "layer": nn.LayerNorm}[cfg.norm](cfg.dim)
        self.is_layer = cfg.norm == "layer"

    def forward(self, x, mask=None):
        x = x.transpose(1, 2)
        if mask is not None:
            x = x.masked_fill(~mask[:, None], 0.0)
        x = self.dw(F.glu(self.pw(x), dim=1))
        if self.is_layer:
            x = self.norm(x.transpose(1, 2)).transpose(1, 2)
        else:
            x = self.norm(x)
        return F.silu(x).transpose(1, 2)


class Block(nn.Module):
    def __init__(self, cfg: RecognizerConfig):
        super().__init__()
        self.attn = nn.MultiheadAttention(cfg.dim, cfg.heads, batch_first=True)
        self.conv = ConvModule(cfg)
        self.ff = nn.Sequential(nn.LayerNorm(cfg.dim), nn.Linear(cfg.dim, 32), nn.SiLU(), nn.Linear(32, cfg.dim))

    def forward(self, x, pad=None, attn_mask=None):
        y, _ = self.attn(x, x, x, key_padding_mask=pad, attn_mask=attn_mask, need_weights=False)
        x = x + y
        x = x + self.conv(x, None if pad is None else ~pad)
        return x + 0.5 * self.ff(x)


class Encoder(nn.Module):
    def __init__(self, cfg: RecognizerConfig):
        super().__init__()
        self.embed = Subsampling(8, cfg.dim)
        self.pos = PositionalEncoding(cfg.dim)
        self.blocks = nn.ModuleList(Block(cfg) for _ in range(cfg.layers))
        self.layerdrop = cfg.layerdrop
        self.chunk = cfg.chunk

    def forward(self, x, lengths):
        mask = lengths_to_mask(lengths, x.size(1))
        x, mask = self.embed(x, mask)
        x = self.pos(x)
        attn = ~chunk_mask(x.size(1), self.chunk) if self.chunk > 0 else None
        for block in self.blocks:
            if self.training and self.layerdrop > 0 and torch.rand(1).item() < self.layerdrop:
                continue
            x = block(x, ~mask, attn)
        return x, mask.sum(1)


class Decoder(nn.Module):
    def __init__(self, cfg: RecognizerConfig):
        super().__init__()
        self.emb = nn.Embedding(cfg.vocab, cfg.dim)
        self.rnn = nn.GRUCell(cfg.dim, cfg.dim)
        self.out = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, memory, ys):
        h = memory.mean(1)
        steps = []
        for y in ys.unbind(1):
            h = self.rnn(self.emb(y), h)
            attn = torch.softmax((memory @ h.unsqueeze(-1)).squeeze(-1), -1)
            steps.append(self.out(h + (attn.unsqueeze(-1) * memory).sum(1)))
        return torch.stack(steps, 1)


class Recognizer(nn.Module):
    def __init__(self, cfg: RecognizerConfig | None = None):
        super().__init__()
        cfg = cfg or RecognizerConfig()
        self.cfg = cfg
        self.frontend = LogMel()
        self.norm = MaskedNorm()
        self.augment = SpecAugment()
        self.encoder = Encoder(cfg)
        self.ctc = nn.Linear(cfg.dim, cfg.vocab)
        self.decoder = Decoder(cfg)
        self.ctc_loss = nn.CTCLoss(zero_infinity=True)
        self.sos = self.eos = cfg.vocab - 1
        self.stats: dict[str, float] = {}

    def encode(self, wav, lengths):
        x, n = self.frontend(wav, lengths)
        x = self.norm(x, n)
        if self.training:
            x = self.augment(x, n)
        return self.encoder(x, n)

    def forward(self, wav, wav_lens, text, text_lens):
        assert wav_lens.dim() == 1, wav_lens.shape
        assert wav.shape[0] == wav_lens.shape[0] == text.shape[0]
        text = text[:, : text_lens.max()]
        h, n = self.encode(wav, wav_lens)
        loss_ctc = self.ctc_loss(self.ctc(h).log_softmax(-1).transpose(0, 1), text, n, text_lens)
        ys_in, ys_out = add_sos_eos(text, self.sos, self.eos)
        logits = self.decoder(h, ys_in)
        loss_att = F.cross_entropy(logits.transpose(1, 2), ys_out, ignore_index=-1)
        w = self.cfg.ctc_weight
        loss = w * loss_ctc + (1 - w) * loss_att
        if self.cfg.report:
            self.stats = {"acc": accuracy(logits, ys_out), "ctc": loss_ctc.item()}
        return loss, self.stats


class GreedyCTC(nn.Module):
    def __init__(self, model: Recognizer, tokens: str = "_abcdefghij$"):
        super().__init__()
        self.model = model
        self.tokens = tokens

    @torch.inference_mode()
    def forward(self, wav, lengths):
        h, n = self.model.encode(wav, lengths)
        best = self.model.ctc(h).argmax(-1)
        texts = []
        for ids, size in zip(best, n):
            ids = collapse(ids[:size].tolist())
            texts.append("".join(self.tokens[i] for i in ids))
        return texts


class PrefixBeam(nn.Module):
    def __init__(self, beam=3, blank=0):
        super().__init__()
        self.beam, self.blank = beam, blank

    def forward(self, logp):
        hyps = {(): (0.0, -float("inf"))}
        for frame in logp:
            nxt = {}
            top, idx = frame.topk(self.beam)
            for s, (ps, token) in ((s, pair) for s in hyps for pair in zip(top, idx)):
                pb, pnb = hyps[s]
                token = token.item()
                if token == self.blank:
                    nxt[s] = (pb + ps.item(), pnb)
                else:
                    nxt[s + (token,)] = (-float("inf"), max(pb, pnb) + ps.item())
            hyps = dict(sorted(nxt.items(), key=lambda kv: -max(kv[1]))[: self.beam])
        return list(hyps)


class Transducer(nn.Module):
    """Greedy search, one symbol a frame."""

    def __init__(self, dim=8, vocab=6):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cell = nn.LSTMCell(dim, dim)
        self.joint = nn.Linear(2 * dim, vocab)

    def forward(self, enc):
        token = torch.zeros(1, dtype=torch.long)
        state = None
        out, state = self.cell(self.emb(token), state)
        hyp = []
        for t in range(enc.size(0)):
            logits = self.joint(torch.cat([enc[t], out[0]]))
            k = logits.argmax()
            if k != 0:
                hyp.append(int(k))
                out, state = self.cell(self.emb(k[None]), (out, state))
        return hyp


class VoiceActivity(nn.Module):
    def __init__(self, dim=8, threshold=0.5, min_frames=2):
        super().__init__()
        self.net = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * dim, 1)
        self.threshold, self.min_frames = threshold, min_frames

    def segments(self, active):
        edges = torch.diff(active.int(), prepend=torch.zeros(1, dtype=torch.int))
        starts = (edges == 1).nonzero()[:, 0]
        ends = (edges == -1).nonzero()[:, 0]
        if len(ends) < len(starts):
            ends = torch.cat([ends, torch.tensor([len(active)])])
        return [(int(s), int(e)) for s, e in zip(starts, ends) if e - s >= self.min_frames]

    def forward(self, x):
        y, _ = self.net(x)
        prob = self.out(y).squeeze(-1).sigmoid()
        return prob, [self.segments(p > self.threshold) for p in prob]
