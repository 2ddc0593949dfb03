"""English names of days and months, which are written with a capital as names of people and things are."""

from memory_pipeline.understand.word_blocks import words

CALENDAR_EN = frozenset(
    words(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
        "september october november december"
    )
)
