"""Path patterns, matched component by component without regular expressions.

`*` and `?` stay within a component, `**` spans any number of them. A pattern without a slash matches the
name at any depth, like in .gitignore.
"""

from __future__ import annotations


def selects(patterns: tuple[str, ...], path: str) -> bool:
    """Tell whether patterns select a path: the last one that matches decides; "!" takes out."""
    chosen = all(pattern.startswith("!") for pattern in patterns)
    for pattern in patterns:
        wanted = not pattern.startswith("!")
        if matches(pattern.lstrip("!"), path):
            chosen = wanted
    return chosen


def matches(pattern: str, path: str) -> bool:
    """Tell whether a pattern matches a path relative to the project."""
    parts = [part for part in path.split("/") if part]
    if "/" not in pattern.rstrip("/"):
        name = pattern.rstrip("/")
        # a trailing slash means a folder, and the last part is the file itself
        return any(matches_name(name, part) for part in (parts[:-1] if pattern.endswith("/") else parts[-1:]))
    wanted = [part for part in pattern.split("/") if part]
    if pattern.endswith("/"):
        wanted.append("**")
    return _matches_parts(wanted, parts)


def _matches_parts(wanted: list[str], parts: list[str]) -> bool:
    """Match lists of components in time linear in their product (no exponential backtracking)."""
    reachable = {0}
    for pattern in wanted:
        following: set[int] = set()
        for position in reachable:
            if pattern == "**":
                following.update(range(position, len(parts) + 1))
            elif position < len(parts) and matches_name(pattern, parts[position]):
                following.add(position + 1)
        reachable = following
    return len(parts) in reachable


def matches_name(pattern: str, name: str) -> bool:
    """Tell whether a pattern with `*` and `?` matches one component."""
    reachable = {0}
    for sign in pattern:
        if sign == "*":
            reachable = set(range(min(reachable, default=len(name) + 1), len(name) + 1))
        else:
            reachable = {at + 1 for at in reachable if at < len(name) and sign in ("?", name[at])}
    return len(name) in reachable
