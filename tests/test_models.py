"""Whole models against PyTorch's with copied weights; their initialisation; what must not matter to them."""

import math

import pytest
import torch
import torch.nn.functional as F
from oracles import POSITIONS, Twins, assert_refused, assert_same, backward_both, spread
from torch import nn

from helpers import (
    ALiBi,
    EncoderDecoder,
    LanguageModel,
    MultiHeadAttention,
    RelativePositions,
    RotaryPositions,
    SinusoidalPositions,
    TokenEmbedding,
    TransformerEncoder,
    causal_mask,
    initialise,
    padding_mask,
    sinusoidal_positions,
)
from helpers.checks import check_causality

N, S, T, h, LAYERS, d_ff, d_model, SOURCES, TARGETS = 2, 5, 4, 3, 2, 7, 18, 11, 13
SIZES = dict(d_model=d_model, n_heads=h, n_layers=LAYERS, d_ff=d_ff, max_seq_len=9, dropout=0.0)
SOURCE = torch.tensor([[3, 4, 5, 6, 7], [3, 4, 9, 0, 0]])
TARGET = torch.tensor([[1, 4, 8, 12], [1, 4, 5, 0]])
FORMS = pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])


def theirs(layer, stack, norm_first):
    """PyTorch's encoder or decoder of the same sizes, in double precision."""
    one = layer(d_model, h, d_ff, dropout=0.0, activation="gelu", batch_first=True, norm_first=norm_first)
    options = {"enable_nested_tensor": False} if stack is nn.TransformerEncoder else {}
    return spread(stack(one, LAYERS, norm=nn.LayerNorm(d_model) if norm_first else None, **options)).double()


def their_encoder(norm_first):
    return theirs(nn.TransformerEncoderLayer, nn.TransformerEncoder, norm_first)


def their_decoder(norm_first):
    return theirs(nn.TransformerDecoderLayer, nn.TransformerDecoder, norm_first)


def pair_stack(pairs, name, ours, their):
    """Our blocks and final norm, and PyTorch's stack."""
    for i, (block, layer) in enumerate(zip(ours.blocks, their.layers, strict=True)):
        pairs.block(f"{name}.{i}", block, layer)
    if their.norm is not None:
        pairs.linear(f"{name}.norm", ours.norm, their.norm)


def embedded(tokens, table):
    """One-hot vectors times the table times √d_model, plus sinusoids."""
    onehot = F.one_hot(tokens, len(table)).double()
    return onehot @ table * math.sqrt(d_model) + sinusoidal_positions(tokens.shape[1], d_model).double()


def copy_of(embedding):
    return embedding.tokens.weight.detach().clone().requires_grad_()


def dropout_rates(model):
    return {module.p for module in model.modules() if isinstance(module, nn.Dropout)}


# --- against PyTorch's stacks --------------------------------------------------------------------


@FORMS
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
def test_an_encoder_equals_pytorchs(norm_first, bias):
    """From tokens to states, outputs and every gradient, with causal and padding mask."""
    ours = TransformerEncoder(SOURCES, norm_first=norm_first, bias=bias, **SIZES).double()
    their, pairs = their_encoder(norm_first), Twins()
    pair_stack(pairs, "encoder", ours, their)
    table = copy_of(ours.embedding)
    mask = padding_mask(SOURCE, 0) & causal_mask(S)
    output = ours(SOURCE, mask)
    expected = their(embedded(SOURCE, table), mask=~causal_mask(S), src_key_padding_mask=SOURCE == 0)
    assert_same(output, expected, 1e-11, "output")
    backward_both(output, expected)
    assert_same(ours.embedding.tokens.weight.grad, table.grad, 1e-10, "gradient of the embedding")
    pairs.assert_same_gradients(ours, 1e-10, besides=["embedding.tokens.weight"])


@FORMS
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
def test_an_encoder_decoder_equals_pytorchs(norm_first, bias):
    """From two batches of padded tokens to logits, outputs and every gradient."""
    ours = EncoderDecoder(SOURCES, TARGETS, norm_first=norm_first, bias=bias, **SIZES).double()
    encoder, decoder, pairs = their_encoder(norm_first), their_decoder(norm_first), Twins()
    their = nn.Transformer(
        d_model, h, custom_encoder=encoder, custom_decoder=decoder, batch_first=True
    ).double()
    with torch.no_grad():  # nn.Transformer draws every matrix anew
        spread(encoder), spread(decoder)
    pair_stack(pairs, "encoder", ours.encoder, encoder)
    pair_stack(pairs, "decoder", ours, decoder)
    tables = copy_of(ours.encoder.embedding), copy_of(ours.embedding)
    last = ours.output.weight.detach().clone().requires_grad_()
    output = ours(SOURCE, TARGET)
    states = their(
        embedded(SOURCE, tables[0]),
        embedded(TARGET, tables[1]),
        tgt_mask=~causal_mask(T),
        src_key_padding_mask=SOURCE == 0,
        tgt_key_padding_mask=TARGET == 0,
        memory_key_padding_mask=SOURCE == 0,
    )
    expected = states @ last.T
    assert_same(output, expected, 1e-11, "logits")
    backward_both(output, expected)
    ends = {
        "encoder.embedding.tokens.weight": (ours.encoder.embedding.tokens.weight, tables[0]),
        "embedding.tokens.weight": (ours.embedding.tokens.weight, tables[1]),
        "output.weight": (ours.output.weight, last),
    }
    for name, (our, expected) in ends.items():
        assert_same(our.grad, expected.grad, 1e-10, f"gradient of {name}")
    pairs.assert_same_gradients(ours, 1e-10, besides=ends)


def test_a_language_model_is_an_encoder_with_a_causal_mask_and_a_last_projection():
    model = spread(LanguageModel(TARGETS, **SIZES)).double()
    expected = model.stack(TARGET, causal_mask(T)) @ model.output.weight.T
    assert_same(model(TARGET), expected, 1e-12, "logits")


def test_sizes_of_the_second_article_make_13448704_parameters():
    model = TransformerEncoder(32_000, 256, 4, 4, 2048)
    assert sum(parameter.numel() for parameter in model.parameters()) == 13_448_704
    assert model(torch.ones(2, 64, dtype=torch.long)).shape == (2, 64, 256)


def test_post_norm_ends_in_its_last_norm_and_needs_no_further_one():
    counts = [
        sum(isinstance(module, nn.LayerNorm) for module in model.modules())
        for model in (
            TransformerEncoder(SOURCES, **SIZES),
            TransformerEncoder(SOURCES, norm_first=False, **SIZES),
            EncoderDecoder(SOURCES, TARGETS, **SIZES),
            EncoderDecoder(SOURCES, TARGETS, norm_first=False, **SIZES),
        )
    ]
    assert counts == [2 * LAYERS + 1, 2 * LAYERS, 5 * LAYERS + 2, 5 * LAYERS]


def test_every_option_reaches_encoder_and_decoder():
    model = EncoderDecoder(SOURCES, TARGETS, n_kv_heads=1, positions="rotary", **SIZES | {"dropout": 0.25})
    for block in [*model.encoder.blocks, *model.blocks]:
        assert block.attention.n_kv_heads == 1
        assert block.attention.positions.d_k == d_model // h
    assert dropout_rates(model) == {0.25}


INSIDE = {
    "rotary": (RotaryPositions, {"d_k": d_model // h, "base": 10000.0}),
    "relative": (RelativePositions, {"d_k": d_model // h, "clip": 16}),
    "alibi": (ALiBi, {"n_heads": h}),
}


@pytest.mark.parametrize("name", INSIDE)
def test_each_layer_has_positions_of_its_own_inside_its_attention(name):
    kind, made_for = INSIDE[name]
    model = EncoderDecoder(SOURCES, TARGETS, positions=name, **SIZES)
    made = [block.attention.positions for block in [*model.encoder.blocks, *model.blocks]]
    assert len(set(made)) == 2 * LAYERS, "two layers share one"
    for positions in made:
        assert type(positions) is kind
        assert {size: getattr(positions, size) for size in made_for} == made_for


ATTENTION, FEED_FORWARD, NORM = 4 * 512**2, 2 * 512 * 2048 + 2048 + 512, 2 * 512
ENCODER = 11 * 512 + 6 * (ATTENTION + FEED_FORWARD + 2 * NORM) + NORM
DECODER = 2 * 13 * 512 + 6 * (2 * ATTENTION + FEED_FORWARD + 3 * NORM) + NORM
BASE = {
    "encoder": (lambda: TransformerEncoder(11), ENCODER),
    "language model": (lambda: LanguageModel(11), ENCODER + 11 * 512),
    "encoder–decoder": (lambda: EncoderDecoder(11, 13), ENCODER + DECODER),
}


@pytest.mark.parametrize("name", BASE)
def test_the_default_sizes_are_those_of_the_originals_base_model(name):
    """Table 3: 6 layers, 8 heads, widths 512 and 2048, dropout 0.1. Besides, room for 512 tokens."""
    build, parameters = BASE[name]
    with torch.device("meta"):
        model = build()
    assert sum(parameter.numel() for parameter in model.parameters()) == parameters
    assert dropout_rates(model) == {0.1}
    heads = {module.n_heads for module in model.modules() if isinstance(module, MultiHeadAttention)}
    embeddings = [module for module in model.modules() if isinstance(module, TokenEmbedding)]
    rooms = {(module.max_seq_len, type(module.positions)) for module in embeddings}
    assert (heads, rooms) == ({8}, {(512, SinusoidalPositions)})


# --- embeddings and initialisation ---------------------------------------------------------------


@pytest.mark.parametrize("positions", POSITIONS)
def test_embeddings_are_scaled_by_the_root_of_the_width_and_positions_added(positions):
    module = TokenEmbedding(SOURCES, d_model, 9, 0.0, positions).double()
    expected = torch.stack([module.tokens.weight[row] for row in SOURCE]) * d_model**0.5
    if positions == "sinusoidal":
        expected = expected + sinusoidal_positions(9, d_model)[2 : 2 + S].double()
    if positions == "learned":
        expected = expected + module.positions.table[2 : 2 + S]
    assert_same(module(SOURCE, 2), expected, 1e-12, f"{positions} from position 2")


def test_dropout_falls_on_the_sum_of_embeddings_and_positions():
    """Section 5.4 of the original: whole sums are dropped to 0 or scaled up."""
    module = TokenEmbedding(SOURCES, d_model, 9, 0.5, "sinusoidal")
    whole = module.eval()(SOURCE)
    torch.manual_seed(0)
    dropped = module.train()(SOURCE)
    kept = dropped != 0
    assert 0.3 < kept.float().mean() < 0.7, "about a half is kept"
    assert_same(dropped[kept], 2 * whole[kept], 1e-6, "what is kept")


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.int32, torch.int64])
def test_tokens_may_be_whole_numbers_of_any_kind(dtype):
    model = EncoderDecoder(SOURCES, TARGETS, **SIZES)
    assert torch.equal(model(SOURCE.to(dtype), TARGET.to(dtype)), model(SOURCE, TARGET))


BUILT = {
    "encoder": lambda: TransformerEncoder(900, 64, 4, 2, 48, bias=True),
    "language model": lambda: LanguageModel(900, 64, 4, 2, 48, bias=True),
    "encoder–decoder": lambda: EncoderDecoder(900, 800, 64, 4, 2, 48, bias=True, n_kv_heads=2),
}


@pytest.mark.parametrize("name", BUILT)
def test_models_begin_with_small_embeddings_xavier_weights_and_no_biases(name):
    """Embeddings N(0, 1/d_model); weights uniform within ±√(6/(fan in + fan out)); biases 0."""
    torch.manual_seed(0)
    model = BUILT[name]()
    seen = set()
    for part, module in model.named_modules():
        if isinstance(module, nn.Embedding):
            std, mean = module.weight.std().item(), module.weight.mean().item()
            assert std == pytest.approx(64**-0.5, rel=0.02), f"{part}: standard deviation {std}"
            assert abs(mean) < 0.002, f"{part}: mean {mean}"
            assert module.weight.abs().max() > 3 / 8, f"{part}: normal numbers reach beyond 3 deviations"
        elif isinstance(module, nn.Linear):
            bound = math.sqrt(6 / sum(module.weight.shape))
            largest, std = module.weight.abs().max().item(), module.weight.std().item()
            assert 0.99 * bound < largest <= bound, f"{part}: largest {largest}, bound {bound}"
            assert std == pytest.approx(bound / math.sqrt(3), rel=0.05), f"{part}: not uniform, {std}"
            assert module.bias is None or not module.bias.any(), f"{part}: bias {module.bias}"
        seen.add(type(module))
    assert {nn.Embedding, nn.Linear} <= seen


def test_initialising_leaves_norms_alone():
    norm = nn.LayerNorm(4)
    with torch.no_grad():
        norm.weight.fill_(2.0)
    initialise(norm)
    assert norm.weight.tolist() == [2.0] * 4


# --- what must not matter: the future, and padding -----------------------------------------------


@pytest.mark.parametrize("positions", POSITIONS)
def test_a_language_model_does_not_see_the_future(positions):
    model = spread(LanguageModel(TARGETS, positions=positions, **SIZES | {"dropout": 0.2}))
    report = check_causality(model, torch.tensor([[1, 4, 8, 12, 3], [2, 4, 5, 7, 9]]))
    assert report.is_causal, str(report)


@pytest.mark.parametrize("way", ["forward", "decode"])
def test_a_decoder_does_not_see_the_future(way):
    model = spread(EncoderDecoder(SOURCES, TARGETS, **SIZES | {"dropout": 0.2}))

    def decode(target):
        return model(SOURCE, target) if way == "forward" else model.given(SOURCE)(target)

    report = check_causality(decode, torch.tensor([[1, 4, 8, 12], [2, 4, 5, 7]]), module=model)
    assert report.is_causal, str(report)


def test_an_encoder_sees_both_ways():
    model = spread(TransformerEncoder(SOURCES, **SIZES))
    report = check_causality(model, torch.tensor([[3, 4, 5, 6], [7, 8, 9, 2]]))
    assert len({(leak.query, leak.key) for leak in report.leaks}) == 6, str(report)


VALID = TARGET != 0


@pytest.mark.parametrize("positions", POSITIONS)
def test_what_stands_in_the_padding_does_not_matter(positions):
    """Other embeddings for the padding token: no valid output moves."""
    model = spread(EncoderDecoder(SOURCES, TARGETS, positions=positions, **SIZES)).double()
    before = model(SOURCE, TARGET)[VALID]
    with torch.no_grad():
        for embedding in (model.encoder.embedding, model.embedding):
            embedding.tokens.weight[0] += 100.0
    assert_same(model(SOURCE, TARGET)[VALID], before, 1e-12, "valid logits")


@pytest.mark.parametrize("positions", POSITIONS)
def test_how_much_padding_there_is_does_not_matter(positions):
    model = spread(EncoderDecoder(SOURCES, TARGETS, positions=positions, **SIZES)).double()
    padded = model(F.pad(SOURCE, (0, 3)), F.pad(TARGET, (0, 2)))
    assert_same(padded[:, :T][VALID], model(SOURCE, TARGET)[VALID], 1e-12, "valid logits")
    alone = model(SOURCE[1:, :3], TARGET[1:, :3])
    assert_same(padded[1:, :3], alone, 1e-12, "logits of the shorter pair by itself")


def test_padding_may_be_any_token():
    model = spread(EncoderDecoder(SOURCES, TARGETS, pad=10, **SIZES)).double()
    source, target = (tokens.masked_fill(tokens == 0, 10) for tokens in (SOURCE, TARGET))
    alone = model(source[1:, :3], target[1:, :3])
    assert_same(model(source, target)[1:, :3], alone, 1e-12, "logits of the shorter pair by itself")


def test_decoding_from_the_memory_gives_the_logits_of_one_call():
    model = spread(EncoderDecoder(SOURCES, TARGETS, **SIZES)).double()
    expected = model(SOURCE, TARGET)[VALID]
    memory = model.encode(SOURCE)
    assert memory.shape == (N, S, d_model)
    decoded = model.decode(TARGET, memory, padding_mask(SOURCE, 0))
    assert_same(decoded[VALID], expected, 1e-12, "decode")
    assert_same(model.given(SOURCE)(TARGET)[VALID], expected, 1e-12, "given")


def test_several_rows_may_share_a_source():
    """Two continuations of each source, side by side, as beam search has them."""
    model = spread(EncoderDecoder(SOURCES, TARGETS, **SIZES)).double()
    target = torch.tensor([[1, 4, 8, 12], [1, 4, 5, 3], [1, 6, 6, 7], [1, 9, 2, 5]])
    expected = model(SOURCE[[0, 0, 1, 1]], target)
    assert_same(model.given(SOURCE)(target), expected, 1e-12, "logits")
    assert model.given(SOURCE).training and not model.eval().given(SOURCE).training


# --- dtypes and devices --------------------------------------------------------------------------


@pytest.mark.parametrize("positions", POSITIONS)
def test_models_work_in_half_precision(positions):
    model = spread(EncoderDecoder(SOURCES, TARGETS, positions=positions, **SIZES))
    exact = model(SOURCE, TARGET)
    output = model.bfloat16()(SOURCE, TARGET)
    assert output.dtype == torch.bfloat16
    assert_same(output.float(), exact, 0.2, "bfloat16 logits")


@pytest.mark.parametrize("positions", POSITIONS)
def test_what_a_model_makes_on_its_way_lies_where_its_tokens_lie(positions):
    """Elsewhere is the default device here, which holds no numbers: whatever lands there fails."""
    model = EncoderDecoder(SOURCES, TARGETS, positions=positions, **SIZES)
    language_model = LanguageModel(TARGETS, positions=positions, **SIZES)
    expected = model(SOURCE, TARGET), model.given(SOURCE)(TARGET), language_model(TARGET)
    with torch.device("meta"):
        outputs = model(SOURCE, TARGET), model.given(SOURCE)(TARGET), language_model(TARGET)
    assert all(torch.equal(*pair) for pair in zip(outputs, expected))


# --- one synthetic step, and a language model that learns ----------------------------------------


@FORMS
@pytest.mark.parametrize("positions", POSITIONS)
def test_one_step_on_two_pairs_reaches_every_parameter_and_lowers_the_loss(positions, norm_first):
    """PAD 0, BOS 1, EOS 2; the target in is shifted right, and EOS is supervised."""
    torch.manual_seed(0)
    sizes = dict(d_model=8, n_heads=2, n_layers=2, d_ff=16, dropout=0.0)
    model = EncoderDecoder(6, 6, positions=positions, norm_first=norm_first, **sizes)
    source = torch.tensor([[3, 4, 5], [4, 5, 0]])
    target_in, target_out = torch.tensor([[1, 4, 3], [1, 5, 2]]), torch.tensor([[4, 3, 2], [5, 2, 0]])
    logits = model(source, target_in)
    assert (model.encode(source).shape, logits.shape) == ((2, 3, 8), (2, 3, 6))

    def loss():
        return F.cross_entropy(model(source, target_in).flatten(0, 1), target_out.flatten(), ignore_index=0)

    before = loss()
    by_hand = [-logits[n, t].log_softmax(-1)[token] for n, t, token in
               [(0, 0, 4), (0, 1, 3), (0, 2, 2), (1, 0, 5), (1, 1, 2)]]
    assert_same(before, torch.stack(by_hand).mean(), 1e-5, "loss over the 5 supervised tokens")
    before.backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.isfinite().all(), f"{name}: {parameter.grad}"
        assert parameter.grad.any(), f"{name}: its gradient is 0 throughout"
    torch.optim.SGD(model.parameters(), lr=0.05).step()
    assert loss() < before, f"loss {loss().item()} after a step, {before.item()} before"


def test_a_language_model_learns_what_follows_what():
    """Counting on around a circle of 7, from any place."""
    torch.manual_seed(0)
    model = LanguageModel(7, 16, 2, 1, 32, max_seq_len=8, dropout=0.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    tokens = (torch.arange(7)[:, None] + torch.arange(8)) % 7
    for _ in range(30):
        loss = F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert torch.equal(model(tokens[:, :-1]).argmax(-1), tokens[:, 1:]), f"loss {loss.item()}"


# --- refusals: each a ValueError that names the value it got ------------------------------------


def encode(tokens, **options):
    return TransformerEncoder(SOURCES, **SIZES | options)(tokens)


def decode(source=SOURCE, target=TARGET, **options):
    return EncoderDecoder(SOURCES, TARGETS, **SIZES | options)(source, target)


BAD_TOKENS = {
    "negative": (TARGET - 2, "got -2"),
    "too large": (TARGET + 1, "from 0 to 12, got 13"),
    "not whole": (TARGET.float(), "torch.float32"),
    "complex": (TARGET.to(torch.complex64), "torch.complex64"),
    "truth values": (TARGET.bool(), "torch.bool"),
    "without positions": (TARGET[:, :0], "(2, 0)"),
    "without sequences": (TARGET[:0], "(0, 4)"),
    "of rank 1": (TARGET[0], "(4,)"),
    "of rank 0": (TARGET[0, 0], "()"),
    "of rank 3": (TARGET[None], "(1, 2, 4)"),
    "too many": (torch.ones(N, 10, dtype=torch.long), "max_seq_len=9, got 10"),
    "no tensor": ([[1, 2]], "list"),
}
TAKING_TOKENS = {
    "encoder": lambda tokens: TransformerEncoder(TARGETS, **SIZES)(tokens),
    "language model": lambda tokens: LanguageModel(TARGETS, **SIZES)(tokens),
    "sources": lambda tokens: EncoderDecoder(TARGETS, SOURCES, **SIZES)(tokens, TARGET % SOURCES),
    "targets": lambda tokens: decode(target=tokens),
    "memory": lambda tokens: EncoderDecoder(TARGETS, SOURCES, **SIZES).encode(tokens),
    "decoding": lambda tokens: EncoderDecoder(SOURCES, TARGETS, **SIZES).decode(
        tokens, torch.zeros(N, S, d_model)
    ),
}


@pytest.mark.parametrize("where", TAKING_TOKENS)
@pytest.mark.parametrize("name", BAD_TOKENS)
def test_bad_tokens_are_refused_and_named_wherever_they_enter(name, where):
    tokens, named = BAD_TOKENS[name]
    assert_refused(lambda: TAKING_TOKENS[where](tokens), named)


REFUSED = {
    "positions without a name we know": (lambda: encode(SOURCE, positions="rope"), "got 'rope'"),
    "positions that are no name": (lambda: encode(SOURCE, positions=None), "got None"),
    "no layers": (lambda: encode(SOURCE, n_layers=0), "n_layers must be a whole number of at least 1, got 0"),
    "no room": (lambda: encode(SOURCE, max_seq_len=0), "max_seq_len"),
    "no vocabulary": (lambda: LanguageModel(0), "vocab_size"),
    "dropout of one": (lambda: decode(dropout=1.0), "got 1.0"),
    "dropout of one after the embedding": (lambda: TokenEmbedding(8, 4, 9, 1.0, "none"), "got 1.0"),
    "width not divisible by heads": (lambda: encode(SOURCE, n_heads=4), "d_model=18, n_heads=4"),
    "the same with rotary positions": (
        lambda: encode(SOURCE, d_model=10, positions="rotary"),
        "d_model=10, n_heads=3",
    ),
    "heads of odd width with rotary positions": (
        lambda: encode(SOURCE, n_heads=6, positions="rotary"),
        "d_k must be even, two coordinates for each wave, got 3",
    ),
    "odd width with sinusoids": (lambda: encode(SOURCE, d_model=15), "got 15"),
    "no middle": (lambda: decode(d_ff=0), "d_ff"),
    "more targets than sources": (lambda: decode(source=SOURCE[:1]), "(2, 4, 18)"),
    "a source that is padding": (lambda: decode(source=SOURCE * 0), "rows [0, 1]"),
    "a bare padding mask": (
        lambda: TransformerEncoder(SOURCES, **SIZES)(SOURCE, SOURCE != 0),
        "(2, 5)",
    ),
    "a pad that is no token": (lambda: EncoderDecoder(9, 5, **SIZES, pad=5), "got 5"),
    "a pad that is a truth value": (lambda: EncoderDecoder(9, 5, **SIZES, pad=True), "got True"),
    "a pad that is no number": (lambda: EncoderDecoder(9, 5, **SIZES, pad="-"), "got '-'"),
    "rows that do not share out": (
        lambda: EncoderDecoder(SOURCES, TARGETS, **SIZES).given(SOURCE)(TARGET[[0, 0, 1]]),
        "for 2 sources",
    ),
    "fewer rows than sources": (
        lambda: EncoderDecoder(SOURCES, TARGETS, **SIZES).given(SOURCE)(TARGET[:1]),
        "for 2 sources",
    ),
    "no rows for the sources": (
        lambda: EncoderDecoder(SOURCES, TARGETS, **SIZES).given(SOURCE)(TARGET[:0]),
        "tokens must not be empty, got shape (0, 4)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])
