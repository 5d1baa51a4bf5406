"""What the tools do, family by family: effects with their paths, details and marks."""

from __future__ import annotations

import pytest

from holdfast.app.reading import reading_of
from holdfast.core.shell.effects import Effect

from .conftest import shfmt

TABLE: dict[str, list[tuple[str, str, str, str]]] = {
    "coreutils": [
        ("cat a b", "reads", "b", ""), ("rm -rf build", "deletes", "build", "recursive"), ("cp a b", "writes", "b", ""), ("mv a b", "deletes", "a", ""),
        ("tee log", "writes", "log", ""), ("dd if=a of=b", "writes", "b", ""), ("truncate -s 0 x", "writes", "x", ""), ("mkdir -p a/b", "writes", "a/b", ""),
        ("install -m 755 a b", "writes", "b", ""), ("sort -o out in", "writes", "out", ""), ("chmod -R 755 src", "configures", "src", "recursive"),
    ],
    "search": [
        ("sed -i s/a/b/ x.py", "writes", "x.py", ""), ("find . -name x -delete", "deletes", ".", "found"), ("find . -exec touch y +", "writes", "y", ""),
        ("grep -f patterns x", "reads", "patterns", ""), ("awk 'BEGIN{system(1)}'", "code", "", ""), ("tar xf a.tar", "writes", "", ""),
    ],
    "git": [
        ("git commit -am x", "commits", "", "all"), ("git push -f origin main", "pushes", "", "force"), ("git push origin +main", "pushes", "", "to:main"),
        ("git reset --hard", "rewrites-history", "", ""), ("git config user.name x", "configures", "", "value:x"), ("git -c alias.x=commit x", "commits", "", ""),
        ("git rebase main", "commits", "", ""), ("git worktree remove w", "deletes", "w", ""),
    ],
    "python": [
        ("pytest tests/a.py", "tests", "", "target:tests/a.py"), ("python -m pytest --collect-only", "tests", "", "no-run"), ("python -c x", "code", "", ""),
        ("uv run pytest", "tests", "", ""), ("pip install x", "configures", "", "packages"), ("python -m unittest", "tests", "", ""), ("tox -e py", "tests", "", ""),
    ],
    "node": [
        ("npm test", "tests", "", ""), ("npx vitest run", "tests", "", ""), ("yarn test", "tests", "", ""), ("node -e 1", "code", "", ""),
        ("npm run deploy", "code", "", ""), ("npm version patch", "commits", "", ""), ("node --test", "tests", "", ""),
    ],
    "build": [
        ("go test ./...", "tests", "", "target:./..."), ("cargo test", "tests", "", ""), ("make test", "tests", "", ""), ("mvn -q test", "tests", "", ""),
        ("make deploy", "code", "", ""), ("./gradlew test", "tests", "", ""), ("bundle exec rspec", "tests", "", ""), ("ctest", "tests", "", ""),
    ],
    "outside": [("curl -o x https://a", "writes", "x", ""), ("curl -d a https://a", "network", "", "upload"), ("docker run x", "code", "", ""), ("ssh h ls", "network", "", "")],
    "system": [("sudo rm x", "deletes", "x", ""), ("shutdown now", "configures", "", "power"), ("mkfs.ext4 /dev/sda", "writes", "/dev/sda", "device")],
    "wrappers": [
        ("env A=1 git commit", "commits", "", ""), ("timeout 5 pytest", "tests", "", ""), ("xargs rm", "deletes", "", ""), ("nice -n 5 rm x", "deletes", "x", ""),
        ("env -C sub rm x", "deletes", "sub/x", ""), ("nohup make test", "tests", "", ""), ("command git commit", "commits", "", ""),
    ],
    "shells": [
        ("bash -c 'rm x'", "deletes", "x", ""), ("eval 'git commit'", "commits", "", ""), ("cd a && rm b", "deletes", "a/b", ""), ("(cd a; rm b); rm c", "deletes", "c", ""),
        ("source x", "code", "", ""), ("bash <<E\nrm x\nE", "deletes", "x", ""), ("pushd a; rm b", "deletes", "a/b", ""), ("trap 'rm x' EXIT", "deletes", "x", ""),
    ],
    "syntax": [
        ("f() { rm x; }; f", "deletes", "x", ""), ("for i in a b; do rm $i; done", "deletes", "b", ""), ("x=rm; $x y", "deletes", "y", ""), ("$'\\x72m' x", "deletes", "x", ""),
        ("r\\m x", "deletes", "x", ""), ("{rm,x}", "deletes", "x", ""), ("echo a >> b", "writes", "b", "append"), ("a=(rm x); \"${a[@]}\"", "deletes", "x", ""),
        ("if true; then rm x; fi", "deletes", "x", ""), ("case a in *) rm x;; esac", "deletes", "x", ""), ("echo $(rm x)", "deletes", "x", ""), ("cat <(rm x)", "deletes", "x", ""),
        ("while rm x; do :; done", "deletes", "x", ""), ("echo \"`rm x`\"", "deletes", "x", ""), ("echo $((a[$(rm x)]))", "deletes", "x", ""), ("g=git; $g commit", "commits", "", ""),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("command", "kind", "path", "mark"), [row for rows in TABLE.values() for row in rows])
def test_an_effect_is_told(command: str, kind: str, path: str, mark: str) -> None:
    found = reading_of(command, shfmt()).of(kind)
    assert any(_fits(effect, path, mark) for effect in found), found


def _fits(effect: Effect, path: str, mark: str) -> bool:
    return (not path or effect.path == path) and (not mark or mark in effect.flags)


def test_every_family_of_tools_has_a_table() -> None:
    from holdfast.core.shell.tools import FAMILIES

    assert set(TABLE) - {"syntax"} == set(FAMILIES)
    assert all(len(rows) >= 3 for rows in TABLE.values())
