"""Chains with exactly one injected defect (MAMath-Bench, negative samples): one module a kind."""
