"""A list of all the weights, without names.

Loses: test-partial-rows, test-full-rows
Diagnosis: a list without names is returned instead of a dict of dicts
"""


def fill_report(logits, rows, fills):
    all_weights = []
    for hidden in rows.values():
        for fill in fills.values():
            all_weights.append(torch.softmax(torch.tensor(logits).masked_fill(torch.tensor(hidden), fill), -1).tolist())
    return all_weights
