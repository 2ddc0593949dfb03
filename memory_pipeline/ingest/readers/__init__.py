"""Readers of log formats, one module a format, behind the interface in `base`."""
