"""`where`, and softmax written out."""


def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    peak = torch.where(mask, scores, torch.full_like(scores, -math.inf)).amax(-1, keepdim=True)
    peak = torch.where(peak.isinf(), torch.zeros_like(peak), peak).detach()
    e = torch.where(mask, (torch.where(mask, scores, peak) - peak).exp(), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))


def fill_report(logits, rows, fills):
    def weights(hidden, fill):
        filled = torch.where(torch.tensor(hidden), fill, torch.tensor(logits))
        e = torch.exp(filled - filled.max())
        return [float(w) for w in e / e.sum()]

    return {r: {f: weights(hidden, fill) for f, fill in fills.items()} for r, hidden in rows.items()}
