"""Redirects: which files a command reads and writes by them."""

from __future__ import annotations

from holdfast.core.shell.effects import NETWORK, READS, WRITES, Effect
from holdfast.core.shell.scope import Scope, Word, joined
from holdfast.core.shell.secrets import is_secret
from holdfast.core.shell.story import Story
from holdfast.core.shell.words import NotUnderstood, WordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_WRITING = (">", ">>", ">|", "&>", "&>>", "<>", ">&")
_HARMLESS_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero")


def read_redirects(nodes: list[dict[str, Any]], reader: WordReader, story: Story, scope: Scope) -> str:
    """Tell the effects of redirects; return what the command gets on its input: a text with "here:" before it, or nothing."""
    given = ""
    for node in nodes:
        operator = node.get("Op", "")
        if operator in ("<<", "<<-"):
            quoted = any(part.get("Type") != "Lit" for part in node["Word"].get("Parts") or [])
            parts = (node.get("Hdoc") or {}).get("Parts") or []
            text = "".join(part.get("Value", "") for part in parts) if quoted else reader.in_quotes(parts)
            given = f"here:{text}" if text is not None else "here"
        elif operator == "<<<":
            word = reader.value(node["Word"])
            given = f"here:{word.text}" if word.text is not None else "network" if word.network else "here"
        elif operator == "<":
            word = reader.value(node["Word"])
            given = given or ("network" if word.network else "file")
            _reads(word, story, scope)
        elif operator == "<&":
            reader.value(node["Word"])
        elif operator in _WRITING:
            _writes(operator, reader.value(node["Word"]), story, scope)
        else:
            raise NotUnderstood(f"the redirect {operator}")
    return given


def _reads(word: Word, story: Story, scope: Scope) -> None:
    path = joined(scope.folder, word.text) if word.text is not None else None
    story.tell(Effect(READS, (word.shown,), scope.folder, path or "", detail="redirect", spans=(word.span,)))
    if word.text is None and not word.quoted:
        story.doubt("which file is read is not known")
    elif path is not None and is_secret(path):
        story.doubt(f"{path} may hold secrets")
    if path is not None and path.startswith(("/dev/tcp/", "/dev/udp/")):
        story.tell(Effect(NETWORK, (word.shown,), scope.folder, detail="redirect"))
        story.doubt("it reaches the network")


def _writes(operator: str, word: Word, story: Story, scope: Scope) -> None:
    if word.text is not None and operator == ">&" and (word.text.isdigit() or word.text == "-"):
        return  # a copy of another stream
    path = joined(scope.folder, word.text) if word.text is not None else None
    if path is not None and (path in _HARMLESS_FILES or path.startswith("/dev/fd/")) and not word.pattern:
        return
    if path is not None and path.startswith(("/dev/tcp/", "/dev/udp/")):
        story.tell(Effect(NETWORK, (word.shown,), scope.folder, detail="redirect"))
    flags = ("append",) if operator in (">>", "&>>") else ()
    story.tell(Effect(WRITES, (word.shown,), scope.folder, path or "", detail="redirect", flags=flags, spans=(word.span,)))
    story.doubt(f"it writes {path or 'a file that is not known'}")
