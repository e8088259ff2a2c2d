from model import Encoder, get_inputs


def test_encoder():
    assert Encoder()(*get_inputs()).shape == (64, 256)
