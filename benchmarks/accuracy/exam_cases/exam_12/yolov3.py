"""eriklindernoren/PyTorch-YOLOv3: detection, its loss and its measures."""

import numpy as np
import torch
from exam_surroundings import absent, inside

absent("imgaug", "terminaltables", "torchsummary", "PIL", "torchvision")
inside("PyTorch-YOLOv3")

from pytorchyolo.models import Darknet, YOLOLayer
from pytorchyolo.utils.loss import bbox_iou, compute_loss
from pytorchyolo.utils.utils import ap_per_class, get_batch_statistics, non_max_suppression, rescale_boxes, xywh2xyxy

PACKAGES = ["PyTorch-YOLOv3"]


def darknet():
    import sys
    from pathlib import Path

    return Darknet(str(Path(sys.argv[2], "PyTorch-YOLOv3", "config", "yolov3-tiny.cfg")))


def targets():
    return torch.tensor([[0, 1, 0.5, 0.5, 0.2, 0.3], [0, 2, 0.3, 0.3, 0.4, 0.4]])


def case_model():
    return torch.compile(darknet()), (torch.rand(1, 3, 64, 64),)


def case_loss():
    model = darknet().train()
    outputs = [out.detach() for out in model(torch.rand(1, 3, 64, 64))]
    return torch.compile(compute_loss), (outputs, targets(), model)


def case_step():
    model = darknet().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)

    def step(images, labels):
        loss, parts = compute_loss(model(images), labels, model)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return parts

    return torch.compile(step), (torch.rand(1, 3, 64, 64), targets())


def case_layer():
    layer = YOLOLayer([(10, 14), (23, 27)], 3, False)
    return torch.compile(layer), (torch.rand(1, 16, 4, 4), 64)


def case_iou():
    return torch.compile(bbox_iou), (torch.rand(4, 3), torch.rand(3, 4)), {"x1y1x2y2": False, "CIoU": True}


def case_suppression():
    return torch.compile(non_max_suppression), (torch.rand(1, 8, 8),)


def case_statistics():
    outputs = [torch.tensor([[0.0, 0, 10, 10, 0.9, 1], [5, 5, 15, 15, 0.8, 2]])]
    labels = torch.tensor([[0, 1, 0.0, 0, 10, 11], [0, 2, 5, 5, 14, 15]])
    return torch.compile(get_batch_statistics), (outputs, labels, 0.5)


def case_boxes():
    fast = torch.compile(xywh2xyxy)
    return fast, (torch.rand(3, 4),)


def case_rescale():
    return torch.compile(rescale_boxes), (torch.rand(3, 6), 64, (48, 64))


def case_average_precision():
    args = (np.array([1.0, 0.0]), np.array([0.9, 0.8]), np.array([1.0, 2.0]), np.array([1.0, 2.0]))
    return torch.compile(ap_per_class), args
