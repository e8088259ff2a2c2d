"""A dense detection head over a feature pyramid, its anchors made from static sizes."""

import math
from typing import Dict, List, Tuple

import torch
from torch import Tensor, nn


class AnchorGenerator(nn.Module):
    def __init__(self, sizes=((8,), (16,)), aspect_ratios=(0.5, 1.0, 2.0)):
        super().__init__()
        self.sizes = sizes
        self.aspect_ratios = aspect_ratios
        self.cell_anchors = [self.generate_anchors(size, aspect_ratios) for size in sizes]

    @staticmethod
    def generate_anchors(scales, ratios, dtype=torch.float32):
        scales = torch.as_tensor(scales, dtype=dtype)
        h_ratios = torch.sqrt(torch.as_tensor(ratios, dtype=dtype))
        ws = ((1 / h_ratios)[:, None] * scales[None, :]).view(-1)
        hs = (h_ratios[:, None] * scales[None, :]).view(-1)
        return (torch.stack([-ws, -hs, ws, hs], dim=1) / 2).round()

    def num_anchors_per_location(self) -> List[int]:
        return [len(s) * len(self.aspect_ratios) for s in self.sizes]

    def grid_anchors(self, grid_sizes, strides, device) -> List[Tensor]:
        anchors = []
        for (rows, columns), (stride_y, stride_x), base in zip(grid_sizes, strides, self.cell_anchors):
            shifts_x = torch.arange(0, columns, dtype=torch.int32, device=device) * stride_x
            shifts_y = torch.arange(0, rows, dtype=torch.int32, device=device) * stride_y
            shift_y, shift_x = torch.meshgrid(shifts_y, shifts_x, indexing="ij")
            shifts = torch.stack([t.reshape(-1) for t in (shift_x, shift_y, shift_x, shift_y)], dim=1)
            anchors.append((shifts.view(-1, 1, 4) + base.to(device).view(1, -1, 4)).reshape(-1, 4))
        return anchors

    def forward(self, image: Tensor, features: List[Tensor]) -> Tensor:
        grid_sizes = [feature.shape[-2:] for feature in features]
        image_size = image.shape[-2:]
        strides = [[image_size[0] // g[0], image_size[1] // g[1]] for g in grid_sizes]
        return torch.cat(self.grid_anchors(grid_sizes, strides, image.device))


class BoxCoder:
    def __init__(self, weights: Tuple[float, float, float, float], clip: float = math.log(1000.0 / 16)):
        self.weights = weights
        self.clip = clip

    def decode(self, deltas: Tensor, boxes: Tensor) -> Tensor:
        widths = boxes[..., 2] - boxes[..., 0]
        heights = boxes[..., 3] - boxes[..., 1]
        centre_x, centre_y = boxes[..., 0] + 0.5 * widths, boxes[..., 1] + 0.5 * heights
        wx, wy, ww, wh = self.weights
        dw = torch.clamp(deltas[..., 2] / ww, max=self.clip)
        dh = torch.clamp(deltas[..., 3] / wh, max=self.clip)
        x, y = deltas[..., 0] / wx * widths + centre_x, deltas[..., 1] / wy * heights + centre_y
        w, h = torch.exp(dw) * widths, torch.exp(dh) * heights
        return torch.stack((x - 0.5 * w, y - 0.5 * h, x + 0.5 * w, y + 0.5 * h), dim=-1)


class Net(nn.Module):
    def __init__(self, channels=8, num_classes=5, detections=10):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, stride=4, padding=1)
        self.down = nn.Conv2d(channels, channels, 3, stride=2, padding=1)
        self.anchor_generator = AnchorGenerator()
        num_anchors = self.anchor_generator.num_anchors_per_location()[0]
        self.cls_logits = nn.Conv2d(channels, num_anchors * num_classes, 3, padding=1)
        self.bbox_reg = nn.Conv2d(channels, num_anchors * 4, 3, padding=1)
        nn.init.constant_(self.cls_logits.bias, -math.log((1 - 0.01) / 0.01))
        self.num_classes, self.detections = num_classes, detections
        self.box_coder = BoxCoder((1.0, 1.0, 1.0, 1.0))

    @staticmethod
    def _flatten(x: Tensor, last: int) -> Tensor:
        N, _, H, W = x.shape
        return x.view(N, -1, last, H, W).permute(0, 3, 4, 1, 2).reshape(N, -1, last)

    def forward(self, images: Tensor) -> Dict[str, Tensor]:
        first = self.stem(images)
        features = [first, self.down(first)]
        anchors = self.anchor_generator(images, features)
        logits = torch.cat([self._flatten(self.cls_logits(f), self.num_classes) for f in features], dim=1)
        deltas = torch.cat([self._flatten(self.bbox_reg(f), 4) for f in features], dim=1)
        boxes = self.box_coder.decode(deltas, anchors[None])
        scores, labels = logits.sigmoid().max(dim=-1)
        top, keep = scores.topk(min(self.detections, scores.shape[1]), dim=1)
        return {
            "boxes": boxes.gather(1, keep[..., None].expand(-1, -1, 4)),
            "scores": torch.where(top > 0.05, top, torch.zeros_like(top)),
            "labels": labels.gather(1, keep),
        }


def get_inputs():
    return [torch.randn(2, 3, 32, 32)]
