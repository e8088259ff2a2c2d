"""Models of libraries by name: small packages stand for the libraries, in whose form they are written."""

from __future__ import annotations

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.commands.verify_steps import write_confirmed
from breaklint.errors import TargetError
from breaklint.verify.judge.results import TargetReport, Verdict, VerifyReport
from breaklint.verify.targets.libraries import file_of

HEAD = "import torch\nfrom torch import nn\n\n\n"
TRANSFORMERS = {
    "transformers/__init__.py": "from .models.tiny.configuration_tiny import TinyConfig\n",
    "transformers/models/__init__.py": "",
    "transformers/models/auto/__init__.py": "",
    "transformers/models/auto/modeling_auto.py": "MODEL_MAPPING_NAMES = {'tiny': 'TinyModel'}\n",
    "transformers/models/tiny/__init__.py": "",
    "transformers/models/tiny/configuration_tiny.py": "class TinyConfig:\n    model_type = 'tiny'\n\n"
    "    def __init__(self, num_hidden_layers=24, vocab_size=50):\n"
    "        self.num_hidden_layers, self.vocab_size, self.use_cache = num_hidden_layers, vocab_size, True\n",
    "transformers/masks.py": "def told(x):\n    print('mask')\n    return x\n",
    "transformers/models/tiny/modeling_tiny.py": HEAD.replace(
        "nn\n", "nn\n\nfrom ...masks import told\nfrom .configuration_tiny import TinyConfig\n"
    )
    + "class TinyModel(nn.Module):\n    config_class = TinyConfig\n\n    def __init__(self, config):\n"
    "        super().__init__()\n        assert (config.num_hidden_layers, config.use_cache) == (2, False)\n"
    "        self.words = nn.Embedding(config.vocab_size, 4)\n\n"
    "    def forward(self, input_ids=None, attention_mask=None):\n        return told(self.words(input_ids))\n",
}
TIMM = {
    "timm/__init__.py": "",
    "timm/models/__init__.py": "",
    "timm/models/small.py": HEAD
    + "class Small(nn.Module):\n    default_cfg = {'input_size': (3, 8, 8)}\n\n    def forward(self, x):\n"
    "        print('small')\n        return x.flatten(1)\n\n\n"
    "def small_net(pretrained=False, **kwargs):\n    assert not pretrained\n    return Small()\n",
}
DIFFUSERS = {
    "diffusers/__init__.py": "",
    "diffusers/models/__init__.py": "",
    "diffusers/models/unet.py": HEAD
    + "class Unet(nn.Module):\n    config = {'in_channels': 4, 'sample_size': None, 'cross_attention_dim': 6}\n\n"
    "    def forward(self, sample, timestep, encoder_hidden_states, scale=None):\n        print('unet')\n"
    "        return sample * timestep.view(-1, 1, 1, 1) + encoder_hidden_states.mean()\n",
}
GRAPHS = {
    "torch_geometric/__init__.py": "",
    "torch_geometric/nn/__init__.py": "",
    "torch_geometric/nn/conv.py": HEAD
    + "class Conv(nn.Module):\n    def __init__(self, in_channels, out_channels, bias=True):\n"
    "        super().__init__()\n        self.lin = nn.Linear(in_channels, out_channels, bias)\n\n"
    "    def forward(self, x, edge_index, size=None):\n        print('conv')\n"
    "        return self.lin(x)[edge_index[0]]\n\n\n"
    "class Odd(Conv):\n    def forward(self, x, hyperedges):\n        return x\n",
}
BROKEN = {
    "transformers:TinyConfig": "transformers/masks.py:2",
    "timm:small_net": "timm/models/small.py:9",
    "diffusers:Unet": "diffusers/models/unet.py:9",
    "torch_geometric:Conv": "torch_geometric/nn/conv.py:11",
}


def test_models_of_libraries_are_verified_by_name_and_fixed_where_they_break(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    files = TRANSFORMERS | TIMM | DIFFUSERS | GRAPHS
    folder = write_files(files)
    done = breaklint("verify", *BROKEN, "torch_geometric:Odd", "--quick", "--devices", "cpu")
    for broken in BROKEN.values():
        assert f"fix    {broken} BRK101 print-call: correct, the break is gone" in done.stdout, done.stdout
    assert "Odd.forward needs hyperedges, of which breaklint knows no example; write a function that" in done.stdout
    assert done.returncode == 2
    assert {name: (folder / name).read_text() for name in files} == files


def test_a_fix_in_an_installed_package_is_not_written(
    write_files: WriteFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_files({"site-packages/timm/small.py": "x = 1\n", "copy/timm/small.py": "x = 1\n"})
    installed, own = (folder / name / "timm" / "small.py" for name in ("site-packages", "copy"))
    proven = {str(installed): "x = 2\n", str(own): "x = 2\n"}
    write_confirmed(VerifyReport({}, (TargetReport("timm:small", Verdict.CONFIRMED, "", proven=proven),)))
    assert (installed.read_text(), own.read_text()) == ("x = 1\n", "x = 2\n")
    assert (
        "not written: it is an installed package's; put a copy of that first on PYTHONPATH" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("files", "target", "told"),
    [
        (TRANSFORMERS, "transformers:TinyConfg", "did you mean `TinyConfig`?"),
        (TIMM, "timm:smal_net", "did you mean `small_net`?"),
        (
            {**TRANSFORMERS, "transformers/models/tiny/modeling_tiny.py": None},
            "transformers:TinyConfig",
            "no modeling_",
        ),
    ],
)
def test_a_name_that_no_file_defines_is_refused(
    write_files: WriteFiles, files: dict[str, str | None], target: str, told: str
) -> None:
    folder = write_files({name: text for name, text in files.items() if text is not None})
    family, _, name = target.partition(":")
    with pytest.raises(TargetError, match=target) as raised:
        file_of(family, folder / family, name)
    assert told in str(raised.value)
