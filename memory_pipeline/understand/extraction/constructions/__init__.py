"""Constructions: how people state each predicate, as tables of patterns with one engine."""
