"""Programs that run another program: what they run is read as if it stood alone."""

from __future__ import annotations

from holdfast.core.shell.calls import Call, Use, read_call
from holdfast.core.shell.environment import HARMLESS, is_dangerous, tell_variable
from holdfast.core.shell.options import options_of
from holdfast.core.shell.scope import Word, joined

_VALUES = {
    "timeout": "-k -s --kill-after --signal", "nice": "-n --adjustment", "ionice": "-c -n -p", "chrt": "-p", "taskset": "-p",
    "stdbuf": "-i -o -e --input --output --error", "time": "-f -o --format --output", "xargs": "-I -i -n -P -L -d -a -E -s --replace"
    " --max-args --max-procs --max-lines --delimiter --arg-file", "watch": "-n -d --interval", "flock": "-w -E --timeout", "strace":
    "-e -o -p -s", "ltrace": "-e -o -p", "parallel": "-j --jobs -a --arg-file", "setarch": "", "exec": "-a", "script": "-c --command",
}  # fmt: skip
_OPERANDS_BEFORE = {"timeout": 1, "flock": 1, "taskset": 1, "chrt": 1, "setarch": 1}
_PLAIN = (
    "timeout",
    "nice",
    "nohup",
    "time",
    "command",
    "builtin",
    "stdbuf",
    "setsid",
    "ionice",
    "unbuffer",
    "caffeinate",
    "chrt",
    "taskset",
)
"""They add nothing of their own to what they run."""


def read(use: Use) -> None:
    """Tell what a wrapper runs."""
    if use.name in ("command",) and use.texts[:1] in (["-v"], ["-V"]):
        return
    if use.name == "exec" and not use.arguments:
        return
    options = options_of(use.arguments, _VALUES.get(use.name, ""), first_operand_ends=True)
    if use.name == "time" and options.has("-o", "--output"):
        use.doubt("it writes a file")
    if use.name == "script" and options.has("-c", "--command"):
        _text(use, options.values("-c", "--command")[0])
        return
    inner = list(options.operands)[_OPERANDS_BEFORE.get(use.name, 0) :]
    if use.name == "xargs":
        _xargs(use, inner, replaced=options.has("-I", "-i", "--replace"))
        return
    if use.name == "watch":
        _text(use, Word(" ".join(word.shown for word in inner)) if all(word.text is not None for word in inner) else None)
        return
    if not inner:
        if use.name not in ("nice", "time"):
            use.opaque("what it runs is not known")
        return
    if use.name not in _PLAIN:
        use.doubt("it runs another program in its own way")
    if use.name in ("direnv", "mise", "dotenv", "cross-env", "doppler", "op", "busybox", "systemd-run", "runuser"):
        _special(use, inner)
        return
    use.runs(inner)


def _text(use: Use, word: Word | None) -> None:
    if word is None or word.text is None:
        use.opaque("the text that it runs is not known")
    else:
        use.walk.text(word.text, use.scope.inner(), use.call.masked)


def _xargs(use: Use, inner: list[Word], *, replaced: bool) -> None:
    """What xargs adds comes from its input: a word that is not known."""
    command = inner or [Word("echo")]
    if use.story.secret_named:
        use.doubt("it may be given files that hold secrets")
    if replaced:
        command = [Word() if "{}" in (word.text or "{}") or word.text == "%" else word for word in command]
    read_call(Call([*command, Word(None, quoted=True)], use.scope, (), use.call.masked, "pipe"), use.story, use.walk)


def _special(use: Use, inner: list[Word]) -> None:
    """Wrappers with words of their own before the command."""
    texts = [word.text for word in inner]
    if "--" in texts:
        use.runs(inner[texts.index("--") + 1 :] or [Word()])
    elif use.name == "busybox" or use.name == "systemd-run" or use.name == "cross-env":
        at = next((n for n, text in enumerate(texts) if text is None or "=" not in text), 0)
        use.runs(inner[at:])
    else:
        use.opaque("what it runs is not known")


def run_with_environment(use: Use) -> None:
    """`env [-i] [-u NAME] [-C DIR] [NAME=VALUE…] [COMMAND…]`."""
    options = options_of(use.arguments, "-u -C -S --unset --chdir --split-string", first_operand_ends=True)
    if options.has("-S", "--split-string"):
        use.opaque("it splits a text into a command")
        return
    words = list(options.operands)
    while words and words[0].text is not None and "=" in words[0].text:
        name, _, setting = str(words.pop(0).text).partition("=")
        if is_dangerous(name):
            tell_variable(name, setting, use.story, use.scope)
        if name not in HARMLESS:
            use.doubt(f"{name} may change what programs do")
    if not words:
        use.doubt("the environment may hold secrets")
        return
    scope = use.scope.inner()
    for value in options.values("-C", "--chdir"):
        scope.folder = joined(scope.folder, value.text) if value is not None and value.text is not None else None
    read_call(Call(words, scope, (), use.call.masked, use.call.piped), use.story, use.walk)
