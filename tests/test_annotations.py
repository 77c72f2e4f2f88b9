"""The shapes written in signatures are true: valid calls under jaxtyping's hook with beartype.

In a process of its own, because the hook has to come before the first import of `helpers`.
Refusals are tested elsewhere, without the hook, which would refuse first.
"""

import subprocess
import sys

VALID_CALLS = """
from jaxtyping import install_import_hook
hook = install_import_hook("helpers", "beartype.beartype")
import torch
from helpers import *
from helpers.checks import check_causality, check_equivariance, check_weights

for shape in ((), (2,), (2, 3)):
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        q, k, v = (torch.randn(*shape, *size).to(dtype) for size in ((4, 6), (5, 6), (5, 7)))
        attention_weights(q, k)
        scaled_dot_product_attention(q, k, v, torch.ones(4, 5, dtype=torch.bool), dropout_p=0.1)
tokens = torch.tensor([[5, 6, 7, 0], [5, 0, 0, 0]])
mask = combine_masks(padding_mask(tokens, 0), causal_mask(4, device="cpu"))
check_mask(mask, torch.zeros(2, 3, 4, 4))
module = MultiHeadAttention(12, 3, dropout=0.1, bias=False)
module(torch.randn(2, 4, 12), mask)
module(torch.randn(2, 4, 12), None, torch.randn(2, 5, 12))
check_causality(module, torch.randn(2, 4, 12))
for permutations in (3, torch.tensor([1, 2, 3, 0]), torch.tensor([[1, 2, 3, 0]])):
    check_equivariance(module, torch.randn(2, 4, 12), permutations=permutations)
check_equivariance(lambda x: module(x).mean(1), torch.randn(2, 4, 12))
for weights in (torch.rand(4, 5), torch.rand(2, 3, 4, 5).half()):
    check_weights(weights)
    check_weights(weights.softmax(-1), torch.ones(4, 5, dtype=torch.bool))
print("every valid call went through")
"""


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_valid_calls_satisfy_their_annotations():
    finished = run(VALID_CALLS)
    assert finished.stdout == "every valid call went through\n", finished.stderr


def test_the_hook_does_see_a_wrong_annotation():
    """Were the hook not at work, the test above could not fail."""
    broken = VALID_CALLS.replace("causal_mask(4, device", 'causal_mask("four", device')
    assert "TypeCheckError" in run(broken).stderr
