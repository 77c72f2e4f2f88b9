"""A histogram that is closed again, and a figure of the table that is left open."""

import matplotlib.pyplot as plt


def average_peaks(d, n_draws, n_keys):
    Q = torch.randn(n_draws, 1, d)
    K = torch.randn(n_draws, n_keys, d)
    S = (Q @ K.mT).squeeze(1)
    P_raw = torch.softmax(S, dim=1).amax(dim=1)
    P_scaled = torch.softmax(S / math.sqrt(d), dim=1).amax(dim=1)
    return {"raw": float(P_raw.mean()), "scaled": float(P_scaled.mean())}


def peak_table(widths, n_draws, n_keys):
    table = {"d": [], "raw": [], "scaled": []}
    for d in widths:
        peaks = average_peaks(d, n_draws, n_keys)
        table["d"].append(d)
        for name in peaks:
            table[name].append(peaks[name])
    plt.figure()
    plt.plot(table["d"], table["raw"], "o-", label="raw")
    plt.plot(table["d"], table["scaled"], "s-", label="scaled")
    plt.legend()
    return table


def trends(table):
    fig, ax = plt.subplots()
    ax.plot(table["raw"])
    plt.close(fig)

    def trend(col):
        if max(col) <= min(col) * 1.25:
            return "flat"
        ups = sum(b > a for a, b in zip(col, col[1:]))
        downs = sum(b < a for a, b in zip(col, col[1:]))
        return {(len(col) - 1, 0): "rising", (0, len(col) - 1): "falling"}.get((ups, downs), "mixed")

    return {"raw": trend(table["raw"]), "scaled": trend(table["scaled"])}
