"""Every draw at once, einsum, the division shared between query and key; a table of tensors."""


def average_peaks(d: int, n_draws: int, n_keys: int) -> dict:
    keys = torch.randn(n_draws, n_keys, d)
    queries = torch.randn(n_draws, d)
    raw = torch.einsum("nd,nkd->nk", queries, keys)
    scaled = torch.einsum("nd,nkd->nk", queries / d**0.25, keys / d**0.25)
    return {name: s.softmax(-1).amax(-1).mean().item() for name, s in [("raw", raw), ("scaled", scaled)]}


def peak_table(widths, n_draws, n_keys):
    table = {"d": torch.tensor(widths), "raw": torch.empty(len(widths)), "scaled": torch.empty(len(widths))}
    for i, d in enumerate(widths):
        peaks = average_peaks(d, n_draws, n_keys)
        table["raw"][i] = peaks["raw"]
        table["scaled"][i] = peaks["scaled"]
    return table
