"""The way in. `hook` goes straight to the hook process; anything else to the command line.

Started as `python -I -S …/holdfast/__main__.py hook EVENT`, without the site-packages of the interpreter, so that
nothing installed there costs time. The folder of the package is then put on the path here.
"""

import sys


def main() -> None:
    """Run the hook or the command line."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"]:
        from holdfast.boot import start

        start()
        from holdfast.app.hook import main as hook

        hook(arguments[1:])
    from holdfast.cli.main import main as cli

    sys.exit(cli())


if __name__ == "__main__":
    if not __package__:
        # at the end, so that the standard library is found first
        sys.path.append(__file__.replace("\\", "/").rpartition("/")[0].rpartition("/")[0])
    main()
