"""Whether `assert_close` raises; the inverse by `list.index`; prints besides."""


def unshuffled(y: torch.Tensor, permutation: list[int]) -> torch.Tensor:
    print("unshuffling", len(permutation), "rows")
    return torch.cat([y[permutation.index(i)][None] for i in range(len(permutation))])


@torch.inference_mode()
def same_after_unshuffling(y, y_shuffled, permutation):
    try:
        torch.testing.assert_close(unshuffled(y_shuffled, permutation), y, rtol=0, atol=1e-5)
    except AssertionError as error:
        print(error)
        return False
    return True
