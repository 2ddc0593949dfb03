"""Dates in Russian and English text, resolved against the moment of telling."""
