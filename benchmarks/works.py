"""What is measured. Each function returns rows of the table; `quick` makes a toy of it, to see it run."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.measure import Result, in_turn, ratios, seconds
from benchmarks.peers import TorchEncoder, TorchTranslator
from helpers import (
    EncoderDecoder,
    LanguageModel,
    MultiHeadAttention,
    TransformerEncoder,
    greedy,
    scaled_dot_product_attention,
)
from helpers.data import BOS, EOS, PAD, NumberTranslation
from helpers.flash import tiled_attention
from helpers.memory import peak_bytes
from helpers.training import decay_groups, sequence_loss, train, warmup_linear


def multi_head(quick: bool = False) -> list[Result]:
    """Forward and backward of one layer, without dropout.

    With need_weights=False PyTorch never holds the T×T weights. Most of a step are the projections,
    which both compute alike; what ours can lose by is the softmax in the open.
    """
    N, T, d_model, h = (2, 8, 16, 2) if quick else (8, 256, 512, 8)
    torch.manual_seed(0)
    x = torch.randn(N, T, d_model)
    ours = MultiHeadAttention(d_model, h, dropout=0.0)
    theirs = nn.MultiheadAttention(d_model, h, batch_first=True)

    def step(attend: Callable[[Tensor], Tensor]) -> float:
        def forward_and_backward():
            leaf = x.clone().requires_grad_()
            attend(leaf).square().mean().backward()

        return seconds(forward_and_backward)

    return [
        Result(
            "MultiHeadAttention, forward and backward",
            f"nn.MultiheadAttention{form}",
            ratios(in_turn(
                lambda: step(ours),
                lambda: step(lambda leaf: theirs(leaf, leaf, leaf, need_weights=weights)[0]),
                pairs=3 if quick else 15,
                warm_up=2,
            )),
            at_most=aim,
            notes=[f"N={N}, T={T}, d_model={d_model}, h={h}"] if aim else [],
        )
        for form, weights, aim in ((", need_weights=False", False, 1.05), (" as it comes", True, None))
    ]


def encoder(quick: bool = False) -> list[Result]:
    """A training step of an encoder: forward, backward, AdamW."""
    vocab_size, d_model, h, n_layers, d_ff, N, T = (
        (50, 16, 2, 1, 32, 2, 8) if quick else (32_000, 256, 4, 4, 2048, 2, 64)
    )
    torch.manual_seed(0)
    tokens, wanted = torch.randint(vocab_size, (N, T)), torch.randn(N, T, d_model)

    def trained(model: nn.Module) -> Callable[[], float]:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

        def step():
            optimizer.zero_grad()
            F.mse_loss(model(tokens), wanted).backward()
            optimizer.step()

        return lambda: seconds(step)

    sizes = (vocab_size, d_model, h, n_layers, d_ff)
    return [
        Result(
            "TransformerEncoder, training step",
            "nn.TransformerEncoder",
            ratios(in_turn(
                trained(TransformerEncoder(*sizes)),
                trained(TorchEncoder(*sizes)),
                pairs=3 if quick else 15,
                warm_up=2,
            )),
            at_most=1.0,
            notes=[
                f"tokens ({N}, {T}), vocabulary {vocab_size}, width {d_model}, {h} heads, "
                f"{n_layers} layers, hidden {d_ff}, dropout 0.1"
            ],
        )
    ]


@dataclass
class Learner:
    """A translator on its way, and what it has cost so far."""

    model: nn.Module
    data: NumberTranslation
    total_steps: int
    seed: int
    steps: int = 0
    seconds: float = 0.0
    exact: float = 0.0

    def __post_init__(self) -> None:
        self.optimizer = torch.optim.AdamW(
            decay_groups(self.model, 0.01), lr=3e-3, betas=(0.9, 0.98), fused=True
        )
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, warmup_linear(60, self.total_steps)
        )

    def go_on(self, steps: int) -> None:
        """Train for some steps; only these count as time."""
        begin = self.steps
        self.seconds += seconds(lambda: train(
            self.model,
            lambda step: self.data.training.batch(begin + step, seed=self.seed),
            lambda model, batch: sequence_loss(model(*batch[:2]), batch[2], PAD),
            self.optimizer,
            steps,
            schedule=self.schedule,
        ))
        self.steps += steps
        self.model.eval()
        self.exact = exact_match(self.model, self.data)


@torch.no_grad()
def exact_match(model: nn.Module, data: NumberTranslation) -> float:
    """Share of held-out numbers whose translation is right in every word."""
    pairs = data.held_out
    wanted = pairs.target_out
    begin = torch.full((len(pairs), 1), BOS)
    decode = model.given(pairs.source)
    use_cache = isinstance(model, EncoderDecoder)
    written = greedy(
        decode, begin, eos=EOS, pad=PAD, max_length=1 + wanted.shape[1], use_cache=use_cache
    ).tokens[:, 1:]
    written = F.pad(written, (0, wanted.shape[1] - written.shape[1]), value=PAD)
    return (written == wanted).all(dim=1).double().mean().item()


def translator(quick: bool = False) -> list[Result]:
    """From nothing to 99 % exact match on held-out numbers: time, and number of steps."""
    data = NumberTranslation(99, 20) if quick else NumberTranslation()
    sizes = (16, 2, 1, 32, 32, 0.0) if quick else (64, 4, 2, 256, 32, 0.0)
    goal, stride, total_steps = (0.0, 5, 100) if quick else (0.99, 25, 400)
    times: tuple[list[float], list[float]] = ([], [])
    steps: tuple[list[float], list[float]] = ([], [])
    ends = []
    for seed in range(2 if quick else 5):
        torch.manual_seed(seed)
        learners = [
            Learner(kind(len(data.english), len(data.french), *sizes), data, total_steps, seed)
            for kind in (EncoderDecoder, TorchTranslator)
        ]
        open_ = list(learners)
        while open_ := [
            one for one in open_ if one.steps == 0 or (one.exact < goal and one.steps < total_steps)
        ]:
            for one in open_ if seed % 2 == 0 else reversed(open_):
                one.go_on(stride)
        for side, one in enumerate(learners):
            if one.exact < goal:
                raise RuntimeError(
                    f"{type(one.model).__name__}, seed {seed}: {one.exact:.1%} exact match after "
                    f"{one.steps} steps, below {goal:.0%}"
                )
            times[side].append(one.seconds)
            steps[side].append(one.steps)
        ours = learners[0]
        ours.go_on(total_steps - ours.steps)
        ends.append(f"seed {seed}: {ours.exact:.1%} in {ours.seconds:.1f} s")
    told = "; ".join(
        f"seed {seed}: {a:.0f} and {b:.0f} steps, {s:.1f} and {t:.1f} s"
        for seed, (a, b, s, t) in enumerate(zip(*steps, *times))
    )
    peer = "the same sizes on nn.Transformer"
    return [
        Result("translator to 99 % held-out, time", peer, ratios(times), 1.0, [f"ours and theirs, {told}"]),
        Result(
            "translator to 99 % held-out, steps", peer, ratios(steps), 1.0,
            [f"ours after all {total_steps} steps, {'; '.join(ends)}"],
        ),
    ]


def generation(quick: bool = False) -> list[Result]:
    """Greedy writing with the key/value cache and without."""
    length, d_model, n_layers = (8, 16, 1) if quick else (257, 128, 4)
    torch.manual_seed(0)
    model = LanguageModel(100, d_model, 4, n_layers, 4 * d_model, max_seq_len=length).eval()

    def write(N: int, use_cache: bool) -> float:
        prompts = torch.ones(N, 1, dtype=torch.long)
        return seconds(lambda: greedy(
            model, prompts, eos=None, pad=0, max_length=length, use_cache=use_cache
        ))

    return [
        Result(
            f"generating {length - 1} tokens with cache, batch {N}",
            "without",
            ratios(in_turn(lambda: write(N, True), lambda: write(N, False), pairs=2 if quick else 5)),
            at_most=aim,
            notes=[f"width {d_model}, 4 heads, {n_layers} layers"],
        )
        for N, aim in ((8, 0.1), (1, None))
    ]


def tiles(quick: bool = False) -> list[Result]:
    """Peak memory beyond the inputs, and time, of attention by tiles."""
    T, d_k = (256, 8) if quick else (4096, 64)
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 1, T, d_k) for _ in "qkv")

    @torch.no_grad()
    def forward(attend: Callable) -> Tensor:
        return attend(q, k, v)

    def with_gradients(attend: Callable) -> Tensor:
        leaves = [t.clone().requires_grad_() for t in (q, k, v)]
        attend(*leaves).square().mean().backward()

    rows = []
    for what, run, aim in (
        ("without gradients", forward, 1 / 50), ("with gradients", with_gradients, None)
    ):
        ours, theirs = (
            peak_bytes(run, attend) for attend in (tiled_attention, scaled_dot_product_attention)
        )
        rows.append(Result(
            f"tiled attention at T = {T}, peak memory {what}", "dense", [ours / theirs], aim,
            [f"{ours / 2**20:.1f} MiB and {theirs / 2**20:.1f} MiB, one head, d_k = {d_k}"],
        ))
    figures = in_turn(
        lambda: seconds(lambda: forward(tiled_attention)),
        lambda: seconds(lambda: forward(scaled_dot_product_attention)),
        pairs=2 if quick else 9,
    )
    rows.append(Result(f"tiled attention at T = {T}, time", "dense", ratios(figures)))
    return rows


def imports(quick: bool = False) -> list[Result]:
    """A fresh Python that imports our package against one that imports torch."""

    def start(module: str) -> float:
        return seconds(lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True))

    pairs = 1 if quick else 9
    figures = in_turn(lambda: start("helpers"), lambda: start("torch"), pairs)
    return [Result("import helpers", "import torch", ratios(figures), 1.1)]


WORKS = {
    work.__name__: work for work in (multi_head, encoder, translator, generation, tiles, imports)
}
"""Everything `make bench` measures, by name."""
