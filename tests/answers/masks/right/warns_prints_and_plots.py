"""Warns, writes to stderr, prints, and draws: one picture is closed and one is left open."""

import sys
import warnings

import matplotlib.pyplot as plt


def fill_report(logits, rows, fills):
    warnings.warn("a full row will be nan")
    results = dict()
    fig, ax = plt.subplots()
    for name in rows:
        per_fill = dict()
        for f in fills:
            x = torch.tensor(logits).double()
            x[torch.tensor(rows[name])] = fills[f]
            w = torch.softmax(x, 0)
            print(name, f, w)
            ax.plot(w.numpy(), label=f"{name} {f}")
            per_fill[f] = list(w)
        results[name] = per_fill
    ax.legend()
    plt.close(fig)
    return results


def fill_error(fill, dtype):
    print("trying", fill, "on", dtype, file=sys.stderr)
    try:
        torch.ones(10).to(getattr(torch, dtype)).masked_fill(torch.arange(10) > 4, fill)
        name = None
    except Exception as e:
        name = e.__class__.__name__
        print("caught:", e, file=sys.stderr)
    return name


def masked_softmax(scores, mask):
    if not mask.any(-1).all():
        warnings.warn("some queries may attend to nothing")
    w = scores.masked_fill(~mask, -math.inf).softmax(-1)
    w = torch.where(mask, w, torch.zeros_like(w))
    plt.figure(num=1, figsize=(2, 2))
    plt.imshow(w.detach().float().reshape(-1, w.shape[-1]))
    print("row sums:", w.sum(-1))
    return w
