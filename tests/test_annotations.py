"""The shapes written in signatures are true: valid calls under jaxtyping's hook with beartype.

In a process of its own, because the hook has to come before the first import of `helpers`.
Refusals are tested elsewhere, without the hook, which would refuse first.
"""

import subprocess
import sys

VALID_CALLS = """
from jaxtyping import TypeCheckError, install_import_hook
hook = install_import_hook("helpers", "beartype.beartype")
import torch
from helpers import *
from helpers.checks import check_causality, check_equivariance, check_weights
from helpers.efficient import linear_attention, window_attention
from helpers.explore.decoding import translate
from helpers.explore.masks import build, layers_needed
from helpers.flash import tiled_attention
from helpers.memory import peak_bytes
from helpers.data import NumberTranslation
from helpers.training import decay_groups, sequence_loss, train, warmup_linear

for shape in ((), (2,), (2, 3)):
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        q, k, v = (torch.randn(*shape, *size).to(dtype) for size in ((4, 6), (5, 6), (5, 7)))
        attention_weights(q, k)
        scaled_dot_product_attention(q, k, v, torch.ones(4, 5, dtype=torch.bool), dropout_p=0.1)
        tiled_attention(q, k, v, torch.ones(4, 5, dtype=torch.bool), causal=True, tile=2)
        linear_attention(q, k, v), linear_attention(k, k, v, causal=True)
        window_attention(k, k, v, 2, causal=True)
peak_bytes(tiled_attention, q, k, v, causal=True)
tokens = torch.tensor([[5, 6, 7, 0], [5, 0, 0, 0]])
mask = combine_masks(padding_mask(tokens, 0), causal_mask(4, device="cpu"))
check_mask(mask, torch.zeros(2, 3, 4, 4))
x, memory = torch.randn(2, 4, 12), torch.randn(2, 5, 12)
attention_weights(x, memory, bias=torch.zeros(4, 5))
module = MultiHeadAttention(12, 3, dropout=0.1, bias=False)
module(x, mask)
module(x, None, memory)
with record_weights(module) as weights:
    module(x, mask)
sinusoidal_positions(4, 6, device="cpu")
for added in (SinusoidalPositions(9, 12), LearnedPositions(9, 12)):
    added(x, start=2)
q, rows, columns = torch.randn(2, 6, 4, 2), torch.arange(5, 9), torch.arange(9)
for inside in (AttentionPositions(), RotaryPositions(2, 100.0), RelativePositions(2, clip=3), ALiBi(6)):
    grouped = MultiHeadAttention(12, 6, n_kv_heads=2, positions=inside)
    kept = KeyValueCache()
    grouped(memory, cache=kept)
    grouped(x, cache=kept)
    inside.rotate(q, rows)
    inside.score_bias(q, rows, columns)
    inside.value_bias(torch.rand(2, 6, 4, 9), rows, columns)
    TransformerBlock(12, 6, 2, norm_first=False, positions=inside)(x, mask)
FeedForward(12)(x), FeedForward(12, 5)(x[0, 0])
DecoderBlock(12, 3, n_kv_heads=1)(x, memory, mask, torch.ones(2, 1, 1, 5, dtype=torch.bool))
TokenEmbedding(8, 12, 9, 0.1, "learned")(tokens, 2)
for positions in ("none", "sinusoidal", "learned", "rotary", "relative", "alibi"):
    sizes = dict(d_model=12, n_heads=3, n_layers=2, d_ff=16, max_seq_len=9, positions=positions)
    TransformerEncoder(8, **sizes)(tokens, mask)
    target = tokens.repeat_interleave(3, dim=0)[:, :3]
    for model in (LanguageModel(8, **sizes), EncoderDecoder(8, 8, **sizes).given(tokens)):
        kept = KeyValueCache()
        model(target), model(target, kept), model(target[:, :1], kept)
        kept.reorder(torch.tensor([0, 0, 1, 2, 4, 5]))
        kept.length, kept.n_bytes
    EncoderDecoder(8, 8, **sizes)(tokens, target[:2])
check_causality(module, torch.randn(2, 4, 12))
for permutations in (3, torch.tensor([1, 2, 3, 0]), torch.tensor([[1, 2, 3, 0]])):
    check_equivariance(module, torch.randn(2, 4, 12), permutations=permutations)
check_equivariance(lambda x: module(x).mean(1), torch.randn(2, 4, 12))
for weights in (torch.rand(4, 5), torch.rand(2, 3, 4, 5).half()):
    check_weights(weights)
    check_weights(weights.softmax(-1), torch.ones(4, 5, dtype=torch.bool))
numbers = NumberTranslation(highest=100, n_held_out=10)
numbers.french.decode(numbers.held_out.target_out[0])
sizes = dict(d_model=4, n_heads=2, n_layers=1, d_ff=4)
model = EncoderDecoder(len(numbers.english), len(numbers.french), **sizes)
translate(model.eval(), numbers, "seven")
layers_needed(build(True, 1, 0, 1, ((0, 2),)), 2)
optimizer = torch.optim.SGD(decay_groups(model, 0.1))
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, warmup_linear(0, 1))
loss = lambda model, batch: sequence_loss(model(*batch[:2]), batch[2], pad=0)
train(model, numbers.training.batch, loss, optimizer, 1, schedule=schedule)
print("every valid call went through")
try:
    causal_mask("four")
except TypeCheckError:
    print("and a wrong annotation would be seen")  # were the hook not at work, nothing above could fail
"""


def test_valid_calls_satisfy_their_annotations():
    finished = subprocess.run([sys.executable, "-c", VALID_CALLS], capture_output=True, text=True, timeout=120)
    assert finished.stdout == "every valid call went through\nand a wrong annotation would be seen\n", finished.stderr
