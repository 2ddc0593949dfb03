"""How well understanding does: predictions over a file of records, and scores where it has labels."""
