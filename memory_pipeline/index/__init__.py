"""Derived indexes: vectors, full text, graph. Each is rebuilt from PostgreSQL."""
