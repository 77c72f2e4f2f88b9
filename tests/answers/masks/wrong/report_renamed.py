"""The function has another name.

Loses: test-partial-rows, test-full-rows
Diagnosis: the function has another name, or the cell that defines it has not run to its end
"""

# %% fill-report
def fill_reports(logits, rows, fills):
    scores = torch.tensor(logits)
    return {
        row: {fill: scores.masked_fill(torch.tensor(m), v).softmax(-1).tolist() for fill, v in fills.items()}
        for row, m in rows.items()
    }
# %% show-fill-report
print(fill_reports([0.0, 0.0], {"a": [False, True]}, {"b": -1e4}))
