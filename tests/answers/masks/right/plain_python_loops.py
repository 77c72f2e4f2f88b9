"""Nothing but loops and `math` for the report; key by key in PyTorch for the rest."""


def fill_report(logits, rows, fills):
    report = {}
    for row in rows:
        report[row] = {}
        for fill in fills:
            filled = []
            for i in range(len(logits)):
                if rows[row][i]:
                    filled.append(fills[fill])
                else:
                    filled.append(logits[i])
            biggest = max(filled)
            if biggest == float("-inf"):
                weights = [float("nan") for _ in filled]
            else:
                total = 0.0
                for x in filled:
                    total += math.exp(x - biggest)
                weights = [math.exp(x - biggest) / total for x in filled]
            report[row][fill] = weights
    return report


def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    biggest = torch.full(scores.shape[:-1], -math.inf, dtype=scores.dtype)
    for j in range(scores.shape[-1]):
        s = scores[..., j].detach()
        biggest = torch.where(mask[..., j] & (s > biggest), s, biggest)
    terms = []
    for j in range(scores.shape[-1]):
        difference = torch.where(mask[..., j], scores[..., j] - biggest, torch.zeros_like(biggest))
        terms.append(torch.where(mask[..., j], difference.exp(), torch.zeros_like(biggest)))
    total = 0
    for t in terms:
        total = total + t
    total = torch.where(total == 0, torch.ones_like(total), total)
    return torch.stack([t / total for t in terms], dim=-1)
