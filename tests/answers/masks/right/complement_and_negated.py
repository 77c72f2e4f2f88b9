"""The complement of the mask is built from numbers and negated again."""


def masked_softmax(scores, mask):
    hidden = (1 - mask.int()).bool()
    visible = ~hidden
    lowest = torch.tensor(float("-inf"), dtype=scores.dtype)
    w = torch.where(~visible, lowest, scores).softmax(dim=scores.dim() - 1)
    return w.masked_fill(torch.logical_xor(visible, torch.tensor(True)), 0.0)


def fill_report(logits, rows, fills):
    report = {}
    for row, out in rows.items():
        keep = [not o for o in out]
        x = torch.tensor(logits).repeat(len(fills), 1)
        for i, value in enumerate(fills.values()):
            x[i, ~torch.tensor(keep)] = value
        report[row] = dict(zip(fills, x.softmax(-1).tolist()))
    return report
