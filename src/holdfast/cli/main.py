"""The command line. Each command's module is imported only when it is used."""

from __future__ import annotations

import io
import sys
import traceback

import click

from holdfast import __version__
from holdfast.app.trouble import Trouble

COMMANDS = {
    "init": ("install", "init", "wire this project's hooks"),
    "uninstall": ("install", "uninstall", "put everything back as it was"),
    "doctor": ("doctor", "doctor", "send live payloads through the installed hook"),
    "status": ("status", "status", "what is wired, enforced and recorded here"),
    "explain": ("explain", "explain", "why a decision fell as it did, policy by policy"),
    "classify": ("classify", "classify", "judge commands that are given as JSON lines"),
    "demo": ("demo", "demo", "play an agent's session through the real hook"),
    "log": ("log", "log", "what happened, newest last"),
    "replay": ("replay", "replay", "judge recorded payloads anew, without effect"),
    "policy": ("policy", "policy", "list the policies, or show one"),
    "config": ("config", "config", "show the settings and their origin, or check them"),
    "dev": ("dev", "dev", "for developers of Holdfast"),
}
"""Command → module below cli, function, summary."""
HIDDEN = ("dev",)


class Commands(click.Group):
    """Finds commands by name without importing the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names for `--help`."""
        return [name for name in COMMANDS if name not in HIDDEN]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        module, function, _summary = COMMANDS[name]
        found = getattr(__import__(f"holdfast.cli.{module}", fromlist=[function]), function)
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][2]) for name in self.list_commands(ctx)])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="holdfast")
@click.option("--traceback", "show_traceback", is_flag=True, help="Show where an error came from.")
@click.pass_context
def program(ctx: click.Context, show_traceback: bool) -> None:
    """Holds AI coding agents to the rules of a project, and step by step to its tests."""
    ctx.obj = {"traceback": show_traceback}


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status: 0 fine, 1 findings, 2 usage, 3 bug."""
    given = sys.argv[1:] if arguments is None else arguments
    wants_traceback = "--traceback" in given
    # accepted anywhere on the line, because one thinks of it after the error
    rest = [one for one in given if one != "--traceback"]
    for stream in (sys.stdout, sys.stderr):
        # what the terminal cannot show is written as an escape, not as an error
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        result = program.main(args=rest, prog_name="holdfast", standalone_mode=False)
    except Trouble as trouble:
        return _failed(f"{trouble.what}. {trouble.remedy}", trouble.exit_code, wants_traceback)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        return _failed("Stopped; nothing was changed.", 1, False)
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message())
        return 2 if given else 0
    except click.ClickException as error:
        hint = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "holdfast"
        said = error.format_message().rstrip(".")
        return _failed(f"{said}. Run `{hint} --help`.", 2, wants_traceback)
    except BrokenPipeError:
        return 0
    except OSError as error:
        what = f"{error.filename or 'the system'}: {error.strerror or error}"
        return _failed(f"{what}. Check permissions and the disk.", 1, wants_traceback)
    except Exception as error:
        text = f"Holdfast has a bug: {type(error).__name__}: {error}. Run it again with --traceback and report that."
        return _failed(text, 3, wants_traceback)
    return result if isinstance(result, int) else 0


def _failed(text: str, code: int, with_traceback: bool) -> int:
    if with_traceback:
        traceback.print_exc()
    click.echo(f"holdfast: {' '.join(text.split())}", err=True)
    return code
