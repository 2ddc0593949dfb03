"""The records of the pipeline as versioned contracts, one module a record."""
