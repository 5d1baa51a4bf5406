"""Builds, tests and checks of other languages, by the verbs that a project uses all day."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.options import options_of

TEST_VERBS = {
    "go": ("test",), "cargo": ("test", "nextest", "t"), "mvn": ("test", "verify", "surefire:test"), "mvnw": ("test", "verify"),
    "gradle": ("test", "check"), "gradlew": ("test", "check"), "dotnet": ("test",), "swift": ("test",), "mix": ("test",), "flutter": ("test",),
    "dart": ("test",), "sbt": ("test",), "rake": ("test", "spec"), "stack": ("test",), "cabal": ("test",), "zig": ("test",), "bazel": ("test",),
    "meson": ("test",), "composer": ("test",), "rebar3": ("eunit", "ct"),
}  # fmt: skip
SAFE_VERBS = {
    "go": "build vet fmt list version env doc mod".split(), "cargo": "build check clippy tree metadata doc b c version fmt bench --version".split(),
    "mvn": "compile validate test-compile package dependency:tree --version -v -version".split(), "mvnw": "compile validate test-compile".split(),
    "gradle": "build assemble compileJava compileKotlin classes tasks dependencies projects --version".split(),
    "gradlew": "build assemble compileJava compileKotlin classes tasks dependencies projects --version".split(),
    "dotnet": "build --version --info --list-sdks".split(), "swift": "build --version".split(), "mix": "compile credo dialyzer".split(),
    "flutter": ["analyze"], "dart": ["analyze"], "sbt": ["compile"], "stack": ["build"], "cabal": ["build"], "zig": ["build"],
    "bazel": "build query".split(), "meson": ["compile"], "composer": "validate show".split(), "rebar3": "compile dialyzer xref".split(),
    "terraform": "validate fmt version providers".split(), "tofu": "validate version".split(), "helm": "lint template version list".split(), "buf": "lint build".split(),
    "rustup": "show --version".split(), "bundle": [],
}  # fmt: skip
_HARMLESS = {
    "go": "-v -run -count -race -short -timeout -cover -covermode -bench -benchmem -parallel -p -failfast -json -tags -skip -list -m -u -json -shuffle -x -n -f -deps"
    " -benchtime -mod",
    "cargo": "-q -v --all --workspace --release --lib --bins --bin --tests --test --doc --examples --all-targets --all-features --features --no-default-features"
    " -p --package --exclude --no-run --no-fail-fast --locked --frozen --offline -j --jobs --message-format --verbose --quiet --check --version -V --list"
    " --depth -d --duplicates -i --format-version --no-deps -e --edges --color --keep-going --profile",
    "mvn": "-q -B -o -T -pl -am -U -ntp --batch-mode --quiet --offline -DskipTests -Dtest -DfailIfNoTests -Dsurefire.failIfNoSpecifiedTests -Dcheckstyle.skip -fae"
    " --no-transfer-progress -version -v -V --version",
    "gradle": "-q --quiet --info --offline --no-daemon --parallel --tests --continue --stacktrace --rerun-tasks --console --warning-mode --configuration-cache"
    " --build-cache --no-build-cache -x --version -v --max-workers --no-parallel --fail-fast --all",
    "dotnet": "--no-build --no-restore -c --configuration --filter -v --verbosity --nologo -q --version --info --list-sdks",
    "swift": "-c --configuration --filter --parallel -v --verbose --version --skip --enable-code-coverage --quiet",
    "mix": "--only --exclude --trace --cover --failed --stale --seed --max-failures --warnings-as-errors --strict",
    "flutter": "--no-pub --coverage --name --plain-name", "dart": "-r --reporter -n --name --fatal-infos", "bazel": "--test_output --config=ci --keep_going",
    "meson": "-C --suite --no-rebuild -v --verbose --print-errorlogs", "helm": "--strict -f --values -A --all-namespaces -n --namespace --set",
    "terraform": "-check -diff -recursive -no-color -json", "buf": "", "composer": "--no-interaction -n --strict", "rake": "", "zig": "",
}  # fmt: skip
_HARMLESS["gradlew"], _HARMLESS["mvnw"], _HARMLESS["tofu"] = _HARMLESS["gradle"], _HARMLESS["mvn"], _HARMLESS["terraform"]
_CHECKER_HARMLESS = (
    "-s -S --shell --severity -e --exclude -f --format -x --external-sources -a -o --color -C --wiki-link-count -W --norc --timeout --fast --enable --disable -E -D -v"
    " --verbose --quiet -q --std --level -l --no-progress --memory-limit --error-format --no-cache --only --except --lint -L --display-cop-names --parallel"
    " --ignore --no-color --no-fail --threads --show-info --strict --language --inconclusive --version --help -h --new-from-rev --build-tags --new"
)
CHECKERS = frozenset(
    "golangci-lint staticcheck shellcheck hadolint actionlint phpstan psalm rubocop tflint cppcheck swiftlint".split()
)
_TESTS_HARMLESS = (
    "--test-dir -R -E -j -V -VV --output-on-failure --verbose -v --stop-on-failure --rerun-failed --progress -N --show-only --version --help -h --parallel"
    " -f --format --fail-fast --order --tag --example -e --seed --color --colors --no-color --filter --testsuite --group --stop-on-error --testdox"
    " --list-tests --dry-run -t --tap -p --pretty --recursive --count -c --jobs --timing -L -LE -C --build-config --timeout --only-failures --backtrace -b"
)
TEST_PROGRAMS = frozenset("ctest rspec phpunit pest bats minitest".split())
_MAKE_TARGETS = frozenset(
    "test tests check lint build all format-check typecheck type-check types unit unit-test unit-tests integration coverage cov compile"
    " vet ci verify help docs fmt-check e2e bench".split()
)


def read(use: Use) -> None:
    """Tell what a build tool does."""
    if use.name in ("make", "gmake", "just", "task"):
        _make(use)
    elif use.name == "bundle" and use.texts[:1] == ["exec"] and len(use.arguments) > 1:
        if use.texts[1] not in ("rspec", "rubocop", "rake", "minitest"):
            use.doubt("what it runs is not among the plainly safe tools")
        use.runs(use.arguments[1:])
    elif use.name in TEST_PROGRAMS:
        _tests(use)
    elif use.name in CHECKERS:
        _checker(use)
    elif use.name in TEST_VERBS or use.name in SAFE_VERBS:
        _verbs(use)
    elif use.name in ("gofmt", "goimports", "rustfmt", "shfmt", "clang-format"):
        _formatter(use)
    elif use.texts in (["--version"], ["-version"], ["-v"], ["-V"], ["--help"]):
        return
    elif use.name in ("cmake", "ninja"):
        _cmake(use)
    elif use.name in ("ruby", "perl", "php", "lua", "java", "R", "Rscript", "julia", "elixir", "iex", "kotlin", "scala"):
        _interpreter(use)
    else:
        use.doubt("it is not among the plainly safe tools")


def _make(use: Use) -> None:
    options = options_of(use.arguments, "-C -f -j -l -o -W -I --directory --file --makefile --jobs")
    folders = options.values("-C", "--directory")
    changed = options.has("-f", "--file", "--makefile", "--eval", "-E", "-I", "--include-dir")
    if changed or options.unclear or not all(use.inside(folder) for folder in folders):
        use.doubt("one of its options changes what it runs")
    targets = [text for text in options.texts if text is not None]
    if any("=" in target for target in targets):
        use.doubt("a variable on the command line changes what it runs")
    words = [target for target in targets if "=" not in target and not target.isdigit()]
    if options.has("-n", "--dry-run", "--just-print", "-q", "-p"):
        use.doubt("even a dry run of make runs some commands")
    if any(not _is_plain_target(target) for target in words):
        use.runs_code(f"the target {' '.join(words)}")
    elif any(target.partition("-")[0] in ("test", "tests", "check", "unit", "ci", "verify") for target in words):
        use.runs_tests(f"{use.name} {' '.join(words)}")


def _is_plain_target(target: str) -> bool:
    return target in _MAKE_TARGETS or (
        target.startswith(("test-", "test_", "lint-", "check-", "build-")) and "push" not in target
    )


def _tests(use: Use) -> None:
    options = options_of(
        use.arguments,
        "--test-dir -R -E -j --output-junit -r --require -I -f -o --format --filter --bootstrap -c --configuration -e --tag -L",
    )
    use.only(options, _TESTS_HARMLESS)
    use.runs_tests(
        use.name,
        flags=("no-run",) if options.has("-N", "--show-only", "--version", "--help", "--list-tests", "--dry-run") else (),
    )


def _checker(use: Use) -> None:
    options = options_of(use.arguments, "-c --config")
    use.only(options.replace(unclear=False) if use.name == "shellcheck" else options, _CHECKER_HARMLESS)
    verbs = options.texts[:1]
    if use.name == "golangci-lint" and verbs not in (["run"], ["version"], ["linters"]):
        use.doubt("it is not a plain check")


def _verbs(use: Use) -> None:
    words = [text for text in use.texts if not (text or "").startswith("+")]  # cargo +nightly
    if use.name == "cargo" and len(words) != len(use.texts):
        use.doubt("it chooses another toolchain")
    verb = next(
        (text for text in words if text is None or not text.startswith("-") or text in SAFE_VERBS.get(use.name, ())), None
    )
    if use.name in ("gradle", "gradlew") and verb and verb.startswith(":"):
        words[words.index(verb)] = verb = verb.rpartition(":")[2]
    _verb_options(use, words)
    targets = [text for text in words[words.index(verb) + 1 :] if text and not text.startswith("-")] if verb in words else []
    if verb in TEST_VERBS.get(use.name, ()):
        _verb_tests(use, str(verb), targets)
    elif verb not in SAFE_VERBS.get(use.name, ()):
        use.tell("code", f"{use.name} {verb or ''}")
        use.doubt(f"{verb or 'what it does'} is not among the plainly safe verbs")
    elif verb == "fmt" and not any(text in ("-check", "-n", "--check") for text in words):
        use.doubt("it changes files")
    elif use.name == "go" and verb == "mod" and targets[:1] not in (["graph"], ["verify"], ["why"]):
        use.doubt("it changes the module")
    elif use.name == "go" and verb == "env" and any(text in ("-w", "-u") for text in words):
        use.doubt("it changes the configuration")


def _verb_options(use: Use, words: list[str | None]) -> None:
    known = _HARMLESS.get(use.name, "").split()
    for text in words:
        if text is None:
            use.doubt("which options it has is not known")
        elif text == "--":
            break
        elif text.startswith("-") and text.partition("=")[0] not in known and text not in SAFE_VERBS.get(use.name, ()):
            use.doubt(f"what its option {text} does is not known")


def _verb_tests(use: Use, verb: str, targets: list[str]) -> None:
    use.runs_tests(f"{use.name} {verb}", flags=tuple(f"target:{target}" for target in targets))
    if use.name in ("mvn", "mvnw", "gradle", "gradlew"):
        known = (*SAFE_VERBS[use.name], *TEST_VERBS[use.name], "clean")
        others = [text for text in targets if text not in known and not text.startswith((":", "*")) and "." not in text]
        if others:
            use.doubt("it does more than testing")
    if any(target.startswith(("/", "~", "..")) and not target.startswith("//") for target in targets):
        use.doubt("it runs tests outside of the project")


def _formatter(use: Use) -> None:
    options = options_of(use.arguments, "-style --config --edition -i")
    checking = {
        "gofmt": ("-l", "-d"),
        "goimports": ("-l", "-d"),
        "rustfmt": ("--check",),
        "shfmt": ("-d", "-l"),
        "clang-format": ("--dry-run", "-n"),
    }[use.name]
    if not options.has(*checking) or options.has("-w", "-i", "-cpuprofile", "--emit", "--config-path") or options.unclear:
        use.doubt("it changes files")


def _cmake(use: Use) -> None:
    """Configuring into, and building in, a folder of the project with plain options is what a project does all day."""
    options = options_of(use.arguments, "-B -S -G -D -C -P -E --build -j --parallel --target -t --config")
    if use.name == "cmake" and options.exactly("--build"):
        known = options.beyond(frozenset(("--build", "-j", "--parallel", "--config", "-v", "--verbose"))) == []
        plain = known and not options.operands and not options.unclear
        folders = options.values("--build")
    else:
        known = options.beyond(frozenset(("-S", "-B", "-C", "-j", "-v", "-k"))) == []
        targets = [text for text in options.texts if text not in ("test", "all", "check", ".")]
        folders = options.values("-S", "-B", "-C")
        plain = known and not targets and not options.unclear and bool(folders or options.operands)
    if use.name == "ninja" and "test" in options.texts:
        use.runs_tests("ninja test")
    if not plain or not all(value is not None and (value.text == "." or use.inside(value)) for value in folders):
        use.doubt("it runs what its files say")


def _interpreter(use: Use) -> None:
    options = options_of(use.arguments, "-e -E -r -c", first_operand_ends=True)
    if use.name == "php" and use.texts[:1] in (["-l"], ["--version"]):
        return
    if any(word.network for word in use.arguments):
        use.runs_download()
    elif options.has("-e", "-E", "-r", "-n"):
        use.runs_code("inline code")
    elif not options.operands or options.operands[0].text == "-":
        use.runs_input()
    else:
        use.runs_code(f"the program {options.operands[0].shown}")
