"""Python: the interpreter, its package managers, test runners, linters and type checkers."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.options import options_of
from holdfast.core.shell.scope import Word

CHECKERS = frozenset(
    "mypy pyright basedpyright flake8 pylint bandit pydocstyle pycodestyle pyflakes vulture yamllint interrogate".split()
)
"""They read the project and report."""
_MODULES = {"pytest": "pytest", "unittest": "unittest", "mypy": "mypy", "ruff": "ruff", "black": "black", "flake8": "flake8", "isort": "isort",
            "pylint": "pylint", "coverage": "coverage", "pyflakes": "pyflakes", "pycodestyle": "pycodestyle", "bandit": "bandit",
            "pip": "pip", "tox": "tox", "nox": "nox", "pydocstyle": "pydocstyle"}  # fmt: skip
_PYTEST_HARMLESS = (
    "-q -v -x -s -k -m -n -p -l -r -W --quiet --verbose --exitfirst --maxfail --tb --durations --durations-min --cov --cov-report"
    " --cov-branch --no-cov --cov-fail-under --lf --last-failed --ff --failed-first --nf --sw --stepwise --co --collect-only --version --help"
    " -h -V --ignore --ignore-glob --deselect --strict-markers --strict-config --strict --timeout --dist --color --no-header --no-summary"
    " --disable-warnings --import-mode --capture --reruns --fixtures --markers --setup-show --setup-plan --show-capture --full-trace"
    " --showlocals --log-cli-level --log-level --benchmark-only --benchmark-skip --benchmark-disable --randomly-seed --runxfail"
    " --hypothesis-seed --hypothesis-profile --numprocesses --forked --keyword --cache-show --asyncio-mode --doctest-modules"
)
_CHECKER_HARMLESS = (
    "--strict --version --help -h -v -q --verbose --quiet --show-error-codes --pretty --no-error-summary --ignore-missing-imports"
    " --namespace-packages --explicit-package-bases --python-version --platform --count --statistics --max-line-length --max-complexity"
    " --select --ignore --extend-ignore --extend-select --exclude --show-source --disable --enable --errors-only -E --score --reports -r -n"
    " --recursive -l -i -x -s --skip --outputjson --warnings --stats --no-color-output --check-untyped-defs --follow-imports"
    " --disallow-untyped-defs --package -p --module -m --no-incremental --warn-unused-ignores --jobs -j --min-confidence --fail-under --level"
    " --format -f -d --sort-by-size --hide-error-context --no-warn-no-return --warn-unreachable --disallow-any-generics --strict-optional"
)
_PYTEST_VALUES = (
    "-k -m -n -p -c -o -W -r --maxfail --tb --durations --cov --cov-report --cov-config --junitxml --junit-xml --ignore --deselect --rootdir"
    " --confcutdir --override-ini --timeout --dist --color --log-level --basetemp --pdbcls --import-mode --capture --reruns --seed"
)
_RUNNERS = ("uv", "poetry", "pdm", "hatch", "rye", "pipenv")


def read(use: Use) -> None:
    """Tell what a Python tool does."""
    if use.name.startswith(("python", "pypy")) or use.name == "ipython":
        _interpreter(use)
    elif use.name in CHECKERS:
        _checker(use)
    else:
        handler = _HANDLERS.get(use.name)
        if handler is None:
            use.doubt("it is not among the plainly safe tools")
        else:
            handler(use)


def _interpreter(use: Use) -> None:
    options = options_of(use.arguments, "-c -m -W -X", first_operand_ends=True)
    if use.texts in (["--version"], ["-V"], ["-VV"], ["--help"], ["-h"]):
        return
    if any(word.network for word in use.arguments):
        use.runs_download()
        return
    if options.has("-c"):
        use.runs_code("inline code")
        return
    at = next((n for n, text in enumerate(use.texts) if text == "-m" or (text or "").startswith("-m")), None)
    before = use.texts[:at] if at is not None else []
    if options.texts[:2] in (["manage.py", "test"], ["manage.py", "check"]) and not options.flags:
        use.only(
            options_of(use.arguments[2:]),
            "--parallel --keepdb --failfast -v --verbosity --tag --exclude-tag --noinput --deploy",
        )
        if options.texts[1] == "test":
            use.runs_tests("django")
        return
    if at is None or any(
        text is None or not text.startswith("-") for text in before if text not in ("ignore", "error", "default", "dev")
    ):
        if options.operands and options.operands[0].text != "-":
            use.runs_code("a script")
        else:
            use.runs_input()
        return
    glued = (use.texts[at] or "")[2:]
    rest = use.arguments[at + 1 :]
    module = Word(glued) if glued else rest.pop(0) if rest else Word()
    if module.text == "venv" or module.text == "http.server":
        use.doubt("it makes an environment or serves files")
    elif module.text in ("json.tool", "compileall", "py_compile", "tokenize", "ast", "timeit", "calendar", "this", "site"):
        _standard_module(use, module.text, rest)
    elif module.text in _MODULES:
        read(Use(_MODULES[module.text], rest, use.call, use.story, use.walk))
    else:
        use.runs_code(f"the module {module.shown}")


def _standard_module(use: Use, module: str, rest: list[Word]) -> None:
    operands = options_of(rest, "--indent").operands
    if module == "json.tool":
        for word in operands[:1]:
            use.reads(word)
        if len(operands) > 1:
            use.writes(operands[1])
    elif module in ("timeit", "site"):
        use.runs_code(f"the module {module}")


def _pytest(use: Use) -> None:
    options = options_of(use.arguments, _PYTEST_VALUES)
    flags = []
    if options.has("--collect-only", "--co", "--version", "--help", "-h", "--fixtures", "--markers", "--setup-plan", "-V"):
        flags.append("no-run")
    if options.unclear:
        flags.append("unclear")
    plugins = [value.text if value else None for value in options.values("-p")]
    if any(plugin is None or not (plugin.startswith("no:") or plugin == "xdist") for plugin in plugins):
        use.doubt("it loads a plugin")
    use.only(options, _PYTEST_HARMLESS)
    use.runs_tests("pytest", flags=(*flags, *(f"target:{word.shown}" for word in options.operands)))
    _outside(use, list(options.operands))


def _outside(use: Use, operands: list[Word]) -> None:
    for word in operands:
        if word.text is None:
            use.doubt("which tests it runs is not known")
        elif word.text.startswith(("/", "~", "..")):
            use.doubt("it runs tests outside of the project")


def _unittest(use: Use) -> None:
    use.runs_tests("unittest")


def _coverage(use: Use) -> None:
    verb = use.texts[0] if use.texts else None
    if verb == "run":
        rest = use.arguments[1:]
        at = next((n for n, word in enumerate(rest) if word.text == "-m"), None)
        if at is not None and at + 1 < len(rest) and rest[at + 1].text in ("pytest", "unittest"):
            read(Use(str(rest[at + 1].text), rest[at + 2 :], use.call, use.story, use.walk))
        else:
            use.runs_code("a script")
    elif verb not in ("report", "html", "xml", "json", "lcov", "combine", "erase"):
        use.doubt("it is not a plain verb of coverage")


def _checker(use: Use) -> None:
    takers = "--config-file --rcfile -c --config --project --plugins --python-version --exclude --max-line-length --select --ignore -o --output"
    options = options_of(use.arguments, f"{takers} -f --format --jobs -j -p -m --output-file --disable --enable")
    use.only(options, _CHECKER_HARMLESS)


def _ruff(use: Use) -> None:
    options = options_of(
        use.arguments, "--select --ignore --config --extend-select --line-length --output-format --output-file -o"
    )
    verb = options.texts[0] if options.operands else None
    if options.has("--fix", "--unsafe-fixes", "--fix-only", "--add-noqa", "-o", "--output-file", "--watch"):
        use.doubt("it changes files")
    if verb == "format" and not options.has("--check", "--diff"):
        use.doubt("it changes files")
    elif verb not in ("check", "format", "rule", "version", "config", "linter", None) or options.unclear:
        use.doubt("it is not a plain verb of ruff")


def _codespell(use: Use) -> None:
    use.only(options_of(use.arguments, "-L -S --skip -I"), "-L -S --skip --ignore-words-list --count -q --quiet-level")


def _formatter(use: Use) -> None:
    if not options_of(use.arguments).has("--check", "--diff", "--check-only", "--version", "-c"):
        use.doubt("it changes files")


def _test_environment(use: Use) -> None:
    """tox and nox run what the project's own configuration says: its tests and checks."""
    options = options_of(use.arguments, "-e -c -s -f -k -x --session --sessions")
    if (
        options.has("-c", "--conf", "--notest", "--devenv", "-f", "--noxfile", "-x", "--override")
        or options.unclear
        or options.operands
    ):
        use.doubt("one of its options does more than testing")
    use.runs_tests(use.name)


def _pip(use: Use) -> None:
    verb = use.texts[0] if use.texts else None
    if verb in ("list", "show", "freeze", "check", "--version", "-V", "help", "debug", "inspect"):
        return
    use.tell("configures", f"pip {verb}", flags=("packages",))
    use.reaches_network("packages")


def _runner(use: Use) -> None:
    """`uv run pytest`, `poetry run mypy`: what they run is read as if it stood alone."""
    verb = use.texts[0] if use.texts else None
    if verb == "run" or verb == "exec":
        options = options_of(
            use.arguments[1:],
            "--with --python -p --extra --group --env-file --directory --project -e",
            first_operand_ends=True,
        )
        if options.has(
            "--with",
            "--env-file",
            "--directory",
            "--project",
            "--with-requirements",
            "--script",
            "--python",
            "-p",
            "--index-url",
        ):
            use.doubt("one of its options changes what runs")
        words = [word for word in options.operands if word.text != "--"]
        if words:
            use.runs(words)
        else:
            use.opaque("what it runs is not known")
    elif verb in ("--version", "version", "show", "tree", "list") or use.texts[:2] in (
        ["pip", "list"],
        ["pip", "show"],
        ["pip", "freeze"],
        ["env", "info"],
    ):
        return
    else:
        use.tell("configures", f"{use.name} {verb}", flags=("packages",))
        use.doubt("it changes packages or the environment")


def _pre_commit(use: Use) -> None:
    use.doubt("it runs the hooks of the configuration")


_HANDLERS = {
    "pytest": _pytest, "py.test": _pytest, "unittest": _unittest, "coverage": _coverage, "ruff": _ruff, "black": _formatter,
    "isort": _formatter, "codespell": _codespell, "tox": _test_environment, "nox": _test_environment, "pip": _pip, "pip3": _pip,
    "pre-commit": _pre_commit, **dict.fromkeys(_RUNNERS, _runner),
}  # fmt: skip
