"""Access, Vault, lineage, erasure."""
