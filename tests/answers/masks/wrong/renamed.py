"""The function has another name.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the function has another name, or the cell that defines it has not run to its end
"""

# %% masked-softmax
def my_masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)
# %% show-masked-softmax
print(my_masked_softmax(torch.zeros(3), torch.tensor([True, True, False])))
