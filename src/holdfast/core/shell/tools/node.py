"""JavaScript and TypeScript: the runtimes, package managers, test runners, linters and type checkers."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.options import options_of
from holdfast.core.shell.scope import Word

_SCRIPTS = (
    "test",
    "tests",
    "lint",
    "build",
    "check",
    "typecheck",
    "type-check",
    "types",
    "format:check",
    "unit",
    "coverage",
    "ci",
    "tsc",
    "e2e",
    "compile",
)
"""Scripts of a package that a project runs all day; `test:unit` and the like count by their first part."""
TEST_RUNNERS = ("jest", "vitest", "mocha", "ava", "tap", "playwright", "cypress")
_MANAGER_HARMLESS = (
    "-w --workspace --workspaces -ws --filter -F -r --recursive -s --silent --if-present --version -v --help -h --json --depth --all -a --parallel"
    " --production --prod --dev --long -l --loglevel --no-color --color --offline --ci --coverage --run --watch=false --runInBand -i --bail --verbose"
    " --passWithNoTests --audit-level --omit --include-workspace-root --stream --since -t --testNamePattern --reporter --noEmit --quiet -q --check"
)
_RUNNER_HARMLESS = (
    "-t --testNamePattern --reporter --run --coverage --watch --watchAll --runInBand -i --bail --verbose --silent --passWithNoTests --shard --ci"
    " --no-coverage --coverage.enabled --listTests --list --version --help -h -v --maxWorkers -w --workers --findRelatedTests --onlyChanged -o"
    " --changed --related --testPathPattern --testPathPatterns --selectProjects --project --no-cache --timeout --grep -g --recursive --exit"
    " --color --no-color --colors --forceExit --detectOpenHandles --logHeapUsage --sequence.shuffle --retry --no-file-parallelism --typecheck"
    " --headed --browser --spec --quiet -q --showConfig --errorOnDeprecated --maxfail --no-watch --update=false --retries --repeat-each --fgrep -f"
)
_INFORMATION = (
    "list",
    "ls",
    "outdated",
    "why",
    "explain",
    "view",
    "info",
    "show",
    "root",
    "bin",
    "prefix",
    "--version",
    "-v",
    "help",
    "doctor",
    "ll",
    "query",
)


def read(use: Use) -> None:
    """Tell what a JavaScript tool does."""
    if use.name in ("npm", "yarn", "pnpm", "bun"):
        _package_manager(use)
    elif use.name in ("npx", "bunx"):
        _run_package(use, use.arguments)
    elif use.name in TEST_RUNNERS:
        _tests(use)
    elif use.name in ("node", "nodejs", "deno", "tsx", "ts-node"):
        _runtime(use)
    else:
        handler = _HANDLERS.get(use.name)
        if handler is None:
            use.doubt("it is not among the plainly safe tools")
        else:
            handler(use)


def _package_manager(use: Use) -> None:
    own = use.texts.index("--") if "--" in use.texts else len(use.texts)
    options = options_of(use.arguments, "-w --workspace --prefix --filter -C --cwd --dir -F", first_operand_ends=True)
    use.only(options_of(use.arguments[:own], "-w --workspace --filter -F --loglevel --depth"), _MANAGER_HARMLESS)
    _passed_on(use, use.arguments[own + 1 :])
    verb = options.texts[0] if options.operands else None
    rest = list(options.operands[1:])
    if verb is None:
        if not options.has("--version", "-v", "--help", "-h"):
            use.doubt("it installs packages" if not options.unclear else "its verb is not known")
        return
    if verb in ("run", "run-script"):
        _script(use, rest)
    elif verb in ("test", "t", "tst"):
        use.runs_tests(f"{use.name} test")
    elif verb in ("exec", "dlx", "x"):
        _run_package(use, rest, downloads=verb == "dlx")
    elif verb in _INFORMATION or (verb == "audit" and "fix" not in use.texts):
        if verb in ("view", "info", "show", "outdated", "audit"):
            use.tell("network", verb)
    elif use.name in ("yarn", "pnpm", "bun") and (verb in _SCRIPTS or verb.partition(":")[0] in _SCRIPTS):
        _script(use, [Word(verb), *rest])
    elif use.name in ("yarn", "pnpm") and (verb in TEST_RUNNERS or verb in _HANDLERS):
        read(Use(verb, rest, use.call, use.story, use.walk))
    else:
        if verb == "version" and "--no-git-tag-version" not in use.texts:
            use.commits("version")
        use.tell("configures", f"{use.name} {verb}", flags=("packages",))
        use.doubt(f"{verb} changes packages, or runs what is not known")


def _passed_on(use: Use, words: list[Word]) -> None:
    """Judge what is passed on to a script: its test runner or linter gets it."""
    options = options_of(words, "-t --testNamePattern --reporter --grep -g")
    use.only(options, f"{_RUNNER_HARMLESS} --noEmit --check --max-warnings --ext")
    if any((text or "/").startswith(("/", "~", "..")) for text in options.texts):
        use.doubt("it is given files outside of the project")


def _script(use: Use, rest: list[Word]) -> None:
    words = [word for word in rest if not (word.text or "").startswith("-")]
    script = words[0].text if words else None
    if not words:
        return  # lists the scripts
    if (
        script is None
        or not (script in _SCRIPTS or script.partition(":")[0] in _SCRIPTS)
        or script.endswith((":fix", ":write", ":deploy", ":publish"))
    ):
        use.runs_code(f"the script {script or 'that is not known'}")
        return
    if any(word.text is None for word in rest) or any((word.text or "").startswith("--script-shell") for word in rest):
        use.doubt("what it passes on is not known")
    arguments = [word.text or "" for word in rest]
    if any(text in ("--fix", "--write", "-u", "--updateSnapshot", "--update-snapshots") for text in arguments):
        use.doubt("it changes files")
    if script.partition(":")[0] in ("test", "tests", "unit", "e2e", "coverage", "ci"):
        use.runs_tests(f"{use.name} run {script}")


def _run_package(use: Use, words: list[Word], *, downloads: bool = False) -> None:
    options = options_of(words, "-p --package -c --call", first_operand_ends=True)
    if options.beyond(frozenset(("--no-install", "--no", "--quiet", "-q"))) or downloads:
        use.doubt("it may download and run a package")
    inner = [word for word in options.operands if word.text != "--"]
    name = inner[0].text if inner else None
    if name in TEST_RUNNERS or name in _HANDLERS:
        read(Use(str(name), inner[1:], use.call, use.story, use.walk))
    else:
        use.runs_code(f"the package {name or 'that is not known'}")
        if not options.has("--no-install", "--no"):
            use.tell("network", "packages")


def _tests(use: Use) -> None:
    options = options_of(
        use.arguments,
        "-t --testNamePattern -c --config --reporter --outputFile --project --dir --root -r --require -g --grep --shard",
    )
    if use.name in ("playwright", "cypress") and options.texts[:1] not in (["test"], ["run"]):
        use.doubt("it is not a plain run of tests")
    use.only(options, _RUNNER_HARMLESS)
    if any(word.text is None for word in options.operands):
        use.doubt("which tests it runs is not known")
    flags = ("no-run",) if options.has("--listTests", "--version", "--help", "--showConfig", "--list") else ()
    use.runs_tests(use.name, flags=flags)


def _runtime(use: Use) -> None:
    options = options_of(use.arguments, "-e --eval -p --print -r --require --import --loader", first_operand_ends=True)
    if use.texts in (["--version"], ["-v"], ["--help"]):
        return
    if (
        use.name in ("node", "nodejs")
        and use.texts[:1] == ["--test"]
        and not options.has("-r", "--require", "--import", "--loader", "-e")
    ):
        use.runs_tests("node:test")
        if any(text is None or text.startswith(("/", "~", "..")) for text in use.texts):
            use.doubt("which tests it runs is not known")
    elif use.texts[:1] == ["--check"]:
        return
    elif (
        use.name == "deno"
        and use.texts[:1] in (["test"], ["lint"], ["check"])
        and not any((t or "").startswith(("-A", "--allow")) for t in use.texts)
    ):
        if use.texts[0] == "test":
            use.runs_tests("deno")
    elif any(word.network for word in use.arguments):
        use.runs_download()
    elif options.has("-e", "--eval", "-p", "--print"):
        use.runs_code("inline code")
    elif options.operands and options.operands[0].text != "-":
        use.runs_code("a script")
    else:
        use.runs_input()


def _tsc(use: Use) -> None:
    options = options_of(use.arguments, "-p --project --outDir --outFile")
    if (
        options.has("--outDir", "--outFile", "--init", "--generateTrace", "--tsBuildInfoFile", "--watch", "-w")
        or options.unclear
    ):
        use.doubt("it writes files of its own")
    elif not all(
        value is not None and (value.text == "." or use.inside(value)) for value in options.values("-p", "--project")
    ):
        use.doubt("its project is not inside of this one")
    elif not options.has("--noEmit", "--version", "-v", "--help", "--showConfig", "--listFiles", "-b", "--build"):
        use.doubt("it writes what it compiles")


def _linter(use: Use) -> None:
    options = options_of(
        use.arguments,
        "-c --config --ext --format -f --rulesdir --plugin --resolve-plugins-relative-to -o --output-file --parser",
    )
    if options.has("--fix", "--fix-dry-run", "--write", "-w", "--apply", "--apply-unsafe", "-o", "--output-file", "--rulesdir", "--plugin", "-c", "--config",
                   "--resolve-plugins-relative-to", "--parser", "--init", "-f", "--format") or options.unclear:  # fmt: skip
        formats = [value.text if value else None for value in options.values("-f", "--format")]
        only_format = not options.has("--fix", "--fix-dry-run", "--write", "-w", "--apply", "--apply-unsafe", "-o", "--output-file", "--rulesdir", "--plugin",
                                      "-c", "--config", "--resolve-plugins-relative-to", "--parser", "--init") and not options.unclear  # fmt: skip
        if not (only_format and all(one in ("json", "stylish", "compact", "unix") for one in formats)):
            use.doubt("it changes files, or one of its options loads something else")
    if use.name == "biome" and options.texts[:1] not in (["check"], ["lint"], ["ci"]):
        use.doubt("it is not a plain check")


def _prettier(use: Use) -> None:
    options = options_of(use.arguments, "--config --plugin --parser --ignore-path")
    if not options.has("--check", "-c", "--list-different", "-l", "--version") or options.has(
        "--write", "-w", "--plugin", "--config"
    ):
        use.doubt("it changes files, or does more than checking")


def _task_runner(use: Use) -> None:
    """turbo and nx run the scripts of packages."""
    words = [text for text in use.texts if text is None or not text.startswith("-")]
    if words[:1] == ["run"] or words[:1] == ["run-many"]:
        words = words[1:]
    options = options_of(use.arguments)
    use.only(options, "--filter -t --target --all --parallel --no-cache --skip-nx-cache --affected")
    if not words or words[0] is None or words[0].partition(":")[0] not in _SCRIPTS:
        use.runs_code("a script")
    elif words[0].partition(":")[0] in ("test", "unit", "e2e"):
        use.runs_tests(use.name)


_HANDLERS = {
    "turbo": _task_runner, "nx": _task_runner, "tsc": _tsc, "vue-tsc": _tsc, "eslint": _linter, "stylelint": _linter, "biome": _linter, "oxlint": _linter, "prettier": _prettier,
    "svelte-check": _linter, "markdownlint": _linter, "markdownlint-cli2": _linter,
}  # fmt: skip
