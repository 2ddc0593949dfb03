"""The local extractor: rules over sentences, with Russian morphology."""
