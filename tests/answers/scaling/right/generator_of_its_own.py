"""A generator set up once, outside; keys drawn before the query, in double precision; the division in the query."""

gen = torch.Generator().manual_seed(2024)


def normal(*size):
    return torch.empty(*size, dtype=torch.float64).normal_(generator=gen)


def average_peaks(d, n_draws, n_keys):
    total = torch.zeros(2, dtype=torch.float64)
    for _ in range(n_draws):
        keys = normal(d, n_keys)
        query = normal(d)
        both = torch.stack([query, query / d**0.5])
        total += (both @ keys).softmax(dim=-1).amax(dim=-1)
    raw, scaled = total / n_draws
    return {"scaled": scaled, "raw": raw}


def trends(table):
    def is_sorted(c):
        return c == sorted(set(c))

    words = {}
    for name in "raw", "scaled":
        c = list(table[name])
        if max(c) <= 5 / 4 * min(c):
            words[name] = "flat"
        elif is_sorted(c):
            words[name] = "rising"
        elif is_sorted(c[::-1]):
            words[name] = "falling"
        else:
            words[name] = "mixed"
    return words
