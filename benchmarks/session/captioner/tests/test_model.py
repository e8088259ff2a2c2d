from captioner.model import Captioner, get_inputs


def test_shape():
    assert Captioner()(*get_inputs()).shape == (4, 10)
