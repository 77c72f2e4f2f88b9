"""Other cells changed as well: the ones that show results, one of them broken."""

# %% unshuffled
inverse = lambda permutation: sorted(range(len(permutation)), key=permutation.__getitem__)


def unshuffled(y, permutation):
    return y[inverse(permutation)]

# %% moved-along
moved_along = lambda mask, permutation: mask[permutation].T[permutation].T

# %% show-self-attention
torch.manual_seed(42)
x = torch.randn(3, 4)
w = torch.eye(4)
print(self_attention(x, w, w, w).round(decimals=2))
T, d, mask, permutation = 3, 4, None, [2, 0, 1]

# %% show-shuffling
# my own test
y = torch.arange(6.0).reshape(3, 2)
assert (unshuffled(y[permutation], permutation) == y).all()
print("ok")

# %% show-causal
show_causal = "not now"
1 / 0
