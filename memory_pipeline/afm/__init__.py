"""Adaptive Focus Memory: score, pack under a token budget, render, snapshot."""
