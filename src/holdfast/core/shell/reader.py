"""Reading a command line: from its syntax tree to its effects, in the order of execution.

The tree is that of mvdan/sh, as JSON. Every node is of a type and has fields that are known here, or the part is opaque:
nothing is passed over in silence. Pure: texts that are commands themselves (`bash -c '…'`) are named in `wanted`; the caller
parses them and reads again.
"""

from __future__ import annotations

from holdfast.core.shell.calls import Call, read_call
from holdfast.core.shell.effects import CODE, NETWORK, OPAQUE, Effect, Reading
from holdfast.core.shell.environment import is_dangerous, read_assignment
from holdfast.core.shell.redirects import read_redirects
from holdfast.core.shell.scope import UNKNOWN, Scope, Word
from holdfast.core.shell.story import Story, TooMuch
from holdfast.core.shell.syntax import EVERYWHERE, FIELDS, ODD_BLANKS, fails, multiplies, names_in
from holdfast.core.shell.words import NotUnderstood, WordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = dict[str, Any]

MOST_DEPTH = 60
_MOST_ROUNDS = 40
"""Values of a loop's variable that are followed one by one."""

_STATEMENT_KEYS = {
    "Comments",
    "Cmd",
    "Pos",
    "End",
    "Semicolon",
    "Negated",
    "Background",
    "Coprocess",
    "Disown",
    "Redirs",
    "Position",
}


def read_command(trees: dict[str, Node | None], command: str) -> Reading:
    """Return the effects of a command. `trees` has its syntax, and that of commands within it; None for what has none."""
    story = Story()
    for sign in command:
        # signs that look like blanks or like nothing, and that shells and parsers do not agree about
        if (sign < " " and sign not in "\t\n") or sign in ODD_BLANKS:
            story.opaque("it has signs that cannot be seen")
            break
    if "#" in command and any("#" in line and line.endswith("\\") for line in command.splitlines()):
        story.opaque("a comment ends with a backslash, which shells and parsers do not agree about")
    try:
        walk = Walk(trees, story)
        walk.text(command, Scope(), "")
    except TooMuch:
        story.effects.append(Effect(OPAQUE, detail="it does too much to be followed"))
        story.doubt("it does too much to be followed")
    except RecursionError:
        story.effects.append(Effect(OPAQUE, detail="it is nested too deeply"))
        story.doubt("it is nested too deeply")
    return story.reading()


class Walk:
    """Walks over syntax trees and gathers effects."""

    def __init__(self, trees: dict[str, Node | None], story: Story) -> None:
        self.trees = trees
        self.story = story
        self.depth = 0
        self.inner_texts = 0
        """How many texts of commands are around the present point: positions count only in the outermost one."""

    def text(self, command: str, scope: Scope, masked: str, piped: str = "") -> None:
        """Read a text that is a command."""
        if command not in self.trees:
            if len(self.story.wanted) < 20:
                self.story.wanted.append(command)
            self.story.opaque("a command within the command is not parsed yet")
            return
        tree = self.trees[command]
        if tree is None:
            self.story.opaque("the shell syntax cannot be parsed")
            return
        self.inner_texts += 1
        try:
            self.deeper(lambda: self.statements(tree.get("Stmts") or [], scope, masked, piped))
        finally:
            self.inner_texts -= 1

    def deeper(self, step: Any) -> None:
        """Take a step one level deeper."""
        self.depth += 1
        try:
            if self.depth > MOST_DEPTH:
                raise TooMuch
            step()
        finally:
            self.depth -= 1

    def statements(self, nodes: list[Node], scope: Scope, masked: str, piped: str = "") -> None:
        """Read statements one after the other; only the last one's status counts, unless errors end the shell."""
        for number, node in enumerate(nodes):
            last = number == len(nodes) - 1
            hidden = masked or ("" if last or scope.errexit else "a later command decides the status")
            self.deeper(lambda node=node, hidden=hidden: self.statement(node, scope, hidden, piped))

    def statement(self, node: Node, scope: Scope, masked: str, piped: str = "") -> None:
        """Read one statement with its redirects."""
        if set(node) - _STATEMENT_KEYS or node.get("Coprocess"):
            self.story.opaque("a statement of an unknown form")
            return
        if node.get("Background") or node.get("Disown"):
            masked = masked or "it runs in the background"
            scope = scope.inner()
        if node.get("Negated"):
            masked = masked or "its status is turned around"
        try:
            given = read_redirects(node.get("Redirs") or [], self.words(scope), self.story, scope)
            command = node.get("Cmd")
            if command is not None:
                self.command(command, scope, masked, piped or given)
        except NotUnderstood as part:
            self.story.opaque(f"{part} is not understood")

    def words(self, scope: Scope) -> WordReader:
        """Return a reader of words in this scope."""
        return WordReader(scope, self.substitution, self.story.doubt, spans=self.inner_texts == 1)

    def substitution(self, nodes: list[Node], scope: Scope) -> tuple[str | None, bool]:
        """Read a command substitution; return its output where that is known, and whether it is from the network."""
        began = len(self.story.effects)
        self.deeper(lambda: self.statements(nodes, scope, "its output is used, not its status"))
        return self._known_output(nodes, scope), any(effect.kind == NETWORK for effect in self.story.effects[began:])

    def _known_output(self, nodes: list[Node], scope: Scope) -> str | None:
        """Return the output of the few commands of which it is known."""
        if len(nodes) != 1 or nodes[0].get("Redirs") or (nodes[0].get("Cmd") or {}).get("Type") != "CallExpr":
            return None
        words = [word.text for word in self.words(scope).words(nodes[0]["Cmd"].get("Args"))]
        if words in (["pwd"], ["git", "rev-parse", "--show-toplevel"]):
            return scope.folder if words == ["pwd"] and scope.folder else "."
        if words[:1] == ["which"] or words[:2] == ["command", "-v"] or words[:2] in (["type", "-p"], ["type", "-P"]):
            return words[-1] if len(words) in (2, 3) else None
        if words[:1] == ["echo"] and None not in words and not (words[1:2] and str(words[1]).startswith("-")):
            return " ".join(str(word) for word in words[1:])
        return None

    def command(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        """Read a command of any kind."""
        kind = node.get("Type")
        reader = getattr(self, f"_{str(kind).lower()}", None)
        if reader is None or kind not in FIELDS:
            self.story.opaque(f"syntax of type {kind} is not understood")
            return
        unknown = [
            key for key in node if key not in FIELDS[kind] and key not in EVERYWHERE and not key.endswith(("Pos", "Last"))
        ]
        if unknown:
            self.story.opaque(f"the field {unknown[0]} of {kind} is not understood")
            return
        reader(node, scope, masked, piped)

    def _callexpr(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        reader = self.words(scope)
        assigned = [read_assignment(item, reader, self.story, scope) for item in node.get("Assigns") or []]
        words = reader.words(node.get("Args"))
        if not words:
            if node.get("Args"):
                # every word was an expansion to nothing, as far as it is known
                self.story.opaque("the program is not known")
            for name, values, is_array in assigned:
                scope.variables[name] = values
                (scope.arrays.add if is_array else scope.arrays.discard)(name)
            return
        names = tuple(name for name, _values, _array in assigned)
        read_call(Call(words, scope, names, masked, piped), self.story, self)

    def _binarycmd(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        left, right, operator = node["X"], node["Y"], node.get("Op")
        if operator == "&&":
            self.statement(left, scope, masked, piped)
            self.statement(right, scope, masked, piped)
        elif operator == "||":
            hidden = masked or ("" if fails(right) else "another command decides the status when it fails")
            self.statement(left, scope, hidden, piped)
            before = scope.inner()
            self.statement(right, scope, masked, piped)
            scope.forget_changes(before)
        elif operator in ("|", "|&"):
            hidden = masked or ("" if scope.pipefail else "only the last command of a pipe decides the status")
            began = len(self.story.effects)
            self.statement(left, scope.inner(), hidden, piped)
            network = any(effect.kind == NETWORK for effect in self.story.effects[began:])
            self.statement(right, scope.inner(), masked, "network" if network else "pipe")
        else:
            self.story.opaque(f"the operator {operator} is not understood")

    def _block(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        self.statements(node.get("Stmts") or [], scope, masked, piped)

    def _subshell(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        self.statements(node.get("Stmts") or [], scope.inner(), masked, piped)

    def _ifclause(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        self.statements(node.get("Cond") or [], scope, "its status is a condition", piped)
        before = scope.inner()
        branches = [node.get("Then") or []]
        other = node.get("Else")
        while other:
            if other.get("Cond"):
                self.statements(other["Cond"], scope, "its status is a condition", piped)
            branches.append(other.get("Then") or [])
            other = other.get("Else")
        for branch in branches:
            here = before.inner()
            self.statements(branch, here, masked, piped)
            scope.variables.update(here.variables)
            scope.functions.update(here.functions)
            if here.folder != before.folder:
                scope.folder = None
        scope.forget_changes(before)

    def _whileclause(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        before = scope.inner()
        # whatever the body assigns may hold already when the condition is tested again
        self.story.effects, kept = [], self.story.effects
        doubts, self.story.doubts = self.story.doubts, []
        wanted = list(self.story.wanted)
        self.statements(node.get("Do") or [], scope, masked, piped)
        self.story.effects, self.story.doubts = kept, doubts
        self.story.wanted = wanted
        scope.forget_changes(before)
        self.statements(node.get("Cond") or [], scope, "its status is a condition", piped)
        self.statements(node.get("Do") or [], scope, masked, piped)
        scope.forget_changes(before)

    def _forclause(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        loop = node.get("Loop") or {}
        reader = self.words(scope)
        before = scope.inner()
        if loop.get("Type") == "CStyleLoop":
            reader.arithmetic(loop)
            for name in names_in(loop):
                scope.variables[name] = None
            self._body(node, scope, before, masked, piped)
            return
        if loop.get("Type") != "WordIter" or node.get("Select"):
            self.story.opaque("a loop of an unknown form")
            return
        name = loop["Name"]["Value"]
        values = reader.words(loop.get("Items")) if "Items" in loop else [UNKNOWN]
        if len(values) > _MOST_ROUNDS:
            values = [UNKNOWN]
        if is_dangerous(name):
            self.story.doubt(f"{name} changes what programs do")
        for value in values or [UNKNOWN]:
            scope.variables[name] = (value,)
            scope.arrays.discard(name)
            self._body(node, scope, before, masked, piped)

    def _body(self, node: Node, scope: Scope, before: Scope, masked: str, piped: str) -> None:
        self.statements(node.get("Do") or [], scope, masked, piped)
        scope.forget_changes(before)

    def _caseclause(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        reader = self.words(scope)
        reader.value(node["Word"])
        before = scope.inner()
        for item in node.get("Items") or []:
            for pattern in item.get("Patterns") or []:
                reader.value(pattern)
            here = before.inner()
            self.statements(item.get("Stmts") or [], here, masked, piped)
            scope.variables.update(here.variables)
            if here.folder != before.folder:
                scope.folder = None
        scope.forget_changes(before)

    def _funcdecl(self, node: Node, scope: Scope, _masked: str, _piped: str) -> None:
        name = node["Name"]["Value"]
        scope.functions[name] = node["Body"]
        if multiplies(name, node["Body"]):
            self.story.tell(Effect(CODE, (f"{name}()",), scope.folder, detail="copies of itself", flags=("fork bomb",)))
            self.story.doubt(f"{name} starts copies of itself")

    def _arithmcmd(self, node: Node, scope: Scope, _masked: str, _piped: str) -> None:
        self.words(scope).arithmetic(node.get("X"))
        for name in names_in(node):
            scope.variables[name] = None

    def _letclause(self, node: Node, scope: Scope, _masked: str, _piped: str) -> None:
        for expression in node.get("Exprs") or []:
            self.words(scope).arithmetic(expression)
        for name in names_in(node):
            scope.variables[name] = None

    def _testclause(self, node: Node, scope: Scope, _masked: str, _piped: str) -> None:
        self._test(node.get("X") or {}, self.words(scope))

    def _test(self, node: Node, reader: WordReader) -> None:
        if "Parts" in node:
            reader.value(node)
            return
        operator = node.get("Op", "")
        for key in ("X", "Y"):
            inner = node.get(key)
            if not isinstance(inner, dict):
                continue
            if operator in ("-eq", "-ne", "-lt", "-le", "-gt", "-ge") and "Parts" in inner:
                reader.arithmetic(inner)
            elif operator in ("-v", "-R"):
                raise NotUnderstood("a test of a variable's name")
            else:
                self._test(inner, reader)

    def _timeclause(self, node: Node, scope: Scope, masked: str, piped: str) -> None:
        if node.get("Stmt"):
            self.statement(node["Stmt"], scope, masked, piped)

    def _declclause(self, node: Node, scope: Scope, _masked: str, _piped: str) -> None:
        variant = node.get("Variant", {}).get("Value", "")
        reader = self.words(scope)
        if not any("Name" in item for item in node.get("Args") or []):
            self.story.doubt("the environment may hold secrets")
        for item in node.get("Args") or []:
            if "Name" not in item:
                option = reader.value(item["Value"]) if "Value" in item else UNKNOWN
                if option.text is None or not option.text.startswith("-") or set(option.text) & set("nfi"):
                    raise NotUnderstood(f"{variant} of something that is not a plain name")
                continue
            if item.get("Naked"):
                continue
            exported = variant == "export" or variant in ("declare", "typeset")
            name, values, is_array = read_assignment(item, reader, self.story, scope, exported=exported)
            scope.variables[name] = values
            (scope.arrays.add if is_array else scope.arrays.discard)(name)

    def call_function(self, name: str, arguments: list[Word], scope: Scope, masked: str, piped: str) -> None:
        """Read the body of a function that is called."""
        body = scope.functions[name]
        if not body:
            self.story.opaque(f"which function {name} is, is not known")
            return
        kept = {key: value for key, value in scope.variables.items() if key.isdigit() or key in "@*#"}
        for number, word in enumerate(arguments, 1):
            scope.variables[str(number)] = (word,)
        scope.variables["@"] = scope.variables["*"] = tuple(arguments)
        scope.arrays.update("@*")
        self.deeper(lambda: self.statement(body, scope, masked, piped))
        scope.variables.update(kept)
