"""From the syntax of a word to its value, as far as that is known; what it executes on the way is read too."""

from __future__ import annotations

from holdfast.core.redaction import names_secret
from holdfast.core.shell.literal import ansi_c, braces, has_braces, is_pattern, unescaped, unescaped_in_quotes
from holdfast.core.shell.scope import UNKNOWN, Scope, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Node = dict[str, Any]
    Reader = Callable[[list[Node], Scope], tuple[str | None, bool]]
    """Reads the statements of a substitution; returns its output where that is known, and whether it is from the network."""

_PARAM_KEYS = {
    "Type", "Pos", "End", "Dollar", "Rbrace", "Short", "Excl", "Length", "Width", "Param", "Index", "Slice", "Repl", "Names",
    "Exp", "Flags", "IsSet", "NestedParam", "Modifiers",
}  # fmt: skip


class NotUnderstood(Exception):
    """A piece of syntax that this reader does not know."""


class WordReader:
    """Evaluates words in a scope."""

    def __init__(self, scope: Scope, substitute: Reader, doubt: Callable[[str], None], *, spans: bool = False) -> None:
        self.scope = scope
        self.substitute = substitute
        self.doubt = doubt
        self.from_network = False
        self.spans = spans

    def words(self, nodes: list[Node] | None) -> list[Word]:
        """Return the words that a list of words becomes."""
        return [word for node in nodes or () for word in self.expanded(node)]

    def expanded(self, node: Node) -> list[Word]:
        """Return the words that one word becomes: braces and unquoted values may make several."""
        parts: list[Node] = node.get("Parts") or []
        if len(parts) == 1:
            several = self._several(parts[0])
            if several is not None:
                return several
        if any(part.get("Type") == "Lit" and has_braces(part.get("Value", "")) for part in parts):
            if len(parts) > 1:
                self.value(node)
                return [UNKNOWN]
            made = braces(parts[0]["Value"])
            return [Word(unescaped(text), is_pattern(text)) for text in made] if made is not None else [UNKNOWN]
        return [self.value(node)]

    def _several(self, part: Node) -> list[Word] | None:
        """Return the words of an array or of an unquoted variable with several words in it."""
        quoted = part.get("Type") == "DblQuoted" and len(part.get("Parts") or []) == 1
        inner = part["Parts"][0] if quoted else part
        if inner.get("Type") != "ParamExp" or any(
            inner.get(key) for key in ("Excl", "Length", "Slice", "Repl", "Names", "Exp")
        ):
            return None
        name = inner.get("Param", {}).get("Value", "")
        known = self.scope.variables.get(name, ())
        if inner.get("Index"):
            whole = _literal(inner["Index"]) in ("@", "*")
            return list(known) if whole and known and name in self.scope.arrays else None
        if quoted or not known or name in self.scope.arrays:
            return None
        text = known[0].text
        if text is None:
            return None
        return [Word(piece, is_pattern(piece)) for piece in text.split()]

    def value(self, node: Node) -> Word:
        """Return the value of a word that stays one."""
        texts: list[str | None] = []
        pattern = quoted = False
        self.from_network = False
        for part in node.get("Parts") or []:
            text, has_pattern, is_quoted = self._part(part)
            texts.append(text)
            pattern, quoted = pattern or has_pattern, quoted or is_quoted
        known = [text for text in texts if text is not None]
        parts = node.get("Parts") or []
        number = len(parts) == 1 and parts[0].get("Type") == "ArithmExp"
        span = (node["Pos"]["Offset"], node["End"]["Offset"]) if self.spans and "Pos" in node and "End" in node else (-1, -1)
        return Word("".join(known) if len(known) == len(texts) else None, pattern, quoted, number, self.from_network, span)

    def _part(self, part: Node) -> tuple[str | None, bool, bool]:
        kind = part.get("Type")
        if kind == "Lit":
            text = part.get("Value", "")
            return unescaped(text), is_pattern(text), False
        if kind == "SglQuoted":
            text = part.get("Value", "")
            return (ansi_c(text) if part.get("Dollar") else text), False, True
        if kind == "DblQuoted":
            return self.in_quotes(part.get("Parts") or []), False, True
        if kind == "ParamExp":
            return self.parameter(part), False, False
        if kind in ("CmdSubst", "ProcSubst"):
            # a process substitution is a file whose name is not known
            said, network = self.substitute(part.get("Stmts") or [], self.scope.inner())
            self.from_network = self.from_network or network
            return (said if kind == "CmdSubst" else None), False, kind == "ProcSubst"
        if kind == "ArithmExp":
            self.arithmetic(part.get("X"))
            return None, False, True
        if kind == "ExtGlob":
            return None, True, False
        raise NotUnderstood(f"a word part of type {kind}")

    def in_quotes(self, parts: list[Node]) -> str | None:
        """Return the value of what stands in double quotes or in a here-document."""
        texts: list[str | None] = []
        for part in parts:
            if part.get("Type") == "Lit":
                texts.append(unescaped_in_quotes(part.get("Value", "")))
            else:
                texts.append(self._part(part)[0])
        known = [text for text in texts if text is not None]
        return "".join(known) if len(known) == len(texts) else None

    def parameter(self, part: Node) -> str | None:
        """Return the value of a parameter, after reading what its expansion executes."""
        if set(part) - _PARAM_KEYS:
            raise NotUnderstood("an expansion with unknown fields")
        name = part.get("Param", {}).get("Value", "")
        if part.get("Excl") and not part.get("Names"):
            raise NotUnderstood("an expansion of a variable that another one names")
        change = part.get("Exp") or {}
        if change.get("Op") == "@" and _literal(change.get("Word") or {}) not in ("Q", "U", "u", "L"):
            raise NotUnderstood("an expansion that evaluates its value")
        if names_secret(name) and name not in self.scope.variables:
            self.doubt(f"{name} may hold a secret")
        if part.get("Index"):
            self.arithmetic(part["Index"])
        for key in ("Slice", "Repl", "Exp", "NestedParam"):
            if part.get(key):
                self._read_inside(part[key])
        known = self.scope.variables.get(name, ())
        plain = not any(part.get(key) for key in ("Excl", "Length", "Slice", "Repl", "Names", "Exp", "Index", "Flags"))
        if plain and known and len(known) == 1 and name not in self.scope.arrays:
            return known[0].text
        if plain and name == "PWD" and self.scope.folder is not None:
            return self.scope.folder or "."
        default = part.get("Exp") or {}
        if default.get("Op") in (":=", "="):
            if name.isupper():
                raise NotUnderstood(f"an expansion that assigns to {name}")
            self.scope.variables[name] = None
        if (
            default.get("Op") in (":-", "-", ":=", "=", ":?", "?")
            and known
            and known[0].text
            and name not in self.scope.arrays
        ):
            return known[0].text
        return None

    def _read_inside(self, node: Any) -> None:
        """Read the words anywhere inside a piece of syntax, for what they execute."""
        if isinstance(node, dict):
            if "Parts" in node:
                self.value(node)
                return
            for key, inner in node.items():
                if key not in ("Pos", "End"):
                    self._read_inside(inner)
        elif isinstance(node, list):
            for inner in node:
                self._read_inside(inner)

    def arithmetic(self, node: Node | None) -> None:
        """Read an arithmetic expression: a variable's value is evaluated in it, and may execute."""
        if node is None:
            return
        if "Parts" in node:
            literal = _literal(node)
            if literal is None:
                text = self.value(node).text
                if text is not None and not text.lstrip("-").isalnum():
                    raise NotUnderstood("an arithmetic text, which may execute")
                for part in node["Parts"]:
                    if part.get("Type") == "ParamExp":
                        self._must_be_number(part.get("Param", {}).get("Value", ""))
            else:
                name = literal.partition("[")[0]
                if name and not name[0].isdigit() and name not in ("@", "*"):
                    self._must_be_number(name)
            return
        for key in ("X", "Y", "Init", "Cond", "Post", "Index"):
            if isinstance(node.get(key), dict):
                self.arithmetic(node[key])

    def _must_be_number(self, name: str) -> None:
        known = self.scope.variables.get(name, ())
        if known is None or not all(word.numeric for word in known):
            raise NotUnderstood(f"the arithmetic value of {name}, which may execute")


def _literal(node: Node) -> str | None:
    parts = node.get("Parts") or []
    if len(parts) == 1 and parts[0].get("Type") == "Lit":
        return str(parts[0].get("Value", ""))
    return None
