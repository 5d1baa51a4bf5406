"""A simple command: which program it is, and which reader knows what that program does."""

from __future__ import annotations

from holdfast.core.record import Record
from holdfast.core.shell.effects import CODE, COMMITS, DELETES, NETWORK, READS, RUNS, TESTS, WRITES, Effect
from holdfast.core.shell.environment import HARMLESS, is_dangerous
from holdfast.core.shell.options import Options
from holdfast.core.shell.scope import Scope, Word, joined
from holdfast.core.shell.secrets import is_secret
from holdfast.core.shell.story import Story
from holdfast.core.shell.tools import family_of, only_reads, runs_project_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.shell.reader import Walk

_SYSTEM_FOLDERS = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/libexec/git-core")
_PROJECT_FOLDERS = ("node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin", "env/bin", ".tox/bin")
_WRAPPER_SCRIPTS = ("gradlew", "mvnw")


class Call(Record):
    """A simple command as it stands."""

    words: list[Word]
    scope: Scope
    assigned: tuple[str, ...] = ()
    """Names of the variables that are set for it alone."""
    masked: str = ""
    piped: str = ""
    """What it gets on its input: "pipe", "network", "file", "here", "here:TEXT", or nothing."""

    def __hash__(self) -> int:
        return hash((self.masked, self.piped))


class Use:
    """A program with its arguments: what a tool's reader is given, and how it says what it understood."""

    def __init__(self, name: str, arguments: list[Word], call: Call, story: Story, walk: Walk) -> None:
        self.name = name
        self.arguments = arguments
        self.call = call
        self.scope = call.scope
        self.story = story
        self.walk = walk
        self.program_span = (-1, -1)

    @property
    def texts(self) -> list[str | None]:
        """The arguments' values."""
        return [word.text for word in self.arguments]

    @property
    def shown(self) -> tuple[str, ...]:
        """The words for the eye."""
        return (self.name, *(word.shown for word in self.arguments))

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where the words stand in the command."""
        return (self.program_span, *(word.span for word in self.arguments))

    def tell(self, kind: str, detail: str = "", path: str = "", flags: tuple[str, ...] = ()) -> None:
        """Say what happens."""
        self.story.tell(Effect(kind, self.shown, self.scope.folder, path, detail, self.call.masked, flags, self.spans))

    def doubt(self, why: str) -> None:
        """Say why it is not plainly safe."""
        self.story.doubt(f"{self.name}: {why}")

    def opaque(self, why: str) -> None:
        """Say that it is not understood."""
        self.story.opaque(f"{self.name}: {why}", [Word(self.name), *self.arguments], self.scope)

    def where(self, word: Word) -> str:
        """Return the path that a word names, as seen from the start; empty when it is not known."""
        return (joined(self.scope.folder, word.text) or "") if word.text is not None else ""

    def reads(self, word: Word) -> None:
        """Say that a file is read."""
        path = self.where(word)
        self.tell(READS, path=path)
        if path and is_secret(path):
            self.doubt(f"{path} may hold secrets")

    def writes(self, word: Word, detail: str = "", flags: tuple[str, ...] = ()) -> None:
        """Say that a file is written."""
        path = self.where(word)
        self.tell(WRITES, detail, path, flags)
        self.doubt(f"it writes {path or 'a file that is not known'}")

    def deletes(self, word: Word, flags: tuple[str, ...] = ()) -> None:
        """Say that a file is deleted."""
        path = self.where(word)
        self.tell(DELETES, "", path, flags)
        self.doubt(f"it deletes {path or 'what is not known'}")

    def reaches_network(self, detail: str = "") -> None:
        """Say that it talks to other machines."""
        self.tell(NETWORK, detail)
        self.doubt("it reaches the network")

    def runs_code(self, what: str) -> None:
        """Say that it runs code that the command line does not show the effects of."""
        self.tell(CODE, what)
        self.doubt(f"it runs {what}")

    def runs_download(self) -> None:
        """Say that it runs what comes from another machine."""
        self.tell(CODE, "a download", flags=("download",))
        self.doubt("it runs what it downloads")

    def runs_input(self) -> None:
        """Say that it runs what it reads from its input."""
        if self.call.piped == "network":
            self.runs_download()
        else:
            self.runs_code("what it reads from its input")

    def runs_tests(self, runner: str, *, flags: tuple[str, ...] = ()) -> None:
        """Say that it runs the project's tests."""
        self.tell(TESTS, runner, flags=flags)

    def only(self, options: Options, known: str) -> None:
        """Doubt every option that is not known to be harmless."""
        for name in options.beyond(frozenset(known.split())):
            self.doubt(f"what its option {name} does is not known")
        if options.unclear:
            self.doubt("which options it has is not known")

    def inside(self, word: Word | None) -> bool:
        """Tell whether a word names a file inside the project, outside of hidden folders."""
        if word is None or word.text is None:
            return False
        path = self.where(word)
        return (
            bool(path)
            and not path.startswith(("/", "~", ".."))
            and not any(part.startswith(".") for part in path.split("/"))
        )

    def commits(self, verb: str, flags: tuple[str, ...] = ()) -> None:
        """Say that it makes a commit."""
        self.tell(COMMITS, verb, flags=flags)
        self.doubt("it makes a commit")

    def runs(self, words: list[Word]) -> None:
        """Read the command that this one runs."""
        read_call(Call(words, self.scope, (), self.call.masked, self.call.piped), self.story, self.walk)


def read_call(call: Call, story: Story, walk: Walk) -> None:
    """Tell the effects of a simple command."""
    first = call.words[0]
    if first.text is None or (first.pattern and first.text != "[") or not first.text:
        story.opaque("the program is not known", call.words, call.scope)
        return
    if first.text in call.scope.functions:
        walk.call_function(first.text, call.words[1:], call.scope, call.masked, call.piped)
        return
    name, known = _program(first.text)
    use = Use(name, call.words[1:], call, story, walk)
    story.tell(Effect(RUNS, use.shown, call.scope.folder, masked=call.masked, flags=call.assigned))
    reader = family_of(name) if known else None
    if reader is None:
        what = "program" if "/" not in first.text else "program of the project"
        story.tell(Effect(CODE, use.shown, call.scope.folder, detail=f"the {what} {first.text}", masked=call.masked))
        story.doubt(f"what {first.text} does is not known")
        return
    if not only_reads(name):
        _doubt_variables(use)
    if runs_project_code(name):
        _doubt_folder(use)
    walk.deeper(lambda: reader(use))


def _doubt_variables(use: Use) -> None:
    """All but the simplest tools are changed by variables that are set for them."""
    for name in use.call.assigned:
        if not is_dangerous(name) and name not in HARMLESS:
            use.doubt(f"what {name} does to it is not known")


def _doubt_folder(use: Use) -> None:
    if use.scope.folder is None or use.scope.folder.startswith(("/", "~", "..")):
        use.doubt("it runs code outside of the project")


def _program(text: str) -> tuple[str, bool]:
    """Return a program's name, and whether it is one of the machine's or of the project's tools."""
    folder, slash, name = text.rpartition("/")
    if not slash:
        return text, True
    if folder in _SYSTEM_FOLDERS or name in _WRAPPER_SCRIPTS:
        return name, True
    inside = folder.removeprefix("./")
    return name, any(
        inside == tools or inside.endswith(f"/{tools}") for tools in _PROJECT_FOLDERS
    ) and not inside.startswith("/")
