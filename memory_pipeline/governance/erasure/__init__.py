"""Erasure that can be proved: requests, plans, fences, execution, proof."""
