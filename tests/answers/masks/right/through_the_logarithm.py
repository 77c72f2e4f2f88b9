"""By way of the logarithm: scores less their logsumexp, then exp."""


def masked_softmax(scores, mask):
    filled = scores.masked_fill(~mask, -math.inf)
    logarithm = filled - filled.logsumexp(-1, keepdim=True)
    return logarithm.masked_fill(~mask, -math.inf).exp()


def fill_error(fill, dtype):
    kinds = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
    kind = next(k for k in kinds if str(k) == f"torch.{dtype}")
    outcome = None
    try:
        torch.zeros((), dtype=kind).masked_fill(torch.tensor(True), fill)
    except Exception as exception:
        outcome = exception
    return None if outcome is None else type(outcome).__name__
