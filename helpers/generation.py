"""Writing a sequence token by token: greedy, by sampling, by beam search.

All three work on anything that is called as a language model is: `decode(tokens, cache)` returns
logits `(N, T, vocab_size)`. A `LanguageModel` is one, and so is `EncoderDecoder.given(source)`.

Prompts may be of unequal lengths, padded on the right. A column is written at a time, from the
end of the shortest prompt on: a sequence that is still inside its prompt takes the prompt's next
token, another one takes a token of the model's. So no sequence ever holds padding before its end,
and positions and masks need no correction.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from helpers.cache import KeyValueCache
from helpers.inputs import check_tokens, require_positive

Decode = Callable[[Tensor, KeyValueCache | None], Tensor]
"""Tokens `(N, T)`, with a cache only those it has not seen → logits `(N, T, vocab_size)`."""


@dataclass(frozen=True)
class Generated:
    """What was written."""

    tokens: Int[Tensor, "N L"]
    """Prompts and what follows them, padded after EOS."""

    log_probability: Float[Tensor, " N"]
    """Of what follows the prompt, EOS included: the sum over its tokens, under softmax of the
    logits."""

    logits: Float[Tensor, "N L vocab_size"] | None
    """Those each token was chosen from; NaN where none was chosen (prompt, padding). None for beam
    search, which weighs several, and where the prompts fill max_length."""


def greedy(
    decode: Decode,
    prompts: Int[Tensor, "N T"],
    *,
    eos: int | None,
    pad: int,
    max_length: int,
    use_cache: bool = True,
) -> Generated:
    """Take the likeliest token, append it, repeat.

    Args:
        decode: the model, in evaluation mode.
        prompts: `(N, T)`, at least one token each, padded on the right; for instance BOS alone.
        eos: a sequence ends with this token; None ends none before max_length.
        pad: stands after the end; never chosen.
        max_length: longest sequence, prompt included; one that has not ended there is cut off.
        use_cache: keep keys and values (`KeyValueCache`), or compute the whole prefix each time.

    Raises:
        ValueError: prompts are not `(N, T)` whole numbers, hold padding before a token or nothing
            else, or are longer than max_length; eos or pad is no token of the model's, or they are
            the same; max_length is not a positive whole number; the model is in training mode.
    """
    return _write(decode, prompts, lambda logits: logits.argmax(-1), eos, pad, max_length, use_cache)


def sample(
    decode: Decode,
    prompts: Int[Tensor, "N T"],
    *,
    eos: int | None,
    pad: int,
    max_length: int,
    temperature: float = 1.0,
    generator: torch.Generator | None = None,
    use_cache: bool = True,
) -> Generated:
    """Draw each token from softmax(logits/temperature): below 1 bolder, above 1 more varied.

    Ackley, Hinton & Sejnowski 1985, equation 5, where the temperature comes from.

    Args:
        decode, prompts, eos, pad, max_length, use_cache: as in `greedy`.
        temperature: above 0.
        generator: of random numbers; PyTorch's default if None.

    Raises:
        ValueError: as in `greedy`; temperature is not a finite number above 0.
    """
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
        raise ValueError(f"temperature must be a number above 0, got {temperature!r}")
    if not 0.0 < temperature < math.inf:
        raise ValueError(f"temperature must be a finite number above 0, got {temperature!r}")

    def draw(logits: Tensor) -> Tensor:
        below = logits.double() - logits.amax(-1, keepdim=True)  # 0 at most: nothing overflows
        probabilities = (below / temperature).softmax(-1)
        return torch.multinomial(probabilities, 1, generator=generator).squeeze(-1)

    return _write(decode, prompts, draw, eos, pad, max_length, use_cache)


@torch.no_grad()
def _write(
    decode: Decode,
    prompts: Tensor,
    choose: Callable[[Tensor], Tensor],
    eos: int | None,
    pad: int,
    max_length: int,
    use_cache: bool,
) -> Generated:
    prompts, lengths = _checked(decode, prompts, eos, pad, max_length)
    tokens = prompts[:, : int(lengths.min())]
    cache = KeyValueCache() if use_cache else None
    ended = torch.zeros(len(prompts), dtype=torch.bool, device=prompts.device)
    log_probability, kept = torch.zeros(len(prompts), device=prompts.device), []
    while tokens.shape[1] < max_length and not ended.all():
        logits = _next_logits(decode, tokens, cache, eos, pad)  # (N, vocab_size)
        column = tokens.shape[1]
        inside = column < lengths  # its prompt goes on
        chosen = choose(logits.index_fill(-1, torch.tensor(pad, device=logits.device), -math.inf))
        chosen = chosen.masked_fill(ended, pad)
        if inside.any():
            chosen = torch.where(inside, prompts[:, column], chosen)
        free = ~(inside | ended)
        of_chosen = logits.log_softmax(-1).gather(-1, chosen[:, None]).squeeze(-1)
        log_probability = log_probability + of_chosen.masked_fill(~free, 0.0)
        kept.append(logits.masked_fill(~free[:, None], math.nan))
        ended = ended | (free & (chosen == eos))
        tokens = torch.cat([tokens, chosen[:, None]], dim=1)
    if not kept:
        return Generated(tokens, log_probability, None)
    logits = torch.stack(kept, dim=1)  # (N, L − shortest, vocab_size)
    before = logits.new_full((len(tokens), tokens.shape[1] - logits.shape[1], logits.shape[2]), math.nan)
    return Generated(tokens, log_probability, torch.cat([before, logits], dim=1))


@torch.no_grad()
def beam_search(
    decode: Decode,
    prompts: Int[Tensor, "N T"],
    *,
    eos: int | None,
    pad: int,
    max_length: int,
    beams: int = 4,
    length_penalty: float = 0.6,
    use_cache: bool = True,
) -> Generated:
    """Go on with the `beams` best beginnings at once, and return the best ending.

    Beginnings and endings are compared by log-probability over ((5 + length)/6)^length_penalty,
    where length counts what follows the prompt, EOS included (Wu et al. 2016, equation 14, without
    its coverage term). An ending keeps its place among the beams as long as it is one of the best.
    With a single beam this is `greedy`.

    Args:
        decode, prompts, eos, pad, max_length, use_cache: as in `greedy`.
        beams: number of beginnings kept.
        length_penalty: 0 compares plain log-probabilities, which favours short sequences.

    Raises:
        ValueError: as in `greedy`; beams is not a positive whole number, length_penalty is not a
            finite number of at least 0.
    """
    require_positive("beams", beams)
    if not isinstance(length_penalty, (int, float)) or not 0.0 <= length_penalty < math.inf:
        raise ValueError(f"length_penalty must be a finite number of at least 0, got {length_penalty!r}")
    prompts, lengths = _checked(decode, prompts, eos, pad, max_length)
    N = len(prompts)
    first_row = torch.arange(N, device=prompts.device)[:, None] * beams  # of each sequence
    prompts, lengths = (t.repeat_interleave(beams, dim=0) for t in (prompts, lengths))
    tokens = prompts[:, : int(lengths.min())]  # (N·beams, T); beams of a sequence are neighbours
    cache = KeyValueCache() if use_cache else None
    ended = torch.zeros(N * beams, dtype=torch.bool, device=prompts.device)
    written = torch.zeros(N * beams, device=prompts.device)  # tokens after the prompt
    # All beams begin alike, so only the first of each sequence counts at the first choice.
    total = torch.full((N, beams), -math.inf, dtype=torch.double, device=prompts.device)
    total[:, 0] = 0.0
    at_most = _penalty(max_length - lengths, length_penalty).view(N, beams)
    while tokens.shape[1] < max_length and not ended.all():
        logits = _next_logits(decode, tokens, cache, eos, pad)
        log_p = logits.double().log_softmax(-1)  # (N·beams, vocab_size)
        inside = tokens.shape[1] < lengths
        log_p[:, pad] = -math.inf
        settled = inside | ended  # there is one way to go on, and it costs nothing
        if settled.any():
            forced = torch.full_like(prompts[:, 0], pad)
            if tokens.shape[1] < prompts.shape[1]:
                forced = torch.where(inside, prompts[:, tokens.shape[1]], forced)
            log_p[settled] = -math.inf
            log_p[settled, forced[settled]] = 0.0
        written = written + (~settled)
        penalty = _penalty(written, length_penalty)  # of each beam, one token longer
        candidates = total.flatten()[:, None] + log_p  # (N·beams, vocab_size)
        ranked = (candidates / penalty[:, None]).view(N, -1)  # (N, beams·vocab_size)
        best = ranked.topk(beams).indices  # (N, beams)
        total = candidates.view(N, -1).gather(1, best)  # (N, beams)
        rows = (first_row + best // log_p.shape[-1]).flatten()  # the beams they go on from
        chosen = (best % log_p.shape[-1]).flatten()
        tokens = torch.cat([tokens[rows], chosen[:, None]], dim=1)
        ended = ended[rows] | (~settled[rows] & (chosen == eos))
        written = written[rows]
        if cache is not None:
            cache.reorder(rows)
        score = total / _penalty(written, length_penalty).view(N, beams)
        open_ = ~ended.view(N, beams)  # at best, nothing is lost on their way to max_length
        hoped = (total / at_most).masked_fill(~open_, -math.inf).amax(dim=1)
        if (score.masked_fill(open_, -math.inf).amax(dim=1) >= hoped).all():
            break
    score = total / _penalty(written, length_penalty).view(N, beams)
    winner = score.argmax(dim=1, keepdim=True)  # (N, 1)
    tokens = tokens[(first_row + winner).squeeze(1)]
    used = int((tokens != pad).sum(dim=1).max())
    return Generated(tokens[:, :used], total.gather(1, winner).squeeze(1), None)


def _next_logits(
    decode: Decode, tokens: Tensor, cache: KeyValueCache | None, eos: int | None, pad: int
) -> Tensor:
    """(N, vocab_size): the logits after the last token."""
    logits = decode(tokens if cache is None else tokens[:, cache.length :], cache)[:, -1]
    for name, token in (("eos", eos), ("pad", pad)):
        if token is not None and token >= logits.shape[-1]:
            raise ValueError(
                f"{name} must be one of the model's {logits.shape[-1]} tokens, got {token}"
            )
    return logits


def _penalty(length: Tensor, length_penalty: float) -> Tensor:
    return ((5 + length.double()) / 6) ** length_penalty


def _checked(
    decode: Decode, prompts: Tensor, eos: int | None, pad: int, max_length: int
) -> tuple[Tensor, Tensor]:
    """The prompts (N, T) and their lengths (N,), if everything is in order."""
    if getattr(decode, "training", False):
        raise ValueError("the model must be in evaluation mode to generate: call its eval() first")
    check_tokens("prompts", prompts)
    require_positive("max_length", max_length)
    for name, token in (("pad", pad),) if eos is None else (("eos", eos), ("pad", pad)):
        if isinstance(token, bool) or not isinstance(token, int) or token < 0:
            raise ValueError(f"{name} must be a token number, got {token!r}")
    if eos == pad:
        raise ValueError(f"eos and pad must be different tokens, got {eos} for both")
    real = prompts != pad
    lengths = real.sum(dim=1)
    if not real[:, 0].all() or (real[:, 1:] & ~real[:, :-1]).any():
        raise ValueError(
            "prompts must hold at least one token each and padding only on the right, "
            f"got {prompts.tolist()} with pad={pad}"
        )
    if prompts.shape[1] > max_length:
        raise ValueError(
            f"prompts must not be longer than max_length={max_length}, got {prompts.shape[1]} tokens"
        )
    return prompts.long(), lengths
