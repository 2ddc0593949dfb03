"""Which characters a pattern can begin with: rules are tried only where one of them stands."""

_DIGITS = frozenset("0123456789")


def first_chars(pattern: str) -> frozenset[str] | None:
    """The characters that a match of a lower-case pattern can begin with; None = any, or none
    (the pattern may match nothing). Knows literals, classes, groups, alternatives, quantifiers and
    look-arounds, which is all that the grammars use."""
    found, empty, _ = _alternatives(pattern, 0)
    return None if found is None or empty else frozenset(found)


def _alternatives(pattern: str, at: int) -> tuple[set[str] | None, bool, int]:
    """The first characters of all branches up to a closing bracket, and whether one is empty."""
    total: set[str] | None = set()
    any_empty = False
    while True:
        found, empty, at = _branch(pattern, at)
        total = None if total is None or found is None else total | found
        any_empty = any_empty or empty
        if at >= len(pattern) or pattern[at] == ")":
            return total, any_empty, at
        at += 1


def _branch(pattern: str, at: int) -> tuple[set[str] | None, bool, int]:
    total: set[str] | None = set()
    open_start = True
    while at < len(pattern) and pattern[at] not in "|)":
        found, empty, at = _atom(pattern, at)
        least, at = _quantifier(pattern, at)
        if open_start:
            total = None if total is None or found is None else total | found
            open_start = empty or least == 0
    return total, open_start, at


def _atom(pattern: str, at: int) -> tuple[set[str] | None, bool, int]:
    char = pattern[at]
    if char == "(":
        around = any(pattern.startswith(p, at) for p in ("(?=", "(?!", "(?<=", "(?<!"))
        at = at + 3 if pattern.startswith("(?:", at) else at + 1
        if around:
            at = pattern.index("?", at - 1) + (3 if pattern[at + 1] == "<" else 2)
        found, empty, at = _alternatives(pattern, at)
        return (set(), True, at + 1) if around else (found, empty, at + 1)
    if char == "[":
        end = pattern.index("]", at + 2)
        return _members(pattern[at + 1 : end]), False, end + 1
    if char == "\\":
        escaped = pattern[at + 1]
        if escaped == "b":
            return set(), True, at + 2
        if escaped == "d":
            return set(_DIGITS), False, at + 2
        return (None if escaped.isalpha() else {escaped}), False, at + 2
    if char in "^$":
        return set(), True, at + 1
    return (None if char == "." else {char}), False, at + 1


def _members(inside: str) -> set[str] | None:
    if inside[0] == "^" or "\\" in inside:
        return None
    found, i = set(), 0
    while i < len(inside):
        if i + 2 < len(inside) and inside[i + 1] == "-":
            found |= {chr(c) for c in range(ord(inside[i]), ord(inside[i + 2]) + 1)}
            i += 3
        else:
            found.add(inside[i])
            i += 1
    return found


def _quantifier(pattern: str, at: int) -> tuple[int, int]:
    """The least count of the quantifier at this place, and where the pattern goes on."""
    least = 1
    if at < len(pattern) and pattern[at] in "?*+":
        least = 0 if pattern[at] in "?*" else 1
        at += 1
    elif at < len(pattern) and pattern[at] == "{":
        end = pattern.index("}", at)
        least = int(pattern[at + 1 : end].split(",")[0] or 0)
        at = end + 1
    if at < len(pattern) and pattern[at] == "?":
        at += 1
    return least, at
