"""A static method below @torch.compile."""
import torch


class Boxes:
    @staticmethod
    @torch.compile
    def area(boxes):
        sides = boxes[:, 2:] - boxes[:, :2]
        if (sides < 0).any():  # break
            sides = sides.abs()
        return sides.prod(1)

    @staticmethod
    def valid(boxes):
        if (boxes < 0).any():
            return False
        return True


def run():
    boxes = torch.rand(3, 4)
    Boxes.valid(boxes)
    Boxes.area(boxes)
