"""NaN replaced by 0 in the report.

Loses: test-full-rows
Diagnosis: NaN is repaired in the report
"""


def fill_report(logits, rows, fills):
    s = torch.tensor(logits)
    return {
        r: {f: s.masked_fill(torch.tensor(m), v).softmax(-1).nan_to_num(0.0).tolist() for f, v in fills.items()}
        for r, m in rows.items()
    }
