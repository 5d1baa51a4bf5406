"""Other machines and services: the network, clouds, containers, databases."""

from __future__ import annotations

from holdfast.core.shell.calls import Use
from holdfast.core.shell.options import options_of
from holdfast.core.shell.scope import Word

_DOCKER_READS = frozenset("ps images logs inspect version info top stats port history events diff search".split())
_DOCKER_GROUPS = {
    "image": ("ls", "list", "inspect", "history"), "container": ("ls", "list", "inspect", "logs", "top", "stats", "port", "diff"),
    "network": ("ls", "list", "inspect"), "volume": ("ls", "list", "inspect"), "system": ("df", "info"), "compose": ("ps", "logs", "config", "images", "top", "ls", "version"),
    "context": ("ls", "show"), "buildx": ("ls", "version"),
}  # fmt: skip
_KUBECTL_READS = frozenset("get describe logs top version explain api-resources api-versions cluster-info".split())
_KUBECTL_PAIRS = (
    ["config", "current-context"],
    ["config", "get-contexts"],
    ["rollout", "status"],
    ["rollout", "history"],
    ["auth", "can-i"],
)
_GH_READS = {
    "pr": ("view", "list", "status", "diff", "checks"), "issue": ("view", "list", "status"), "run": ("view", "list"), "repo": ("view", "list"),
    "release": ("view", "list"), "workflow": ("view", "list"), "search": ("issues", "prs", "repos", "code", "commits"), "label": ("list",),
}  # fmt: skip
_ASKS_NAMES = ("dig", "host", "nslookup", "whois", "ping", "traceroute")


def read(use: Use) -> None:
    """Tell what a program that reaches outside does."""
    if use.name in ("docker", "podman", "nerdctl", "docker-compose"):
        _docker(use)
    elif use.name == "kubectl":
        _kubectl(use)
    elif use.name == "gh":
        _gh(use)
    elif use.texts in (["--version"], ["-V"], ["version"], ["--help"]):
        return
    elif use.name in ("curl", "wget"):
        _download(use)
    else:
        use.reaches_network(use.name)
        if use.name == "sqlite3":
            for word in options_of(use.arguments).operands[:1]:
                use.writes(word, "database")


def _docker(use: Use) -> None:
    options = options_of(
        use.arguments, "-H --host --context -c --config -l --log-level -f --file -p --project-name", first_operand_ends=True
    )
    verb = options.texts[0] if options.operands else None
    rest = [word.text for word in options.operands[1:]]
    if use.name == "docker-compose":
        verb, rest = "compose", [verb, *rest]
    if options.has("-H", "--host", "--context", "--config", "-c"):
        use.doubt("it talks to another engine")
    if verb == "inspect" or "inspect" in rest:
        use.doubt("what it shows may hold secrets")
    if use.texts in (["--version"], ["-v"]) or verb in _DOCKER_READS:
        if verb == "search":
            use.reaches_network("search")
        return
    group = _DOCKER_GROUPS.get(verb or "")
    inner = next((text for text in rest if text is None or not text.startswith("-")), None)
    if group is not None and inner in group:
        return
    use.tell("code", f"{use.name} {verb or ''}")
    use.doubt(f"{verb or 'what it does'} changes containers or runs them")


def _kubectl(use: Use) -> None:
    options = options_of(use.arguments, "-n --namespace --context -o --output -l --selector -f --filename --kubeconfig")
    verb = options.texts[0] if options.operands else None
    if (verb not in _KUBECTL_READS and options.texts[:2] not in _KUBECTL_PAIRS) or options.unclear:
        use.reaches_network(f"kubectl {verb}")
    kinds = ",".join(text or "" for text in options.texts[1:])
    if "secret" in kinds or options.has("--raw", "--kubeconfig", "--token"):
        use.doubt("it may show secrets")


def _gh(use: Use) -> None:
    group, verb = [*use.texts, None, None][:2]
    if use.texts == ["--version"]:
        return
    if group == "auth" and verb == "status" and len(use.texts) == 2:
        return
    if verb in _GH_READS.get(group or "", ()) and "--web" not in use.texts and "-w" not in use.texts:
        use.tell("network", f"gh {group} {verb}")
        return
    use.reaches_network(f"gh {group}")


def _download(use: Use) -> None:
    use.reaches_network(use.name)
    options = options_of(
        use.arguments,
        "-o -O -X -d -F -H -u -T -A -e --output --request --data --form --header --user --upload-file --output-document",
    )
    if use.name == "curl":
        for value in options.values("-o", "--output"):
            use.writes(value or Word(), "download")
        if options.has(
            "-d",
            "--data",
            "-F",
            "--form",
            "-T",
            "--upload-file",
            "--data-binary",
            "--json",
            "--data-urlencode",
            "--data-raw",
        ):
            use.tell("network", "upload", flags=("upload",))
    elif not options.has("--spider"):
        use.tell("writes", "download")
