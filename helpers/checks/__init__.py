"""Checkers that run on any model, from outside: causality, equivariance, weights that are weights."""

from helpers.checks.causality import CausalityReport, Leak, check_causality

__all__ = ["CausalityReport", "Leak", "check_causality"]
