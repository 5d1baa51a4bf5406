"""The syntax of shell commands, from mvdan/sh: the program `shfmt --to-json`, started directly.

Its input and output are files in memory, so that neither side can wait for the other, and no module for processes is loaded.
"""

from __future__ import annotations

from holdfast.adapters.files import exists, parent, system
from holdfast.core.jsontext import NotJson, parse
from holdfast.core.shell.syntax import is_too_much

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HERE = parent(parent(__file__.replace("\\", "/")))
"""The package's folder."""


def parser_path(search_path: str) -> str:
    """Return where shfmt is: noted by `init`, beside this installation, or on PATH; empty if nowhere."""
    try:
        with open(f"{_HERE}/__pycache__/shfmt.path", encoding="utf-8") as file:
            noted = file.read().strip()
    except OSError:
        noted = ""
    # …/lib/python3.11/site-packages/holdfast → …/bin/shfmt
    beside = f"{parent(parent(parent(parent(_HERE))))}/bin/shfmt"
    for candidate in (noted, beside, *(f"{folder}/shfmt" for folder in search_path.split(":") if folder.startswith("/"))):
        if candidate and exists(candidate):
            return candidate
    return ""


def syntax_of(program: str, command: str) -> dict[str, Any] | None:
    """Return the syntax tree of a command; None if it has none that can be parsed, or is too long."""
    if not program or is_too_much(command) or "\0" in command:
        return None
    try:
        text = _output(program, command.encode("utf-8"))
        tree = parse(text.decode("utf-8", "replace")) if text else None
    except (OSError, UnicodeEncodeError, NotJson):
        return None
    return tree if isinstance(tree, dict) and tree.get("Type") == "File" else None


def _output(program: str, given: bytes) -> bytes:
    if not hasattr(system, "memfd_create"):
        from holdfast.adapters.process import output_given

        return output_given([program, "--to-json", "-ln=bash"], given, 5.0)
    source, result = system.memfd_create("command"), system.memfd_create("tree")
    try:
        system.write(source, given)
        system.lseek(source, 0, 0)
        null = system.open("/dev/null", system.O_WRONLY)
        actions = [
            (system.POSIX_SPAWN_DUP2, source, 0),
            (system.POSIX_SPAWN_DUP2, result, 1),
            (system.POSIX_SPAWN_DUP2, null, 2),
        ]
        child = system.posix_spawn(program, [program, "--to-json", "-ln=bash"], {}, file_actions=actions)
        system.close(null)
        try:
            _, status = system.waitpid(child, 0)
        except BaseException:  # the hook's time is up
            system.kill(child, 9)
            raise
        if status:
            return b""
        size = system.lseek(result, 0, 2)
        system.lseek(result, 0, 0)
        return system.read(result, size)
    finally:
        system.close(source)
        system.close(result)
