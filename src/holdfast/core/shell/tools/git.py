"""Git: what each of its verbs does, through `-C`, `-c`, aliases and all its other spellings."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.effects import COMMITS, CONFIGURES, PUSHES, REWRITES
from holdfast.core.shell.options import Options, options_of
from holdfast.core.shell.scope import Word, joined
from holdfast.core.shell.secrets import is_secret

_GLOBAL_VALUES = "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source"

READ_VERBS = frozenset(
    "status log diff show shortlog describe blame annotate rev-parse rev-list ls-files ls-tree ls-remote name-rev for-each-ref"
    " merge-base cat-file show-ref show-branch count-objects diff-tree diff-index diff-files grep whatchanged range-diff cherry"
    " check-ignore check-attr var version help verify-commit verify-tag fsck check-ref-format get-tar-commit-id column interpret-trailers"
    " merge-tree patch-id stripspace".split()
)
QUIET_VERBS = frozenset("add stage fetch switch checkout restore stash worktree init notes sparse-checkout bisect".split())
"""Verbs that change the working tree, the index or references, but make no commit."""
COMMIT_VERBS = frozenset("commit merge cherry-pick revert am rebase pull commit-tree fast-import gui citool".split())
KNOWN_VERBS = (
    READ_VERBS
    | QUIET_VERBS
    | COMMIT_VERBS
    | frozenset(
        "submodule push branch tag remote config reset clean rm mv apply reflog gc prune repack submodule filter-branch filter-repo update-ref"
        " update-index symbolic-ref replace hash-object read-tree write-tree pack-refs archive bundle clone mktree commit-graph"
        " format-patch send-email request-pull imap-send daemon credential rerere mergetool difftool maintenance lfs unpack-objects"
        " checkout-index pack-objects index-pack fmt-merge-msg mailinfo mailsplit http-push svn p4 instaweb gitk blame-tree diagnose"
        " multi-pack-index hook for-each-repo backfill scalar bugreport verify-pack".split()
    )
)
_NOT_COMMITTING = {
    "commit": ("--dry-run",),
    "merge": ("--abort", "--quit", "--no-commit", "--squash"),
    "cherry-pick": ("--abort", "--quit", "-n", "--no-commit"),
    "revert": ("--abort", "--quit", "-n", "--no-commit"),
    "am": ("--abort", "--quit", "--show-current-patch"),
    "rebase": ("--abort", "--quit", "--edit-todo", "--show-current-patch"),
}
_READING_RUNS = (
    "-O",
    "--open-files-in-pager",
    "--ext-diff",
    "--textconv",
    "--output",
    "-o",
    "--show-signature",
    "--paginate",
)
"""Options of reading verbs that run a program or write a file."""


def read(use: Use) -> None:
    """Tell what a git command does."""
    options = options_of(use.arguments, _GLOBAL_VALUES, first_operand_ends=True)
    folder = use.scope.folder
    aliases: dict[str, str] = {}
    for name, value in options.flags:
        if name == "-C":
            folder = joined(folder, value.text) if value is not None and value.text is not None else None
        elif name in ("-c", "--config-env"):
            _configured(use, value, aliases)
        elif name in ("--exec-path", "-p", "--paginate") and (name != "--exec-path" or value is not None):
            use.doubt("an option changes which programs it runs")
        elif name in ("--git-dir", "--work-tree"):
            use.doubt("it works on a repository that is named by an option")
    if not options.operands:
        if options.unclear:
            use.opaque("its verb is not known")
        return
    verb, rest = options.operands[0].text, list(options.operands[1:])
    if verb is None or (options.unclear and options.operands[0].text is None):
        use.opaque("its verb is not known")
        return
    if folder is None or folder.startswith(("/", "~", "..")):
        # a repository's own configuration can run programs, whatever the verb
        use.doubt("it works on a repository outside of the project")
    outer, use.scope = use.scope, use.scope.inner()
    use.scope.folder = folder
    try:
        _verb(use, verb, rest, aliases)
    finally:
        use.scope = outer


def _configured(use: Use, value: Word | None, aliases: dict[str, str]) -> None:
    text = value.text if value is not None else None
    use.doubt("configuration on the command line changes what it does")
    if text is None:
        use.opaque("its configuration is not known")
        return
    key, _, setting = text.partition("=")
    use.tell(CONFIGURES, f"git:{key.lower()}", flags=(f"value:{setting}",))
    if key.lower().startswith("alias."):
        aliases[key[6:]] = setting


def _verb(use: Use, verb: str, rest: list[Word], aliases: dict[str, str]) -> None:
    if verb in aliases:
        _alias(use, aliases[verb], rest)
    elif verb not in KNOWN_VERBS:
        use.opaque(f"{verb} may be an alias")
    elif verb in COMMIT_VERBS:
        _committing(use, verb, rest)
    elif verb in READ_VERBS:
        _reading(use, verb, rest)
    else:
        handler = _HANDLERS.get(verb)
        if handler is None:
            use.doubt(f"{verb} is not among the plainly safe verbs")
        else:
            handler(use, options_of(rest, _VALUES.get(verb, "")))


def _alias(use: Use, meaning: str, rest: list[Word]) -> None:
    if meaning.startswith("!"):
        use.walk.text(meaning[1:], use.scope, use.call.masked)
        return
    words = [Word(part) for part in meaning.split()]
    if words and words[0].text is not None:
        _verb(use, words[0].text, [*words[1:], *rest], {})


def _committing(use: Use, verb: str, rest: list[Word]) -> None:
    takers = "-m -F -C -c --message --file --author --date -X --strategy --onto -x --exec -t --template --fixup"
    options = options_of(rest, takers)
    if options.has("--help", "-h") and len(options.flags) == 1:
        return
    if options.has(*_NOT_COMMITTING.get(verb, ())) and not options.unclear:
        use.doubt(f"{verb} changes the state of an operation")
        return
    flags = []
    if options.has("--no-verify") or (verb == "commit" and options.has("-n")):
        flags.append("no-verify")
    if options.has("--amend"):
        flags.append("amend")
    if options.has("-a", "--all"):
        flags.append("all")
    for value in options.values("-x", "--exec") if verb == "rebase" else ():
        if value is None or value.text is None:
            use.opaque("it runs a command that is not known")
        else:
            use.walk.text(value.text, use.scope, use.call.masked)
    use.tell(COMMITS, verb, flags=tuple(flags))
    use.doubt("it makes a commit")
    if verb == "rebase" or "amend" in flags:
        use.tell(REWRITES, verb)


def _reading(use: Use, verb: str, rest: list[Word]) -> None:
    options = options_of(rest, "-n -S -G --format --pretty --since --until --author --grep -L --output -e")
    clusters = [text for text in (word.text for word in rest) if text and text.startswith("-") and not text.startswith("--")]
    if verb == "grep" and any("O" in cluster for cluster in clusters):
        use.doubt("it opens what it finds in a program")
    others = (verb == "ls-files" and options.has("-o", "--others")) or (verb == "grep" and options.has("-o"))
    if options.has(*_READING_RUNS) and not others:
        use.doubt("one of its options runs a program or writes a file")
    if verb == "ls-files" and options.has("--output"):
        use.doubt("it writes a file")
    if verb == "ls-remote":
        use.tell("network", verb)
        if options.exactly("--upload-pack", "--exec") or any(
            "/" in (text or "/") or ":" in (text or "") for text in options.texts[:1]
        ):
            use.doubt("it asks somewhere that is named on the command line")
    if verb == "fsck" and options.has("--lost-found"):
        use.doubt("it writes files")
    if verb == "help" and options.has("-w", "--web"):
        use.doubt("it starts a browser")
    if (options.unclear and verb not in ("show", "log", "diff", "rev-parse", "blame", "cat-file")) or any(
        word.text is None and not word.quoted for word in options.operands
    ):
        use.doubt("which options it has is not known")
    for word in options.operands if verb not in ("check-ignore", "check-attr") else ():
        path = (word.text or "").rpartition(":")[2]
        if is_secret(path):
            use.doubt(f"{path} may hold secrets")


def _push(use: Use, options: Options) -> None:
    flags = ["force"] if options.has("-f", "--force") else []
    if options.has("--force-with-lease", "--force-if-includes"):
        flags.append("lease")
    for name, mark in (
        ("--mirror", "mirror"),
        ("--delete", "delete"),
        ("-d", "delete"),
        ("--all", "all"),
        ("--prune", "prune"),
    ):
        if options.has(name):
            flags.append(mark)
    if options.has("--no-verify"):
        flags.append("no-verify")
    for word in options.operands[1:]:
        text = word.text or "…"
        if text.startswith("+"):
            flags.append("force")
        if text.startswith(":"):
            flags.append("delete")
        flags.append(f"to:{text.lstrip('+').rpartition(':')[2]}")
    use.tell(PUSHES, options.operands[0].shown if options.operands else "", flags=tuple(flags))
    use.doubt("it pushes")


def _branch(use: Use, options: Options) -> None:
    if options.has("-D") or (options.has("-d", "--delete") and options.has("-f", "--force")):
        use.tell(REWRITES, "branch -D", flags=tuple(word.shown for word in options.operands))
    if options.has("-d", "-D", "--delete", "-m", "-M", "--move", "-c", "-C", "--copy", "-f", "--force", "--edit-description", "-u",
                   "--set-upstream-to", "--unset-upstream"):  # fmt: skip
        use.doubt("it changes branches")
    elif options.operands and not options.has(
        "-l", "--list", "--contains", "--merged", "--no-merged", "--points-at", "-a", "-r", "-v"
    ):
        use.doubt("it makes a branch")


def _tag(use: Use, options: Options) -> None:
    if options.operands and not options.has("-l", "--list", "--contains", "--merged", "--points-at", "-v", "--verify", "-n"):
        use.doubt("it changes tags")
    if options.has("-d", "--delete", "-f", "--force", "-s", "-a", "-u"):
        use.doubt("it changes tags")


def _remote(use: Use, options: Options) -> None:
    verb = options.texts[0] if options.operands else None
    if verb == "show" or verb == "update" or verb == "prune":
        use.reaches_network("remote")
    elif options.operands and verb != "get-url":
        use.doubt("it changes remotes")


def _config(use: Use, options: Options) -> None:
    reading = options.has("--get", "--get-all", "--get-regexp", "-l", "--list", "--get-urlmatch", "--show-origin") or options.texts[:1] in (
        ["get"], ["list"],
    )  # fmt: skip
    keys = ["…" if text is None else text for text in options.texts if text not in ("get", "list", "set", "unset")]
    unset = options.has("--unset", "--unset-all") or options.texts[:1] == ["unset"]
    if not reading and not (
        len(keys) == 1 and options.texts[0] not in ("set", "unset", "edit") and not options.has("--unset", "-e", "--edit")
    ):
        values = ("unset",) if unset else tuple(f"value:{key}" for key in keys[1:2])
        use.tell(CONFIGURES, f"git:{keys[0].lower() if keys else ''}", flags=values)
        use.doubt("it changes git's configuration")
    if options.exactly("-l", "--list", "--get-regexp", "--get-urlmatch") or options.texts[:1] == ["list"]:
        use.doubt("the configuration may hold secrets")
    if any(
        sign in key.lower() for key in keys for sign in ("token", "password", "extraheader", "credential", "secret", "…")
    ):
        use.doubt("the configuration may hold secrets")


def _reset(use: Use, options: Options) -> None:
    if options.has("--hard"):
        use.tell(REWRITES, "reset --hard")
    use.doubt("it resets")


def _clean(use: Use, options: Options) -> None:
    if options.has("-n", "--dry-run"):
        return
    use.tell(REWRITES, "clean")
    use.doubt("it deletes untracked files")


def _checkout(use: Use, options: Options) -> None:
    after = [word.text for word in use.arguments]
    paths = after[after.index("--") + 1 :] if "--" in after else []
    if paths or options.texts[-1:] == ["."] or options.has("-f", "--force"):
        use.tell(REWRITES, "checkout of files")
        use.doubt("it discards changes")
    elif len(options.operands) > 1 and not options.has("-b", "-B", "-t", "--track", "--orphan"):
        use.tell(REWRITES, "checkout of files")
        use.doubt("it may discard changes")
    elif options.has("-B", "--ours", "--theirs", "-p", "--patch"):
        use.doubt("it does more than switching")


def _switch(use: Use, options: Options) -> None:
    if options.has("-f", "--force", "--discard-changes", "-C", "--force-create"):
        use.tell(REWRITES, "switch --discard-changes")
        use.doubt("it discards changes")


def _restore(use: Use, options: Options) -> None:
    if not options.has("-S", "--staged") or options.has("-W", "--worktree"):
        use.tell(REWRITES, "restore")
        use.doubt("it discards changes")


def _stash(use: Use, options: Options) -> None:
    verb = options.texts[0] if options.operands else "push"
    if verb in ("drop", "clear"):
        use.tell(REWRITES, f"stash {verb}")
    if verb not in ("list", "show"):
        use.doubt("it changes the stash")


def _worktree(use: Use, options: Options) -> None:
    verb = options.texts[0] if options.operands else None
    if verb == "remove":
        flags = ("force",) if options.has("-f", "--force") else ()
        path = use.where(options.operands[1]) if len(options.operands) > 1 else ""
        use.tell("deletes", "worktree", path, flags)
    if verb != "list":
        use.doubt("it changes worktrees")


def _add(use: Use, options: Options) -> None:
    if options.has("-f", "--force", "-i", "-p", "-e", "--interactive", "--patch", "--edit", "--chmod"):
        use.doubt("it does more than adding")


def _fetch(use: Use, options: Options) -> None:
    if options.has("--upload-pack", "-f", "--force", "--prune", "-p") or options.unclear:
        use.doubt("one of its options does more than fetching")
    if any(
        "::" in (text or "") or (text or "").startswith(("ext", "http", "ssh", "/")) or ":" in (text or "")
        for text in options.texts
    ):
        use.doubt("it fetches from somewhere that is named on the command line")


def _reflog(use: Use, options: Options) -> None:
    if options.texts[:1] in (["expire"], ["delete"]):
        use.tell(REWRITES, f"reflog {options.texts[0]}")
        use.doubt("it destroys history")


def _destroys(use: Use, options: Options) -> None:
    use.tell(COMMITS, "filter-branch")
    use.tell(REWRITES, use.shown[1] if len(use.shown) > 1 else "history")
    use.doubt("it rewrites history")


def _submodule(use: Use, options: Options) -> None:
    if options.texts[:1] not in ([], ["status"], ["summary"]):
        use.tell("code", "submodule")
        use.doubt("it changes submodules, or runs commands in them")


def _update_ref(use: Use, options: Options) -> None:
    deletes = options.has("-d")
    use.tell(REWRITES if deletes else COMMITS, "update-ref -d" if deletes else "update-ref")
    use.doubt("it changes references")


_VALUES = {
    "push": "-o --push-option --repo --receive-pack", "branch": "--contains --merged --no-merged --points-at --sort --format -u",
    "tag": "-m -F -u --sort --format --contains", "config": "-f --file --blob --type --default", "checkout": "-b -B --orphan",
    "switch": "-c -C --create --orphan", "stash": "-m --message", "restore": "-s --source", "fetch": "--depth --upload-pack -j",
    "clean": "-e --exclude", "worktree": "-b -B --reason",
}  # fmt: skip
_HANDLERS = {
    "push": _push, "branch": _branch, "tag": _tag, "remote": _remote, "config": _config, "reset": _reset, "clean": _clean,
    "checkout": _checkout, "switch": _switch, "restore": _restore, "stash": _stash, "worktree": _worktree, "add": _add,
    "stage": _add, "fetch": _fetch, "reflog": _reflog, "filter-branch": _destroys, "filter-repo": _destroys,
    "update-ref": _update_ref, "submodule": _submodule,
}  # fmt: skip
