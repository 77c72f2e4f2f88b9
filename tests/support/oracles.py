"""What the tests of `helpers` share: PyTorch's modules with the same weights, and comparisons that say
what differs."""

import pytest
import torch

POSITIONS = ["none", "sinusoidal", "learned", "rotary", "relative", "alibi"]
"""Every way a model may learn the order of its tokens, by name."""


def assert_same(ours, theirs, tolerance, what):
    """Equal in shape, and in values up to a tolerance, relative for values above 1."""
    assert ours.shape == theirs.shape, f"{what}: shape {tuple(ours.shape)}, expected {tuple(theirs.shape)}"
    difference = ((ours - theirs).abs() / theirs.abs().clamp(min=1)).max().item()
    assert difference <= tolerance, f"{what}: differs from what is expected by {difference}"


def assert_same_with_gradients(output, expected, inputs, tolerance, names="qkv"):
    """The outputs, and the gradients of both with respect to the same inputs, which have these names."""
    assert_same(output, expected, tolerance, "output")
    probe = random(*expected.shape, seed=3, dtype=expected.dtype)
    ours, theirs = (torch.autograd.grad((x * probe).sum(), inputs) for x in (output, expected))
    for name, our, their in zip(names, ours, theirs, strict=True):
        assert_same(our, their, tolerance, f"gradient of {name}")


def assert_refused(attempt, named):
    """A `ValueError` that names the value it got."""
    with pytest.raises(ValueError) as refusal:
        attempt()
    assert named in str(refusal.value), f"the message should name {named!r}: {refusal.value}"


def random(*shape, seed=0, dtype=torch.double):
    """Normal numbers, the same for the same seed."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.double).to(dtype)


def operands(shape, T, S, d_k, d_v, dtype=torch.double):
    """q, k and v that want gradients; `shape` is what stands before length and width."""
    generator = torch.Generator().manual_seed(0)
    sizes = [(T, d_k), (S, d_k), (S, d_v)]
    tensors = [torch.randn(*shape, *size, generator=generator).to(dtype) for size in sizes]
    return [tensor.requires_grad_() for tensor in tensors]


def spread(module):
    """Every parameter drawn anew, norms and biases too, so that none of them is a 0 or 1 that hides a
    fault."""
    generator = torch.Generator().manual_seed(9)
    with torch.no_grad():
        for parameter in module.parameters():
            fan_in = parameter.shape[-1] if parameter.ndim > 1 else 4
            parameter.copy_(torch.randn(parameter.shape, generator=generator) / fan_in**0.5)
    return module


class Twins:
    """Our parameters, each with the rows of PyTorch's that stand for it."""

    def __init__(self):
        self.pairs = {}

    def same(self, name, ours, theirs, rows=slice(None)):
        """`ours` and these rows of `theirs` are one parameter; where ours is None, theirs is 0."""
        with torch.no_grad():
            if ours is None:
                theirs[rows] = 0.0
            else:
                ours.copy_(theirs[rows])
                self.pairs[name] = ours, theirs, rows

    def linear(self, name, ours, theirs):
        """A linear layer or a norm: weight and bias."""
        self.same(f"{name}.weight", ours.weight, theirs.weight)
        self.same(f"{name}.bias", ours.bias, theirs.bias)

    def attention(self, name, ours, theirs):
        """`MultiHeadAttention` and `nn.MultiheadAttention`, which stacks three projections."""
        for i, part in enumerate(("query", "key", "value")):
            rows = slice(i * ours.d_model, (i + 1) * ours.d_model)
            linear = getattr(ours, part)
            self.same(f"{name}.{part}.weight", linear.weight, theirs.in_proj_weight, rows)
            if theirs.in_proj_bias is not None:
                self.same(f"{name}.{part}.bias", linear.bias, theirs.in_proj_bias, rows)
        self.same(f"{name}.output.weight", ours.output.weight, theirs.out_proj.weight)
        if theirs.out_proj.bias is not None:
            self.same(f"{name}.output.bias", ours.output.bias, theirs.out_proj.bias)

    def block(self, name, ours, theirs):
        """`TransformerBlock` or `DecoderBlock`, and PyTorch's layer."""
        self.attention(f"{name}.attention", ours.attention, theirs.self_attn)
        norms = [ours.attention_norm, ours.feed_forward_norm]
        if hasattr(ours, "cross_attention"):
            self.attention(f"{name}.cross_attention", ours.cross_attention, theirs.multihead_attn)
            norms.insert(1, ours.cross_attention_norm)
        for i, norm in enumerate(norms, 1):
            self.linear(f"{name}.norm {i}", norm, getattr(theirs, f"norm{i}"))
        self.linear(f"{name}.widen", ours.feed_forward.widen, theirs.linear1)
        self.linear(f"{name}.narrow", ours.feed_forward.narrow, theirs.linear2)

    def assert_same_gradients(self, model, tolerance, besides=()):
        """Every parameter of the model is compared, but for those named besides."""
        compared = {id(ours) for ours, _, _ in self.pairs.values()}
        left_out = {name for name, p in model.named_parameters() if id(p) not in compared}
        assert left_out == set(besides), f"not compared: {left_out}, expected {set(besides)}"
        for name, (ours, theirs, rows) in self.pairs.items():
            assert ours.grad is not None, f"{name} has no gradient"
            assert_same(ours.grad, theirs.grad[rows], tolerance, f"gradient of {name}")


def backward_both(ours, theirs):
    """The same random weighting of both outputs, differentiated."""
    probe = random(*theirs.shape, seed=3, dtype=theirs.dtype)
    (ours * probe).sum().backward()
    (theirs * probe).sum().backward()
