"""Secrets and personal values in texts: found, masked, and put back."""
