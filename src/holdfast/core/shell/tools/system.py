"""Running the machine: never plainly safe, some of it catastrophic."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.effects import CONFIGURES, WRITES
from holdfast.core.shell.options import options_of

_ENDS_MACHINE = ("shutdown", "reboot", "poweroff", "halt", "init", "telinit")
_FORMATS = ("mkfs", "mke2fs", "fdisk", "parted", "wipefs", "mkswap", "hdparm", "blkdiscard")


def read(use: Use) -> None:
    """Tell what a program for running the machine does."""
    if (use.name == "brew" and use.texts[:1] in (["list"], ["info"], ["--version"])) or (
        use.name == "dpkg" and use.texts[:1] in (["-l"], ["-L"], ["-s"])
    ):
        return
    use.doubt("it runs the machine")
    if use.name in ("sudo", "doas", "su"):
        _as_another(use)
    elif use.name in _ENDS_MACHINE or (
        use.name == "systemctl" and any(t in ("poweroff", "reboot", "halt") for t in use.texts)
    ):
        use.tell(CONFIGURES, "power", flags=("power",))
    elif use.name in _FORMATS or use.name.startswith("mkfs"):
        for word in options_of(use.arguments, "-t -L -b").operands:
            use.tell(WRITES, "format", use.where(word), ("device",))
    elif use.name in ("chroot", "unshare", "nsenter"):
        use.opaque("it runs a program elsewhere")


def _as_another(use: Use) -> None:
    options = options_of(use.arguments, "-u -g -h -p -C -D -T -U -c --user --group --command", first_operand_ends=True)
    use.tell(CONFIGURES, "another user", flags=("privilege",))
    if use.name == "su":
        commands = options.values("-c", "--command")
        if commands and commands[0] is not None and commands[0].text is not None:
            use.walk.text(commands[0].text, use.scope.inner(), use.call.masked)
        else:
            use.opaque("what it runs is not known")
        return
    words = list(options.operands)
    while words and words[0].text is not None and "=" in words[0].text and not words[0].text.startswith("="):
        words.pop(0)
    if words:
        use.runs(words)
    elif options.has("-s", "-i"):
        use.opaque("it opens a shell")
