"""Shells and what is built into them: running texts, moving about, setting things."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.effects import CONFIGURES
from holdfast.core.shell.environment import is_dangerous
from holdfast.core.shell.options import options_of
from holdfast.core.shell.scope import HOME, joined

_SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "fish")


def read(use: Use) -> None:
    """Tell what a shell or a built-in command does."""
    if use.name in _SHELLS:
        _shell(use)
        return
    handler = _HANDLERS.get(use.name)
    if handler is not None:
        handler(use)
    elif use.name not in ("dirs", "exit", "return", "break", "continue", "shift", "help", "caller", "getopts", "logout"):
        use.doubt("it changes the shell")


def _shell(use: Use) -> None:
    options = options_of(use.arguments, "-c -o +o -O --rcfile --init-file", first_operand_ends=True)
    if options.has("-c"):
        command = next((value for value in options.values("-c") if value is not None), None)
        # `bash -ec TEXT`: the text is the first word that is no option
        text = command.text if command is not None else None
        if command is not None and command.network:
            use.runs_download()
            return
        if text is not None and not text.startswith("-"):
            if options.has("--rcfile", "--init-file", "-i", "-l", "--login"):
                use.doubt("it loads files of its own")
            inner = use.scope.inner()
            for number, word in enumerate(options.operands):
                inner.variables[str(number)] = (word,)
            use.walk.text(text, inner, use.call.masked, use.call.piped)
            return
        use.opaque("the text that it runs is not known")
        return
    if options.operands and options.operands[0].network:
        use.runs_download()
        return
    if options.operands and options.operands[0].text != "-" and not options.has("-s"):
        script = options.operands[0]
        if options.has("-n") and all(name == "-n" for name, _value in options.flags):
            use.reads(script)  # only checks the syntax
            return
        use.runs_code(f"the script {script.shown}")
        return
    given = use.call.piped
    if options.has("--version", "--help") and not options.operands:
        return
    if given.startswith("here:"):
        use.walk.text(given[5:], use.scope.inner(), use.call.masked)
    else:
        use.runs_input()


def _eval(use: Use) -> None:
    if any(word.network for word in use.arguments):
        use.runs_download()
        return
    if any(text is None for text in use.texts):
        use.opaque("the text that it runs is not known")
        return
    use.walk.text(" ".join(text or "" for text in use.texts), use.scope, use.call.masked, use.call.piped)


def _source(use: Use) -> None:
    if any(word.network for word in use.arguments):
        use.runs_download()
        return
    use.runs_code(f"the file {use.arguments[0].shown}" if use.arguments else "a file")


def _cd(use: Use) -> None:
    operands = options_of(use.arguments).operands
    target = operands[0].text if operands else HOME
    if target == "-" or target is None:
        use.scope.folder = None
        if target is None and not operands[0].quoted:
            use.doubt("where it goes is not known")
        return
    use.scope.folder = joined(use.scope.folder, target)


def _popd(use: Use) -> None:
    use.scope.folder = None


def _set(use: Use) -> None:
    texts = use.texts
    for number, text in enumerate(texts):
        if text is None:
            use.opaque("which settings it changes is not known")
        elif text.startswith("-") and "o" in text and texts[number + 1 : number + 2] == ["pipefail"]:
            use.scope.pipefail = True
        elif text.startswith("+") and "o" in text and texts[number + 1 : number + 2] == ["pipefail"]:
            use.scope.pipefail = False
        if text and text.startswith("-") and not text.startswith("--") and "e" in text:
            use.scope.errexit = True
        if text and text.startswith("+") and "e" in text:
            use.scope.errexit = False
    if not texts:
        use.doubt("the environment may hold secrets")
    if texts[:1] == ["--"]:
        use.doubt("it changes the positional parameters")


def _shopt(use: Use) -> None:
    if "expand_aliases" in use.texts or any(text is None for text in use.texts):
        use.opaque("aliases change what words mean")


def _read(use: Use) -> None:
    options = options_of(use.arguments, "-p -t -n -N -d -u -i -a")
    for word in [*options.operands, *(value for value in options.values("-a") if value is not None)]:
        if word.text is None or not word.text.isidentifier():
            use.opaque("it assigns to a name that is not plain")
        else:
            use.scope.variables[word.text] = None
            if is_dangerous(word.text):
                use.doubt(f"{word.text} changes what programs do")


def _unset(use: Use) -> None:
    for word in options_of(use.arguments).operands:
        if word.text is None or not word.text.isidentifier():
            use.opaque("it evaluates a name that is not plain")
        else:
            use.scope.variables[word.text] = None
            use.scope.functions.pop(word.text, None)
            if is_dangerous(word.text):
                use.doubt(f"{word.text} changes what programs do")


def _alias(use: Use) -> None:
    if any("=" in (text or "=") for text in use.texts):
        use.opaque("an alias changes what words mean")


def _trap(use: Use) -> None:
    text = use.texts[0] if use.texts else None
    if text in ("-p", "-l", "-", None) and use.texts[:1] != [None]:
        return
    if text is None:
        use.opaque("the text that it runs is not known")
    elif text:
        use.walk.text(text, use.scope.inner(), "it runs at the end")


def _declares(use: Use) -> None:
    # reached only through `command export …`, `builtin declare …`: plain ones are syntax
    use.tell(CONFIGURES, "variable")
    use.doubt("it changes variables")


_HANDLERS = {
    "eval": _eval, "source": _source, ".": _source, "cd": _cd, "pushd": _cd, "popd": _popd, "set": _set, "shopt": _shopt,
    "read": _read, "unset": _unset, "alias": _alias, "trap": _trap, "export": _declares, "declare": _declares,
    "typeset": _declares, "readonly": _declares, "local": _declares,
}  # fmt: skip
