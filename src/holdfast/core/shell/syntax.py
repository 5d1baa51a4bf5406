"""What is known about the parser's trees: their fields, and small questions to them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = dict[str, Any]

ODD_BLANKS = frozenset(
    "\x7f\x85\xa0\xad\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u200e\u200f"
    "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2066\u2067\u2068\u2069\u3000\ufeff"
)
EVERYWHERE = frozenset(
    ("Type", "Pos", "End", "Position", "Left", "Right", "Lbrace", "Rbrace", "Lparen", "Rparen", "Last", "Comments")
)
FIELDS = {
    "CallExpr": frozenset(("Assigns", "Args")),
    "BinaryCmd": frozenset(("Op", "X", "Y")),
    "Block": frozenset(("Stmts",)),
    "Subshell": frozenset(("Stmts",)),
    "IfClause": frozenset(("Cond", "Then", "Else")),
    "WhileClause": frozenset(("Until", "Cond", "Do")),
    "ForClause": frozenset(("Select", "Braces", "Loop", "Do")),
    "CaseClause": frozenset(("Case", "In", "Esac", "Braces", "Word", "Items")),
    "FuncDecl": frozenset(("RsrvWord", "Parens", "Name", "Body")),
    "ArithmCmd": frozenset(("Unsigned", "X")),
    "TestClause": frozenset(("X",)),
    "DeclClause": frozenset(("Variant", "Args")),
    "LetClause": frozenset(("Let", "Exprs")),
    "TimeClause": frozenset(("Time", "PosixFormat", "Stmt")),
}
"""What each kind of command is made of. A field that is not here may hold something that runs: the command is opaque then."""
MOST_TEXT = 10_000
"""Characters of a command that is read at all."""
MOST_PIECES = 500
"""Words and separators of a command that is read; the parser's own time grows with them."""


def is_too_much(command: str) -> bool:
    """Tell whether a command is too long to be read in time. The text of a here-document is one piece, and does not count."""
    if len(command) > MOST_TEXT:
        return True
    text = _without_documents(command) if "<<" in command else command
    return len(text.split()) + sum(text.count(sign) for sign in (";", "|", "&", "\n", "$", "`", "(", "<", ">")) > MOST_PIECES


def _without_documents(command: str) -> str:
    """Return a command without the texts of its here-documents, roughly: only its length is judged by it."""
    kept: list[str] = []
    end = ""
    for line in command.split("\n"):
        if end:
            end = "" if line.strip() == end else end
            continue
        kept.append(line)
        word = line.partition("<<")[2].lstrip("-").strip().split(" ")[0].split(";")[0]
        end = word.strip("'\"\\").rstrip(")|&>") if "<<" in line and "<<<" not in line else ""
    return command if end else "\n".join(kept)


def multiplies(name: str, body: Any) -> bool:
    """Tell whether a function calls itself in a pipe or in the background."""
    calls = multiplied = False
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            parts = ((node.get("Args") or [{}])[0].get("Parts") or [{}]) if node.get("Type") == "CallExpr" else [{}]
            calls = calls or parts[0].get("Value") == name
            multiplied = multiplied or node.get("Background") is True or node.get("Op") in ("|", "|&")
            waiting.extend(value for value in node.values() if isinstance(value, (dict, list)))
    return calls and multiplied


def fails(node: Node) -> bool:
    """Tell whether a statement plainly ends with a failure: `exit 1`, `false`, `return 1`."""
    arguments = (node.get("Cmd") or {}).get("Args") or []
    texts = ["".join(part.get("Value", "?") for part in word.get("Parts") or []) for word in arguments]
    if texts == ["false"]:
        return True
    return texts[:1] in (["exit"], ["return"]) and (len(texts) == 1 or texts[1] != "0")


def names_in(node: Any) -> set[str]:
    """Return the names that an arithmetic expression may assign to."""
    names: set[str] = set()
    if isinstance(node, dict):
        if node.get("Type") == "Lit" and str(node.get("Value", "")).isidentifier():
            names.add(node["Value"])
        for inner in node.values():
            names |= names_in(inner)
    elif isinstance(node, list):
        for inner in node:
            names |= names_in(inner)
    return names
