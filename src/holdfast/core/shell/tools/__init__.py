"""Which file knows which programs. A family is imported only when one of its programs is met."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.shell.calls import Use

FAMILIES = {
    "coreutils": "tokei cloc zipinfo cat head tail wc ls stat du df nl tac rev cut tr fold fmt column comm join paste expand unexpand seq basename"
    " dirname readlink realpath pwd true false : echo printf test [ whoami id uname nproc uptime arch groups tty md5sum sha1sum"
    " sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum cmp strings od hexdump diff sdiff colordiff which whereis"
    " type hash file date sort uniq tree less more xxd cal hostname lsof ps pgrep free vmstat lscpu lsblk locale getconf sleep tput"
    " clear man tsort numfmt bc dc expr factor shuf look pr cp mv rm rmdir mkdir touch tee install ln dd truncate chmod chown chgrp"
    " shred split csplit mktemp mkfifo link unlink base64 base32 env printenv yes getent wait jobs times ulimit umask",
    "search": "grep egrep fgrep zgrep rg ag ack find fd fdfind locate awk gawk mawk nawk sed gsed jq yq xmllint tar zip unzip gzip"
    " gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat zstd 7z cpio ar pandoc",
    "git": "git",
    "python": "python python3 python2 pypy pypy3 pip pip3 pipx pytest py.test ruff mypy pyright basedpyright black flake8 isort pylint"
    " bandit tox nox uv uvx poetry pdm hatch rye pipenv coverage pre-commit conda mamba virtualenv ipython jupyter django-admin"
    " pydocstyle pycodestyle pyflakes vulture codespell yamllint sqlfluff interrogate",
    "node": "node nodejs npm npx yarn pnpm bun bunx deno tsc eslint prettier jest vitest mocha biome ava tap stylelint vue-tsc"
    " svelte-check tsx ts-node next vite webpack rollup esbuild turbo nx lerna playwright cypress oxlint markdownlint markdownlint-cli2 knip depcheck corepack",
    "build": "make gmake cmake ctest ninja meson bazel bazelisk go gofmt goimports golangci-lint staticcheck cargo rustc rustfmt"
    " clippy-driver rustup mvn mvnw gradle gradlew java javac kotlinc kotlin scala sbt dotnet swift swiftc swiftlint mix iex elixir"
    " rebar3 bundle rspec rake ruby gem rubocop minitest php composer phpunit pest phpstan psalm bats shellcheck shfmt hadolint"
    " actionlint gcc g++ clang clang++ cc c++ ld clang-format clang-tidy cppcheck terraform tofu tflint helm buf protoc flutter"
    " dart stack cabal ghc zig just task perl lua R Rscript julia nim",
    "outside": "curl wget ssh scp sftp rsync nc ncat netcat telnet ftp dig host nslookup ping traceroute whois gh glab aws gcloud az"
    " kubectl docker podman nerdctl docker-compose psql mysql sqlite3 redis-cli mongosh open xdg-open",
    "system": "kill pkill killall systemctl service launchctl crontab at mount umount mkfs mke2fs fdisk parted wipefs swapoff"
    " shutdown reboot poweroff halt init telinit apt apt-get dpkg yum dnf pacman apk brew snap flatpak port choco su sudo doas passwd"
    " useradd usermod userdel groupadd visudo iptables ufw sysctl modprobe insmod rmmod chroot unshare nsenter mkswap blkdiscard losetup"
    " mkfs.ext4 mkfs.ext3 mkfs.xfs mkfs.btrfs mkfs.vfat hdparm",
    "wrappers": "timeout nice nohup time command builtin exec xargs stdbuf setsid ionice chrt taskset unbuffer watch script flock"
    " strace ltrace parallel busybox entr caffeinate systemd-run direnv mise dotenv cross-env doppler op rlwrap setarch runuser",
    "shells": "bash sh zsh dash ksh fish eval source . cd pushd popd dirs set shopt export readonly local declare typeset unset read"
    " alias unalias trap exit return break continue shift let getopts mapfile readarray enable help history fc bind complete compgen"
    " disown fg bg suspend logout caller",
}
"""Family → the programs that its file reads."""

_FAMILY = {name: family for family, names in FAMILIES.items() for name in names.split()}


def family_of(name: str) -> Callable[[Use], None] | None:
    """Return the reader of a program, or None if nobody knows it."""
    base = name if name in _FAMILY else _without_version(name)
    family = _FAMILY.get(base)
    if family is None:
        return None
    module = __import__(f"holdfast.core.shell.tools.{family}", fromlist=["read"])
    reader: Callable[[Use], None] = module.read
    return reader


def runs_project_code(name: str) -> bool:
    """Tell whether a program runs code of the project that it stands in."""
    return _FAMILY.get(name if name in _FAMILY else _without_version(name)) in (
        "python",
        "node",
        "build",
        "wrappers",
        "shells",
    )


def only_reads(name: str) -> bool:
    """Tell whether a program is one of the simple tools, which no variable turns into something else."""
    return _FAMILY.get(name) == "coreutils" and name not in ("env", "man", "less", "more")


def _without_version(name: str) -> str:
    """Return python3 for python3.12, and the like."""
    stem = name.rstrip("0123456789.")
    if stem.startswith("mkfs"):
        return "mkfs"
    return f"{stem}3" if stem in ("python", "pip") and name.startswith(f"{stem}3") else stem
