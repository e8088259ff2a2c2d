"""Cases of facenet_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["facenet_pytorch"]


def case_faces():
    from facenet_pytorch import InceptionResnetV1

    return InceptionResnetV1(classify=True, num_classes=3), (torch.rand(2, 3, 96, 96),)


def case_proposals():
    from facenet_pytorch.models.mtcnn import PNet

    return PNet(pretrained=False), (torch.rand(2, 3, 24, 24),)
