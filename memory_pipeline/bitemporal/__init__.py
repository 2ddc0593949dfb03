"""The append-only store and the resolution of its statements on three clocks."""
