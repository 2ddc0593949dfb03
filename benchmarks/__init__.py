"""Measurements as ratios inside one run; figures, not tests."""
