"""From text to statements: importance, sensitive values, dates, entities, extraction."""
