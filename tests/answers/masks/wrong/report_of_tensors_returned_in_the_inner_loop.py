"""The return stands inside the inner loop; the weights are tensors.

Loses: test-partial-rows, test-full-rows
Diagnosis: `return` stands inside a loop
"""


def fill_report(logits, rows, fills):
    result = {}
    for name in rows:
        result[name] = {}
        for label in fills:
            s = torch.tensor(logits)
            s[torch.tensor(rows[name])] = fills[label]
            result[name][label] = s.softmax(dim=0)
            return result
