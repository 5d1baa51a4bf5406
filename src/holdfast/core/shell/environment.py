"""Variables that change what runs, and those that do not."""

from __future__ import annotations

from holdfast.core.shell.effects import CONFIGURES, Effect
from holdfast.core.shell.scope import UNKNOWN, Scope, Word
from holdfast.core.shell.story import Story
from holdfast.core.shell.words import NotUnderstood, WordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HARMLESS = frozenset(
    "CI DEBUG VERBOSE NODE_ENV RAILS_ENV RACK_ENV MIX_ENV APP_ENV ENVIRONMENT FLASK_ENV DJANGO_ENV LANG LANGUAGE TZ COLUMNS"
    " LINES TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE PORT LOG_LEVEL LOGLEVEL RUST_BACKTRACE RUST_LOG"
    " CGO_ENABLED GOOS GOARCH GOMAXPROCS PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8"
    " PYTEST_DISABLE_PLUGIN_AUTOLOAD CARGO_TERM_COLOR CARGO_INCREMENTAL LC_ALL LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME LC_COLLATE NEXT_TELEMETRY_DISABLED DOTNET_CLI_TELEMETRY_OPTOUT"
    " SOURCE_DATE_EPOCH TEST_ENV JEST_WORKERS VITEST_MAX_THREADS HYPOTHESIS_PROFILE COVERAGE_CORE".split()
)
"""Names that no program takes a command, a file to load or a place to look from."""

DANGEROUS_PREFIXES = (
    "LD_",
    "DYLD_",
    "GIT_",
    "BASH_",
    "NPM_CONFIG_",
    "npm_config_",
    "PIP_",
    "UV_",
    "SSH_",
    "CARGO_",
    "RUSTC",
    "GO",
)
DANGEROUS = frozenset(
    "PATH IFS ENV BASH_ENV SHELL SHELLOPTS BASHOPTS PS1 PS4 PROMPT_COMMAND CDPATH GLOBIGNORE HOME EDITOR VISUAL PAGER MANPAGER"
    " LESS LESSOPEN LESSCLOSE LESSEDIT BROWSER PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONWARNINGS PYTHONBREAKPOINT"
    " PYTEST_ADDOPTS PYTEST_PLUGINS NODE_OPTIONS NODE_PATH RUBYOPT RUBYLIB PERL5OPT PERL5LIB PERL5DB JAVA_TOOL_OPTIONS"
    " JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS CC CXX CPP AR AS LD CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS MAKE RUSTFLAGS"
    " TAR_OPTIONS GREP_OPTIONS GZIP RSYNC_RSH CVS_RSH HUSKY SKIP HUSKY_SKIP_HOOKS LEFTHOOK PRE_COMMIT_ALLOW_NO_CONFIG"
    " OPENSSL_CONF CURL_HOME WGETRC XDG_CONFIG_HOME TMPDIR".split()
)


def is_dangerous(name: str) -> bool:
    """Tell whether a variable of this name changes what programs run or load."""
    return (
        name in DANGEROUS
        or name.endswith(("PAGER", "_OPTIONS", "_OPTS"))
        or (name.startswith(DANGEROUS_PREFIXES) and name not in HARMLESS)
    )


def tell_variable(name: str, value: str, story: Story, scope: Scope) -> None:
    """Say that a variable is set that changes what programs do."""
    story.tell(Effect(CONFIGURES, (name,), scope.folder, detail="variable", flags=("environment", f"value:{value}")))
    story.doubt(f"{name} changes what programs do")


def _known_text(node: dict[str, Any], reader: WordReader) -> str:
    return (reader.value(node["Value"]).text or "") if node.get("Value") else ""


def read_assignment(
    node: dict[str, Any], reader: WordReader, story: Story, scope: Scope, *, exported: bool = False
) -> tuple[str, tuple[Word, ...] | None, bool]:
    """Return the name, the value and whether it is an array; say what the assignment changes."""
    name = node["Name"]["Value"]
    if node.get("Index"):
        if is_dangerous(name):
            story.doubt(f"{name} changes what programs do")
        reader.arithmetic(node["Index"])
        return name, None, True
    if is_dangerous(name):
        tell_variable(name, _known_text(node, reader), story, scope)
    elif exported and name not in HARMLESS and name.isupper():
        story.doubt(f"what {name} does to programs is not known")
    array = node.get("Array")
    if array is not None:
        values: list[Word] = []
        for element in array.get("Elems") or []:
            if element.get("Index"):
                raise NotUnderstood("an array with indices")
            values.extend(reader.expanded(element["Value"]) if element.get("Value") else [UNKNOWN])
        return name, tuple(values) if not node.get("Append") else None, True
    value = reader.value(node["Value"]) if node.get("Value") else Word("")
    if node.get("Append"):
        return name, None, name in scope.arrays
    return name, (value,), False
