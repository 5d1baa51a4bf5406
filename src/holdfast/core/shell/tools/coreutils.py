"""Everyday tools of the system: what they read, write and delete, and which of their options do more."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.effects import CONFIGURES, DELETES, WRITES
from holdfast.core.shell.options import Options, options_of
from holdfast.core.shell.scope import Word

SILENT = frozenset(
    "true false : echo test [ pwd whoami id uname nproc uptime arch groups tty seq basename dirname expr factor sleep tput clear"
    " which whereis type hash locale getconf lscpu free vmstat cal yes wait jobs times".split()
)
"""They read no files and have no option that writes or runs anything."""

READING = frozenset(
    "cat head tail wc ls stat du df nl tac rev cut tr fold fmt column comm join paste expand unexpand readlink realpath md5sum sha1sum"
    " sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum cmp strings od hexdump diff sdiff colordiff tsort numfmt bc"
    " look pr base64 base32 lsblk shuf tokei cloc zipinfo".split()
)
"""They read the files that they are given, and nothing more, whatever their options."""

WITH_VALUE = {
    "head": "-n -c --lines --bytes", "tail": "-n -c -s --lines --bytes --pid", "cut": "-d -f -c -b --delimiter --fields",
    "tr": "", "fold": "-w", "nl": "-b -s -w -v", "paste": "-d", "join": "-t -1 -2 -o -e", "od": "-t -N -j -A", "hexdump": "-n -s -e",
    "du": "-d --max-depth --exclude -t", "ls": "-I --ignore -w --width", "stat": "-c -f --format --printf", "sort": "-k -t -S -T -o"
    " --key --field-separator --output --compress-program --files0-from", "diff": "-U -C --label -x --exclude -I", "date": "-d -f -r -s"
    " --date --file --reference --set", "tree": "-L -I -P -o --filelimit", "xxd": "-l -s -c -g", "file": "-m -f -F", "column": "-s -t -c",
    "shuf": "-n -i -o", "strings": "-n -t -e", "comm": "", "fmt": "-w", "split": "-b -l -n -a", "mktemp": "-p --tmpdir",
    "touch": "-d -r -t", "install": "-m -o -g -t", "cp": "-t -S", "mv": "-t -S", "ln": "-t -S", "truncate": "-s -r", "mkdir": "-m --mode",
    "ps": "-o -p -u -C -g --sort", "printf": "-v",
}  # fmt: skip
FORBIDDEN = {
    "sort": ("-o", "--output", "--compress-program", "-T", "--temporary-directory"),
    "date": ("-s", "--set"),
    "tree": ("-o",),
    "file": ("-C", "--compile", "-z", "-Z"),
    "shuf": ("-o", "--output"),
    "less": ("-o", "-O", "-k", "-K", "--log-file", "--lesskey-file"),
    "base64": (),
    "lsof": (),
}
"""Options by which a reading tool writes, runs another program, or changes the system."""


def read(use: Use) -> None:
    """Tell what one of these tools does."""
    handler = _HANDLERS.get(use.name)
    if handler is not None:
        handler(use)
    elif use.name in SILENT:
        _silent(use)
    elif use.name in READING or use.name in FORBIDDEN or use.name in ("more", "ps", "pgrep", "tty"):
        _reading(use)
    else:
        use.doubt("it is not among the plainly safe tools")


def _options(use: Use) -> Options:
    return options_of(use.arguments, WITH_VALUE.get(use.name, ""))


def _silent(use: Use) -> None:
    if use.name == "wait" and any(
        (text or "-p").startswith("-p") for text in use.texts if text is None or text.startswith("-")
    ):
        use.opaque("it assigns to a name")
    if use.name == "hash" and use.arguments:
        use.doubt("it changes which program a name means")
    if use.name in ("test", "["):
        for before, word in zip(use.arguments, use.arguments[1:], strict=False):
            # [ -v 'a[$(cmd)]' ] evaluates its operand
            if before.text in ("-v", "-R") and (word.text is None or not word.text.isidentifier()):
                use.opaque("it evaluates a name that is not plain")


def _reading(use: Use) -> None:
    options = _options(use)
    forbidden = FORBIDDEN.get(use.name, ())
    if options.has(*forbidden):
        use.doubt("one of its options does more than reading")
        for value in options.values("-o", "--output"):
            use.writes(value or Word(), use.name)
    if options.unclear and forbidden:
        use.doubt("which options it has is not known")
    if use.name == "tr":
        return
    if use.name == "ps":
        if any(text is None or "e" in text.lower() for text in options.texts) or options.has("-E"):
            use.doubt("it may show the environments of programs")
        return
    for word in options.operands:
        use.reads(word)


def _uniq(use: Use) -> None:
    options = options_of(use.arguments, "-f -s -w --skip-fields --skip-chars --check-chars")
    if len(options.operands) > 1 or options.unclear:
        use.writes(options.operands[-1])
    for word in options.operands[:1]:
        use.reads(word)


def _xxd(use: Use) -> None:
    options = _options(use)
    for word in options.operands[:1]:
        use.reads(word)
    for word in options.operands[1:]:
        use.writes(word)
    if options.unclear:
        use.doubt("whether it writes is not known")


def _printf(use: Use) -> None:
    if use.texts[:1] == ["-v"] or (use.texts and use.texts[0] is None and not use.arguments[0].quoted):
        use.opaque("it assigns to a name")


def _date(use: Use) -> None:
    options = _options(use)
    if options.has("-s", "--set") or any(text and not text.startswith("+") for text in options.texts):
        use.doubt("it sets the clock")


def _hostname(use: Use) -> None:
    if options_of(use.arguments).operands:
        use.doubt("it sets the host's name")


def _pager(use: Use) -> None:
    if any(text is None or text.startswith("+") for text in use.texts):
        use.doubt("it may run a command of its own")
    _reading(use)


def _man(use: Use) -> None:
    options = options_of(use.arguments)
    if options.unclear or options.has("-H", "--html", "-P", "--pager", "-X", "-C", "--config-file", "-T", "-t", "--troff"):
        use.doubt("one of its options runs another program")


def _shows_environment(use: Use) -> None:
    use.doubt("the environment may hold secrets")


def _dc(use: Use) -> None:
    use.doubt("it can run commands")


def _delete(use: Use) -> None:
    options = options_of(use.arguments, {"rm": "--interactive", "shred": "-n -s --iterations --size"}.get(use.name, ""))
    recursive = options.has("-r", "-R", "--recursive") or use.name == "rmdir"
    flags = (*(("recursive",) if recursive else ()), *(("force",) if options.has("-f", "--force") else ()))
    if options.has("--no-preserve-root"):
        flags = (*flags, "no-preserve-root")
    for word in options.operands:
        use.deletes(word, flags)
    use.doubt("it deletes")


def _copy(use: Use) -> None:
    options = _options(use)
    target = options.values("-t", "--target-directory")
    operands = list(options.operands)
    destination = target[0] if target else operands.pop() if len(operands) > 1 else None
    for word in operands:
        use.reads(word)
        if use.name == "mv":
            use.tell(DELETES, "moved away", use.where(word))
    use.writes(destination or Word(), use.name)


def _make_folder(use: Use) -> None:
    _makes(use, "it makes a folder outside of the project")


def _touch(use: Use) -> None:
    _makes(use, "it writes outside of the project")


def _makes(use: Use, outside: str) -> None:
    options = _options(use)
    for word in options.operands:
        path = use.where(word)
        use.tell(WRITES, use.name, path)
        if not path or path.startswith(("/", "~", "..")) or ".git" in path.split("/") or is_hidden(path):
            use.doubt(outside)


def is_hidden(path: str) -> bool:
    """Tell whether a path leads through a hidden folder, where tools keep what they run."""
    return any(part.startswith(".") and part not in (".", "..") for part in path.split("/"))


def _tee(use: Use) -> None:
    for word in options_of(use.arguments).operands:
        if word.text not in ("/dev/null", "/dev/stderr", "/dev/stdout"):
            use.writes(word, "tee")


def _dd(use: Use) -> None:
    for word in use.arguments:
        text = word.text or ""
        if text.startswith("of="):
            use.writes(Word(text[3:]), "dd")
        elif text.startswith("if="):
            use.reads(Word(text[3:]))
    use.doubt("it copies raw data")


def _writes_operands(use: Use) -> None:
    options = _options(use)
    for word in options.operands:
        use.writes(word, use.name)
    use.doubt("it changes files")


def _modes(use: Use) -> None:
    modes = [word for word in use.arguments if use.name == "chmod" and _is_removal(word.text)]
    options = options_of([word for word in use.arguments if word not in modes])
    operands = list(options.operands)
    first = operands.pop(0) if operands and not options.has("--reference") and not modes else None
    mode = modes[0].shown if modes else first.shown if first is not None else ""
    flags = (*(("recursive",) if options.has("-R", "--recursive") else ()), f"mode:{mode}")
    for word in operands:
        use.tell(CONFIGURES, use.name, use.where(word), flags)
    use.doubt("it changes who may use files")


def _is_removal(text: str | None) -> bool:
    """Tell whether a word like -x is a mode, and no option."""
    return text is not None and len(text) > 1 and text[0] == "-" and set(text[1:]) <= set("rwxXst")


def _env(use: Use) -> None:
    """`env` runs a command with a changed environment and folder; alone it shows the environment."""
    from holdfast.core.shell.tools.wrappers import run_with_environment

    run_with_environment(use)


_HANDLERS = {
    "uniq": _uniq, "xxd": _xxd, "printf": _printf, "date": _date, "hostname": _hostname, "less": _pager, "more": _pager,
    "man": _man, "printenv": _shows_environment, "dc": _dc, "rm": _delete, "rmdir": _delete, "unlink": _delete, "shred": _delete,
    "cp": _copy, "mv": _copy, "ln": _copy, "link": _copy, "install": _copy, "mkdir": _make_folder, "touch": _touch, "tee": _tee,
    "dd": _dd, "truncate": _writes_operands, "split": _writes_operands, "csplit": _writes_operands, "mkfifo": _writes_operands,
    "chmod": _modes, "chown": _modes, "chgrp": _modes, "env": _env,
}  # fmt: skip
