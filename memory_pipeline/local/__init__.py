"""The embedded services of a home: PostgreSQL, a Bolt graph server, OpenBao."""
