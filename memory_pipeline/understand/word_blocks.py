"""Word lists written as blocks of text."""


def words(block: str) -> tuple[str, ...]:
    """The words of a block, in order: long lists read better so than as one literal a line."""
    return tuple(block.split())
