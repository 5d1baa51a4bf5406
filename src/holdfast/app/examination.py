"""What `doctor` finds out: whether the installed hook is there, answers, refuses and lets pass."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from typing import Any

from holdfast.adapters.config import read_configuration
from holdfast.adapters.faults import state_folder
from holdfast.adapters.place import Place
from holdfast.adapters.settings import files_of
from holdfast.adapters.shell_parser import parser_path, syntax_of
from holdfast.app.install_record import read_settings
from holdfast.app.installation import LOCAL, SHARED, current_settings, wanted_registrations
from holdfast.app.interpreter import search_path
from holdfast.app.live_hook import run_hook
from holdfast.app.probes import PROBES, Probe, enforce_only, payload_of, prepare
from holdfast.app.scratch import make_repository
from holdfast.app.trouble import Trouble
from holdfast.core.jsontext import as_list, as_text
from holdfast.core.record import Record
from holdfast.core.settings import ENFORCE, Settings
from holdfast.hosts.claude_code_wiring import BOOTSTRAP, CLOSING_VERSION, OLDEST_VERSION, our_handlers
from holdfast.policies.catalog import CATALOG
from holdfast.store.queries import delivered_by_plugin, health, open_for_reading
from holdfast.store.sqlite import DatabaseError

OK, WARN, FAIL = "ok", "warn", "fail"
ROUNDS = 9
BAR = 2.0
"""How many times the bare interpreter a hook may cost."""


class Finding(Record):
    """One thing that was looked at."""

    what: str
    state: str
    detail: str = ""
    remedy: str = ""


class Handler(Record):
    """One of our handlers as it is installed."""

    file: str
    event: str
    matcher: str
    argv: tuple[str, ...]
    closes: bool


def examine(place: Place, environment: dict[str, str]) -> list[Finding]:
    """Look at everything; later looks are left out where an earlier one makes them pointless."""
    settings = current_settings(place, environment)
    findings, handlers = _wiring(place, environment)
    if handlers:
        started = _starts(handlers)
        findings += started
        findings.append(_current(handlers, settings))
        if all(one.state != FAIL for one in started):
            findings += _gates(handlers, settings)
            findings.append(_latency(handlers))
    findings.append(_parser())
    findings.append(_disabled(place, environment))
    findings.append(_client(environment, settings))
    findings.append(_store(place))
    findings.append(_configuration(place, environment))
    findings.append(_faults(environment))
    return findings


def settings_files(place: Place, environment: dict[str, str]) -> list[str]:
    """Return the settings files that the host reads here."""
    user = f"{environment.get('CLAUDE_CONFIG_DIR') or environment.get('HOME', '') + '/.claude'}/settings.json"
    # in a worktree the host also reads the local settings of the main one
    local = dict.fromkeys((f"{place.root}/{LOCAL}", f"{place.main_root}/{LOCAL}"))
    return [*local, f"{place.root}/{SHARED}", user]


def installed_handlers(place: Place, environment: dict[str, str]) -> list[Handler]:
    """Return our handlers in all settings files."""
    found = []
    for path in settings_files(place, environment):
        for event, matcher, handler in our_handlers(read_settings(path)):
            arguments = tuple(as_text(item) for item in as_list(handler.get("args")))
            closes = handler.get("onFailure") == "block"
            found.append(Handler(path, event, matcher, (as_text(handler.get("command")), *arguments), closes))
    return found


def _wiring(place: Place, environment: dict[str, str]) -> tuple[list[Finding], list[Handler]]:
    try:
        handlers = installed_handlers(place, environment)
    except Trouble as trouble:
        return [Finding("wiring", FAIL, trouble.what, trouble.remedy)], []
    if not handlers and _by_plugin(place):
        return [Finding("wiring", OK, "by the plugin; it is not exercised here")], []
    if not handlers:
        return [Finding("wiring", FAIL, "no hook of Holdfast in the settings of this project", "Run `holdfast init`.")], []
    files = sorted({os.path.relpath(one.file, place.root) for one in handlers})
    return [Finding("wiring", OK, f"{len({one.event for one in handlers})} events in {', '.join(files)}")], handlers


def _by_plugin(place: Place) -> bool:
    try:
        connection = open_for_reading(place.store)
        return connection is not None and delivered_by_plugin(connection, time.time() - 86_400)
    except DatabaseError:
        return False


def _starts(handlers: list[Handler]) -> list[Finding]:
    findings = []
    for program in sorted({one.argv[0] for one in handlers}):
        found = program if os.path.isabs(program) else shutil.which(program) or ""
        if not found or not os.access(found, os.X_OK):
            findings.append(
                Finding(
                    "interpreter", FAIL, f"{program} is missing or was moved", "Run `holdfast init` to wire the present one."
                )
            )
            continue
        findings.append(Finding("interpreter", OK, found))
    for folder in sorted({_package_folder(one) for one in handlers} - {""}):
        if not os.path.isfile(f"{folder}/holdfast/app/hook.py"):
            what = f"the package is not in {folder} any more"
            findings.append(Finding("package", FAIL, what, "Run `holdfast init` from the Holdfast that you have now."))
    return findings


def _package_folder(handler: Handler) -> str:
    return handler.argv[handler.argv.index(BOOTSTRAP) + 1] if BOOTSTRAP in handler.argv[:-1] else ""


def _current(handlers: list[Handler], settings: Settings) -> Finding:
    have = {(one.event, one.matcher, one.closes) for one in handlers}
    want = {(one.event, one.matcher, one.closes) for one in wanted_registrations(settings)}
    every = {(one.event, one.matcher, one.closes) for one in wanted_registrations(settings, every_event=True)}
    if want <= have or every <= have:
        return Finding("events", OK, "all that the policies need are wired")
    missing = ", ".join(sorted({f"{event} {matcher}".strip() for event, matcher, _closes in want - have}))
    return Finding("events", FAIL, f"the wiring is out of date: {missing}", "Run `holdfast init` again.")


def _gates(handlers: list[Handler], settings: Settings) -> list[Finding]:
    enforced = [entry.id for entry in CATALOG if entry.gate and settings.of(entry.id).mode == ENFORCE]
    if not enforced:
        return [Finding("gates", OK, f"profile {settings.profile} refuses nothing, so there is nothing to try")]
    if shutil.which("git") is None:
        return [Finding("gates", FAIL, "git is not on PATH, so the gates were not tried", "Install git.")]
    findings = []
    with tempfile.TemporaryDirectory(prefix="holdfast-doctor-") as scratch:
        folder = f"{os.path.realpath(scratch)}/project"
        os.makedirs(folder)
        make_repository(folder)
        for policy in enforced:
            enforce_only(policy, folder)
            for number, probe in enumerate(one for one in PROBES if one.policy == policy):
                findings.append(_probed(probe, handlers, folder, f"{scratch}/home", number))
    return findings


def _probed(probe: Probe, handlers: list[Handler], folder: str, home: str, number: int) -> Finding:
    wanted = "refuses" if probe.refused else "permits"
    title = f"{probe.policy} {wanted}"
    chosen = [
        one for one in handlers if one.event == probe.event and (not one.matcher or probe.tool in one.matcher.split("|"))
    ]
    if not chosen:
        return Finding(title, FAIL, f"no handler for {probe.event} of {probe.tool}", "Run `holdfast init` again.")
    prepare(probe, folder)
    run = run_hook(list(chosen[0].argv), payload_of(probe, folder, number), folder, home=home)
    if run.exit_code != 0:
        why = (run.stderr.strip().splitlines() or ["no message"])[-1]
        return Finding(title, FAIL, f"the hook ended with {run.exit_code}: {why}", "Run `holdfast init` again.")
    if (run.decision in ("deny", "block", "ask")) == probe.refused:
        return Finding(title, OK, probe.what)
    return Finding(
        title,
        FAIL,
        f"{probe.what} got {run.decision}: {run.text[:120]}",
        "Please report this with `holdfast doctor --json`.",
    )


def _latency(handlers: list[Handler]) -> Finding:
    """Measure one hook against the bare interpreter, interleaved."""
    handler = next((one for one in handlers if one.event == "PostToolUse"), handlers[0])
    program = handler.argv[0] if BOOTSTRAP in handler.argv else shutil.which("python3") or "python3"
    bare: list[float] = []
    ours: list[float] = []
    with tempfile.TemporaryDirectory(prefix="holdfast-doctor-") as scratch:
        folder = os.path.realpath(scratch)
        for number in range(ROUNDS):
            began = time.perf_counter()
            subprocess.run([program, "-I", "-S", "-c", "pass"], check=False, stdin=subprocess.DEVNULL)
            bare.append(time.perf_counter() - began)
            ours.append(
                run_hook(list(handler.argv), _command_payload(folder, handler.event, number), folder, home=folder).seconds
            )
    floor, cost = statistics.median(bare[1:]), statistics.median(ours[1:])
    detail = f"{cost * 1000:.0f} ms a call; the interpreter alone {floor * 1000:.0f} ms ({cost / floor:.1f} times)"
    if cost > floor * BAR * 1.2:
        direct = "Run `holdfast init` again: it compiles the hook's code."
        through_path = "Through PATH the interpreter loads its site-packages; `holdfast init --local` starts it without."
        return Finding("speed", WARN, detail, direct if BOOTSTRAP in handler.argv else through_path)
    return Finding("speed", OK, detail)


def _command_payload(folder: str, event: str, number: int) -> dict[str, Any]:
    return {
        "session_id": "holdfast-doctor",
        "cwd": folder,
        "hook_event_name": event,
        "tool_name": "Bash",
        "tool_input": {"command": "true"},
        "tool_response": {"stdout": "", "stderr": "", "interrupted": False},
        "tool_use_id": f"toolu_speed_{number}",
    }


def _parser() -> Finding:
    found = parser_path(search_path())
    if not found:
        remedy = "Install it with Holdfast: `pip install shfmt-py`. Until then no command can be read."
        return Finding("parser", FAIL, "shfmt is missing", remedy)
    if syntax_of(found, "true") is None:
        return Finding(
            "parser", FAIL, f"{found} does not answer", "Install it anew: `pip install --force-reinstall shfmt-py`."
        )
    return Finding("parser", OK, found)


def _disabled(place: Place, environment: dict[str, str]) -> Finding:
    for path in settings_files(place, environment):
        try:
            if read_settings(path).get("disableAllHooks") is True:
                return Finding(
                    "hooks", FAIL, f"disableAllHooks is set in {path}", "Take it out: no hook runs while it is there."
                )
        except Trouble as trouble:
            return Finding("hooks", FAIL, trouble.what, trouble.remedy)
    for name in ("CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE"):
        if environment.get(name) not in (None, "", "0", "false"):
            return Finding("hooks", FAIL, f"{name} is set, so that Claude Code runs no hooks", f"Unset {name}.")
    return Finding("hooks", OK, "not switched off")


def _client(environment: dict[str, str], settings: Settings) -> Finding:
    path = shutil.which("claude", path=environment.get("PATH"))
    if path is None:
        return Finding(
            "client",
            WARN,
            "no `claude` on PATH, so its version was not checked",
            "Install Claude Code, if this is where you use it.",
        )
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("client", WARN, f"{path} --version did not answer ({error})")
    version = _version(said)
    if version is None:
        return Finding("client", WARN, f"{path} --version said {said.strip()!r}")
    shown = ".".join(map(str, version))
    if version < OLDEST_VERSION:
        oldest = ".".join(map(str, OLDEST_VERSION))
        return Finding("client", FAIL, f"Claude Code {shown} cannot start such hooks", f"Update it to {oldest} or newer.")
    gates = any(entry.gate and settings.of(entry.id).mode == ENFORCE for entry in CATALOG)
    if gates and version < CLOSING_VERSION:
        closing = ".".join(map(str, CLOSING_VERSION))
        detail = f"Claude Code {shown} lets actions through when a hook cannot start"
        return Finding("client", WARN, detail, f"Update it to {closing} or newer.")
    return Finding("client", OK, f"Claude Code {shown}")


def _version(text: str) -> tuple[int, ...] | None:
    parts = (text.split() or [""])[0].split(".")
    return tuple(int(part) for part in parts) if len(parts) == 3 and all(part.isdigit() for part in parts) else None


def _store(place: Place) -> Finding:
    found = health(place.store)
    if not found.exists:
        return Finding("store", OK, "none yet; the first event makes it")
    if not found.readable:
        return Finding("store", FAIL, found.why, "The next event moves it aside and begins a new one.")
    if found.why:
        return Finding("store", FAIL, found.why, "Update Holdfast: until then nothing is recorded here.")
    if not found.intact:
        return Finding(
            "store", FAIL, "it is damaged", "The next event that meets the damage moves it aside and begins a new one."
        )
    detail = f"{found.events} events, {found.bytes / 1_000_000:.1f} MB, schema {found.version}"
    if found.waiting:
        return Finding("store", WARN, f"{detail}; {found.waiting} bytes wait to be written", "The next event writes them.")
    if found.moved_aside:
        return Finding(
            "store",
            WARN,
            f"{detail}; {found.moved_aside} corrupt one(s) lie beside it in {place.store}",
            "Delete them if you do not need them.",
        )
    return Finding("store", OK, detail)


def _configuration(place: Place, environment: dict[str, str]) -> Finding:
    problems = read_configuration(files_of(place, environment)).problems
    if problems:
        return Finding("configuration", FAIL, str(problems[0]), "`holdfast config check` lists all problems.")
    return Finding("configuration", OK, "no problem")


def _faults(environment: dict[str, str]) -> Finding:
    path = f"{state_folder(environment)}/faults.log"
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        age = time.time() - os.stat(path).st_mtime
    except OSError:
        return Finding("faults", OK, "none recorded")
    if age > 86_400 or not lines:
        return Finding("faults", OK, f"none in the last day ({path})")
    return Finding("faults", WARN, f"latest, in any project: {lines[-1][:160]}", f"See {path}; delete it when done.")
