"""What a rule finds in one sentence, a module for each family of predicates."""
