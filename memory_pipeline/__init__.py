"""Memory for teams that run LLM agents: atoms from dialog logs, bitemporal, governed, packed."""

__version__ = "0.1.0"
