"""Box arithmetic."""
import torch


def area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def iou(a, b, eps=1e-7):
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    return inter / (area(a)[:, None] + area(b)[None] - inter + eps)


def to_xyxy(boxes):
    c, s = boxes.chunk(2, -1)
    return torch.cat([c - s / 2, c + s / 2], -1)


def encode(boxes, anchors, weights=(10.0, 10.0, 5.0, 5.0)):
    wx, wy, ww, wh = weights
    aw, ah = anchors[:, 2] - anchors[:, 0], anchors[:, 3] - anchors[:, 1]
    bw, bh = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    dx = wx * (boxes[:, 0] + bw / 2 - anchors[:, 0] - aw / 2) / aw
    dy = wy * (boxes[:, 1] + bh / 2 - anchors[:, 1] - ah / 2) / ah
    return torch.stack([dx, dy, ww * torch.log(bw / aw), wh * torch.log(bh / ah)], 1)


def nms(boxes, scores, threshold=0.5):
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        best = order[0]
        keep.append(best)
        if order.numel() == 1:
            break
        rest = order[1:]
        overlap = iou(boxes[best].unsqueeze(0), boxes[rest]).squeeze(0)
        order = rest[overlap <= threshold]
    return torch.stack(keep) if keep else boxes.new_zeros(0, dtype=torch.long)


def batched_nms(boxes, scores, labels, threshold=0.5):
    if boxes.numel() == 0:
        return torch.empty((0,), dtype=torch.int64, device=boxes.device)
    offset = labels.to(boxes) * (boxes.max() + 1)
    return nms(boxes + offset[:, None], scores, threshold)


def soft_nms(boxes, scores, sigma=0.5, floor=0.05):
    scores = scores.clone()
    picked = []
    left = list(range(boxes.shape[0]))
    while left:
        i = max(left, key=lambda j: scores[j])
        if scores[i] < floor:
            break
        picked.append(i)
        left.remove(i)
        for j in left:
            overlap = iou(boxes[i:i + 1], boxes[j:j + 1])[0, 0]
            scores[j] *= torch.exp(-overlap ** 2 / sigma)
    return picked
