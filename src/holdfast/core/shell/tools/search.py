"""Searching, editing streams, and archives: reading tools that can also run programs and write files."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.options import options_of
from holdfast.core.shell.scope import Word
from holdfast.core.shell.secrets import is_secret

_GREP_VALUES = "-e -f -m -A -B -C -d -D --include --exclude --exclude-dir --color --max-count --context --regexp --file"
_RG_VALUES = (
    "-e -f -g -t -T -A -B -C -m -M -j -r -E --glob --iglob --type --type-not --max-count --max-depth -d --context --regexp --sort"
    " --color --colors --pre --pre-glob --hostname-bin --replace --encoding --file --max-columns --max-filesize --engine"
)


def read(use: Use) -> None:
    """Tell what one of these tools does."""
    handler = _HANDLERS.get(use.name)
    if handler is not None:
        handler(use)
    else:
        use.doubt("it is not among the plainly safe tools")


def _grep(use: Use) -> None:
    options = options_of(use.arguments, _GREP_VALUES)
    given = options.has("-e", "-f", "--regexp", "--file")
    for word in options.operands if given else options.operands[1:]:
        use.reads(word)
    for value in options.values("-f", "--file"):
        use.reads(value or Word())


def _ripgrep(use: Use) -> None:
    options = options_of(use.arguments, _RG_VALUES)
    if options.has("--pre", "--hostname-bin", "-z", "--search-zip", "--pager", "--generate"):
        use.doubt("one of its options runs another program")
    if options.unclear:
        use.doubt("which options it has is not known")
    for word in options.operands[1:]:
        use.reads(word)


_FIND_WRITES = ("-fprint", "-fprint0", "-fprintf", "-fls")
_FIND_VALUES = frozenset(
    "-name -iname -path -ipath -wholename -regex -iregex -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin"
    " -newer -anewer -cnewer -user -group -uid -gid -perm -links -inum -fstype -lname -ilname -samefile -printf -regextype -D".split()
)
_FIND_RUNS = ("-exec", "-execdir", "-ok", "-okdir")


def _find(use: Use) -> None:
    at = 0
    words = use.arguments
    starts: list[Word] = []
    while at < len(words) and not (words[at].text or "").startswith(("-", "(", "!")) and words[at].text is not None:
        starts.append(words[at])
        at += 1
    while at < len(words):
        text = words[at].text
        at += 1
        if text is None:
            use.doubt("which actions it takes is not known")
        elif text in _FIND_VALUES:
            at += 1
        elif text in _FIND_WRITES:
            use.writes(words[at] if at < len(words) else Word(), "find")
        elif text == "-delete":
            _found_deletes(use, starts)
        elif text in _FIND_RUNS:
            end = next((n for n in range(at, len(words)) if words[n].text in (";", "+")), len(words))
            command = [Word(None, quoted=True) if "{}" in (word.text or "") else word for word in words[at:end]]
            if text not in ("-exec",) or any(is_secret(word.text or "") for word in words):
                use.doubt("it asks, or runs where files are found, or on files that may hold secrets")
            if command:
                use.runs(command)
                if command[0].text == "rm":
                    _found_deletes(use, starts)
            else:
                use.opaque("it runs a command that is not known")
            at = end + 1
        elif text in ("-files0-from", "-newerXY"):
            use.doubt("what it reads is not known")


_NARROWING = frozenset(
    "-name -iname -path -ipath -wholename -regex -iregex -newer -mtime -mmin -atime -ctime -size -empty -user -perm".split()
)


def _found_deletes(use: Use, starts: list[Word]) -> None:
    """Tell that what is found is deleted: everything, unless a test narrows it down."""
    narrowed = any(text in _NARROWING for text in use.texts)
    for start in starts or [Word(".")]:
        use.deletes(start, ("found",) if narrowed else ("recursive", "found"))


def _fd(use: Use) -> None:
    options = options_of(
        use.arguments, "-e -t -d -E -x -X --extension --type --max-depth --exclude --exec --exec-batch -g -c"
    )
    if options.has("-x", "-X", "--exec", "--exec-batch") or options.unclear:
        use.doubt("it runs a command for what it finds")


_AWK_RUNS = ("system", "getline", "|", ">", "@load", "@include", "close", "fflush", "ENVIRON")


def _awk(use: Use) -> None:
    options = options_of(
        use.arguments, "-F -v -f -i -l -e -E --field-separator --assign --file --include --load --source --exec"
    )
    if (
        options.has("-f", "--file", "-i", "--include", "-l", "--load", "-E", "--exec", "-e", "--source", "-d", "-o", "-p")
        or options.unclear
    ):
        use.doubt("its program is not on the command line, or is changed by options")
    if not options.operands:
        return
    program = options.operands[0].text
    if program is None:
        use.doubt("its program is not known")
    elif any(sign in _without_comparisons(program) for sign in _AWK_RUNS):
        use.tell("code", "an awk program that may run commands")
        use.doubt("its program may run commands or write files")
    for word in options.operands[1:]:
        if "=" not in (word.text or ""):
            use.reads(word)


def _without_comparisons(program: str) -> str:
    """Return an awk program without the signs that compare, and without what stands in regular expressions of that kind."""
    for harmless in ("||", ">=", "|| "):
        program = program.replace(harmless, " ")
    kept = program.split(">")
    if len(kept) > 1 and all(_compares(left, right) for left, right in zip(kept, kept[1:], strict=False)):
        return " ".join(kept)
    return program


def _compares(left: str, right: str) -> bool:
    """Tell whether a > between these compares: in a condition before any action, against a number."""
    return "print" not in left.rpartition("{")[2] and right.lstrip()[:1].isdigit() and "print" not in left.rpartition(";")[2]


def _sed(use: Use) -> None:
    options = options_of(use.arguments, "-e -f -l --expression --file --line-length")
    if options.has("-i", "--in-place", "-I"):
        scripts = options.values("-e", "--expression")
        for word in options.operands if scripts else options.operands[1:]:
            use.writes(word, "sed")
        use.doubt("it changes files in place")
    if options.has("-f", "--file", "-s", "--separate") and options.has("-f", "--file"):
        use.doubt("its script is in a file")
    if options.unclear:
        use.doubt("its script is not known")
    scripts = options.values("-e", "--expression")
    operands = list(options.operands)
    if not scripts and operands:
        scripts = [operands.pop(0)]
    for script in scripts:
        if script is None or script.text is None or not sed_only_edits(script.text):
            use.doubt("its script may write files or run commands")
    for word in operands:
        use.reads(word)


def sed_only_edits(script: str) -> bool:
    """Tell whether a sed script only edits its stream: it has no w, W, e, r, R or F, also not as a flag of s."""
    at = 0
    while at < len(script):
        sign = script[at]
        if sign in " \t\n;{}!" or sign.isdigit() or sign in "$,~+":
            at += 1
        elif sign in "/\\":
            at = _address_end(script, at)
        elif sign in "sy":
            at = _substitution_end(script, at)
        elif sign in "dDpPnNgGhHxlq=z#":
            if sign == "#":
                at = script.find("\n", at) if "\n" in script[at:] else len(script)
            at += 1
        elif sign in "aicbtT:Q":
            end = script.find("\n", at)
            at = len(script) if end < 0 else end + 1
        else:
            return False
        if at < 0:
            return False
    return True


def _address_end(script: str, at: int) -> int:
    """Return where an address that begins here ends; -1 if it does not."""
    delimiter = script[at]
    start = at + 1
    if delimiter == "\\":
        if start >= len(script):
            return -1
        delimiter, start = script[start], start + 1
    end = _next(script, start, delimiter)
    if end < 0:
        return -1
    end += 1
    while end < len(script) and script[end] in "IM":
        end += 1
    return end


def _substitution_end(script: str, at: int) -> int:
    """Return where a substitution ends; -1 if it is not plain, or writes or executes."""
    if at + 1 >= len(script):
        return -1
    delimiter = script[at + 1]
    middle = _next(script, at + 2, delimiter)
    end = _next(script, middle + 1, delimiter) if middle >= 0 else -1
    if end < 0:
        return -1
    end += 1
    while end < len(script) and script[end] not in " \t\n;}":
        if script[end] not in "gpiIM0123456789":
            return -1
        end += 1
    return end


def _next(script: str, at: int, delimiter: str) -> int:
    in_class = False
    while 0 <= at < len(script):
        if script[at] == "\\":
            at += 2
            continue
        if script[at] == "[" and not in_class:
            in_class = "]" in script[at + 1 :]
        elif script[at] == "]":
            in_class = False
        elif script[at] == delimiter and not in_class:
            return at
        at += 1
    return -1


def _jq(use: Use) -> None:
    options = options_of(use.arguments, "--arg --argjson --slurpfile --rawfile -f --from-file --indent -L --args --jsonargs")
    program = options.texts[0] if options.operands else ""
    if options.has("-f", "--from-file", "-L", "-i", "--in-place") or options.unclear:
        use.doubt("its program is not on the command line, or it changes files")
    if program is None or "env" in program or "$ENV" in program or "input_filename" in program:
        use.doubt("its program may show the environment")
    for word in options.operands[1:]:
        use.reads(word)


def _archive(use: Use) -> None:
    """Listing is plainly safe; packing and unpacking write files, and can run programs."""
    options = options_of(
        use.arguments, "-f --file -C --directory -T -X -I --use-compress-program --to-command --checkpoint-action"
    )
    first = use.texts[0] or "" if use.texts else ""
    listing = {
        "tar": (options.has("-t", "--list") or (first and not first.startswith("-") and "t" in first))
        and not options.has("-x", "-c", "-r", "-u", "-A", "--delete", "--extract", "--create")
        and not (not first.startswith("-") and set(first) & set("xcruA")),
        "unzip": options.has("-l", "-t", "-v", "-Z") and not options.has("-d"),
        "zcat": True, "bzcat": True, "xzcat": True,
        "gzip": options.has("-l", "--list", "-t", "--test", "-c", "--stdout"), "gunzip": options.has("-c", "--stdout", "-l", "-t"),
        "bunzip2": options.has("-c", "--stdout"), "unxz": options.has("-c", "--stdout"),
    }.get(use.name, False)  # fmt: skip
    runs = options.has(
        "--to-command",
        "--checkpoint-action",
        "-I",
        "--use-compress-program",
        "-F",
        "--info-script",
        "--rsh-command",
        "--index-file",
        "--rmt-command",
    )
    if not listing or runs or options.unclear:
        use.doubt("it packs or unpacks files, or runs a program")
        use.tell("writes", use.name)
    for word in options.values("-f", "--file"):
        use.reads(word or Word())
        if use.name == "tar" and ":" in ((word.text if word else None) or ":"):
            use.doubt("a colon names another machine")


def _yq(use: Use) -> None:
    options = options_of(use.arguments, "-o -p --output-format --input-format -I --indent")
    use.only(
        options,
        "-r -o -p -P -e -M -C -N -I -j --raw-output --output-format --input-format --prettyPrint --no-colors --indent --exit-status",
    )
    if any(sign in (options.texts[0] or "env") for sign in ("env", "load", "strload")) if options.operands else False:
        use.doubt("its program may show the environment or other files")
    for word in options.operands[1:]:
        use.reads(word)


def _ack(use: Use) -> None:
    options = options_of(use.arguments, "-A -B -C -G -m --ignore --depth --file-search-regex")
    use.only(
        options,
        "-l -L -i -n -c -w -v -A -B -C -G -m -s -S -Q -o --ignore --depth --hidden --nocolor --count --files-with-matches -r -R -a -u -t",
    )


_HANDLERS = {
    "grep": _grep, "egrep": _grep, "fgrep": _grep, "zgrep": _grep, "rg": _ripgrep, "ag": _ack, "ack": _ack, "find": _find, "fd": _fd, "fdfind": _fd,
    "awk": _awk, "gawk": _awk, "mawk": _awk, "nawk": _awk, "sed": _sed, "gsed": _sed, "jq": _jq, "yq": _yq, "tar": _archive,
    "zip": _archive, "unzip": _archive, "gzip": _archive, "gunzip": _archive, "zcat": _archive, "bzip2": _archive,
    "bunzip2": _archive, "bzcat": _archive, "xz": _archive, "unxz": _archive, "xzcat": _archive, "zstd": _archive, "7z": _archive,
    "cpio": _archive, "ar": _archive,
}  # fmt: skip
