"""Starting quickly: the code of the hook path from one file.

Finding and reading thirty small modules costs the hook more than its work does. `build` writes their bytecode into
one file, the bundle; `start` reads it and serves imports from there. A module is served only while its source is
exactly as it was; otherwise its import takes the ordinary way, and is only slower.
"""

from __future__ import annotations

import gc
import sys
from marshal import dumps, loads

try:
    from posix import stat, unlink
except ImportError:  # another platform
    from os import stat, unlink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    Entry = tuple[bool, str, int, int, int, int]
    """Whether it is a package, its source's path below the package's folder, its time and size, where its bytecode begins in
    the bundle and how long it is."""

_Spec: Any = type(sys.__spec__)
_HERE = __file__.replace("\\", "/").rpartition("/")[0]
_PACKAGES = ("core", "hosts", "policies", "store", "adapters", "app")
"""What the hook path is made of."""
_FORMAT = f"2 {sys.version}"
"""What a bundle is made for: the form of its entries, and the interpreter."""


_DIGITS = 10
"""The bundle begins with the length of its index, in so many digits."""
_missed: list[str] = []
"""What the bundle could not serve though it should; "" stands for the bundle itself."""


def bundle_path() -> str:
    """Return where the bundle for this interpreter lies: beside the bytecode of this module."""
    return f"{_HERE}/__pycache__/hook.{sys.implementation.cache_tag}.bundle"


def start() -> bool:
    """Serve imports from the bundle, if this interpreter has one; tell whether it has."""
    # a process that lives for milliseconds has no garbage worth collecting
    gc.disable()
    try:
        # read piece by piece: an event needs less than half of the code
        file = open(bundle_path(), "rb", buffering=0)  # noqa: SIM115 - kept open while modules are imported
        version, entries = loads(file.read(int(file.read(_DIGITS))))
    except (OSError, ValueError, EOFError, TypeError):
        version = ""
    if version != _FORMAT:
        _missed.append("")
        return False
    sys.meta_path.insert(0, Bundle(file, entries))
    return True


class Bundle:
    """Finds and loads the modules of a bundle."""

    def __init__(self, file: Any, entries: dict[str, Entry]) -> None:
        self.file = file
        self.entries = entries

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """Return how to load a module, if it is here and its source has not changed."""
        entry = self.entries.get(name)
        if entry is None:
            return None
        path = f"{_HERE}/{entry[1]}"
        try:
            seen = stat(path)
        except OSError:
            return None
        if seen.st_mtime_ns != entry[2] or seen.st_size != entry[3]:
            _missed.append(name)
            _forget_bytecode(path)
            return None
        # the class of specs, without importing importlib for it
        return _Spec(name, self, is_package=entry[0])

    def create_module(self, _spec: object) -> None:
        """Leave making the module to the interpreter."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code."""
        package, below, _time, _size, begin, length = self.entries[module.__name__]
        path = f"{_HERE}/{below}"
        module.__file__ = path
        if package:
            module.__path__ = [path.rpartition("/")[0]]
        self.file.seek(begin)
        try:
            code = loads(self.file.read(length))
        except (EOFError, ValueError, TypeError):  # the bundle is damaged
            _missed.append(module.__name__)
            with open(path, "rb") as file:
                code = compile(file.read(), path, "exec", dont_inherit=True)
        exec(code, module.__dict__)


def _forget_bytecode(path: str) -> None:
    """Remove the interpreter's own bytecode of a module that changed.

    It is known by whole seconds and size, so that a change of the same size in the same second would go unseen.
    """
    folder, _, name = path.rpartition("/")
    try:
        unlink(f"{folder}/__pycache__/{name[:-3]}.{sys.implementation.cache_tag}.pyc")
    except OSError:
        pass


def renew() -> None:
    """Build the bundle anew if this process had to do without it; leave it where it cannot be written."""
    if _missed:
        try:
            build()
        except (OSError, SyntaxError, ValueError):
            pass


def build() -> str:
    """Compile the modules of the hook path into a bundle and return its path."""
    import os

    found: list[tuple[str, bool, str, int, int, bytes]] = []
    for path in _sources():
        seen = os.stat(path)
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
        dotted = path[len(_HERE) + 1 : -3].replace("/", ".")
        package = dotted.endswith("__init__")
        name = "holdfast." + (dotted[: -len(".__init__")] if package else dotted)
        found.append((name, package, path[len(_HERE) + 1 :], seen.st_mtime_ns, seen.st_size, dumps(code)))
    target = bundle_path()
    os.makedirs(os.path.dirname(target), exist_ok=True)
    unfinished = f"{target}.{os.getpid()}"
    with open(unfinished, "wb") as file:
        file.write(_assembled(found))
    os.replace(unfinished, target)
    return target


def _assembled(found: list[tuple[str, bool, str, int, int, bytes]]) -> bytes:
    """Return a bundle: the length of its index, the index, and the code of all modules one after the other."""
    size = 0
    for _round in range(3):
        # where the code begins depends on the length of the index, which depends on the numbers in it
        entries: dict[str, Entry] = {}
        begin = _DIGITS + size
        for name, package, below, modified, length, code in found:
            entries[name] = (package, below, modified, length, begin, len(code))
            begin += len(code)
        index = dumps((_FORMAT, entries))
        if len(index) == size:
            break
        size = len(index)
    return b"".join((b"%010d" % size, index, *(code for *_rest, code in found)))


def _sources() -> list[str]:
    import os

    found: list[str] = []
    for package in _PACKAGES:
        for folder, _folders, names in os.walk(f"{_HERE}/{package}"):
            found.extend(f"{folder}/{name}" for name in names if name.endswith(".py"))
    return sorted(found)
