"""Right, by a student who also rewrote the cells that show results, and a text, and put answers into other cells."""

# %% part-1
## 1 · my notes
masked out = True, so the fill goes where it is True. NaN stays NaN.
# %% fill-report
def one_row(logits, hidden, fill):
    s = torch.FloatTensor(logits)
    return torch.nn.Softmax(dim=0)(s.masked_fill(torch.BoolTensor(hidden), fill)).numpy().tolist()


def fill_report(logits, rows, fills):
    return {r: {f: one_row(logits, rows[r], fills[f]) for f in fills} for r in rows}
# %% show-fill-report
N = 4
print(fill_report([0.0] * N, {"nothing hidden": [False] * N}, {"zero": 0.0}))
# %% show-fill-error
torch.manual_seed(123)
# %% masked-softmax
import numpy as np


def helper(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, 1).bool()


def masked_softmax(scores, mask):
    blocked = helper(mask)
    return scores.masked_fill(blocked, -np.inf).softmax(-1).masked_fill(blocked, 0)
# %% show-masked-softmax
x = torch.randn(2, 2, requires_grad=True)
print(masked_softmax(x, torch.eye(2) > 0))
