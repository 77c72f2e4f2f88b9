"""Checkers to call on any model, from outside: is it causal, equivariant, are its weights weights?"""

from helpers.checks.causality import CausalityReport, Leak, check_causality
from helpers.checks.equivariance import EquivarianceReport, check_equivariance
from helpers.checks.weights import WeightsReport, check_weights

__all__ = [
    "CausalityReport",
    "EquivarianceReport",
    "Leak",
    "WeightsReport",
    "check_causality",
    "check_equivariance",
    "check_weights",
]
