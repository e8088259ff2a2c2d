"""Small configurations of models of transformers, timm and diffusers, and an optimizer's step."""

# ruff: noqa: D101, D102 - programs that are compiled

from torch import nn


class Bert(nn.Module):
    def __init__(self):
        import transformers

        super().__init__()
        config = transformers.BertConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, vocab_size=100
        )
        self.model = transformers.BertModel(config)

    def forward(self, tokens):
        return self.model(tokens).last_hidden_state


class Gpt2(nn.Module):
    def __init__(self):
        import transformers

        super().__init__()
        config = transformers.GPT2Config(n_embd=32, n_layer=2, n_head=2, vocab_size=100, n_positions=64)
        self.model = transformers.GPT2Model(config)

    def forward(self, tokens):
        return self.model(tokens, use_cache=False).last_hidden_state


class Llama(nn.Module):
    def __init__(self):
        import transformers

        super().__init__()
        config = transformers.LlamaConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, vocab_size=100
        )
        self.model = transformers.LlamaModel(config)

    def forward(self, tokens):
        return self.model(tokens, use_cache=False).last_hidden_state


class DistilBert(nn.Module):
    def __init__(self):
        import transformers

        super().__init__()
        config = transformers.DistilBertConfig(dim=32, n_layers=2, n_heads=2, hidden_dim=64, vocab_size=100)
        self.model = transformers.DistilBertModel(config)

    def forward(self, tokens):
        return self.model(tokens).last_hidden_state


class ResNet(nn.Module):
    def __init__(self):
        import timm

        super().__init__()
        self.model = timm.create_model("resnet10t", num_classes=4)

    def forward(self, images):
        return self.model(images)


class VisionTransformer(nn.Module):
    def __init__(self):
        import timm

        super().__init__()
        self.model = timm.models.VisionTransformer(
            img_size=32, patch_size=8, embed_dim=32, depth=2, num_heads=2, num_classes=4
        )

    def forward(self, images):
        return self.model(images)


class ConvNeXt(nn.Module):
    def __init__(self):
        import timm

        super().__init__()
        self.model = timm.models.ConvNeXt(depths=(1, 1, 1, 1), dims=(8, 16, 16, 16), num_classes=4)

    def forward(self, images):
        return self.model(images)


class UNet(nn.Module):
    def __init__(self):
        import diffusers

        super().__init__()
        self.model = diffusers.UNet2DModel(
            sample_size=32,
            block_out_channels=(32, 32),
            layers_per_block=1,
            down_block_types=("DownBlock2D", "DownBlock2D"),
            up_block_types=("UpBlock2D", "UpBlock2D"),
            norm_num_groups=8,
        )

    def forward(self, sample, timestep):
        return self.model(sample, timestep).sample


class Attention(nn.Module):
    def __init__(self):
        import diffusers

        super().__init__()
        self.model = diffusers.models.attention.BasicTransformerBlock(32, 2, 16)

    def forward(self, hidden):
        return self.model(hidden)


class Decoder(nn.Module):
    def __init__(self):
        from diffusers.models.autoencoders.vae import Decoder as Decoding

        super().__init__()
        self.model = Decoding(in_channels=4, out_channels=3, block_out_channels=(32, 32), norm_num_groups=8)

    def forward(self, latents):
        return self.model(latents)
