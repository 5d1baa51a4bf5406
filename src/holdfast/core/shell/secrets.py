"""Files that hold secrets, by their names and folders."""

from __future__ import annotations

_FOLDERS = frozenset(
    (".ssh", ".aws", ".gnupg", ".kube", ".azure", ".gcloud", "gcloud", ".password-store", ".docker", "keychains")
)
_NAMES = frozenset(
    ".env .envrc .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd .vault-token .s3cfg .boto id_rsa id_dsa"
    " id_ecdsa id_ed25519 shadow gshadow sudoers master.key credentials.json service-account.json .bash_history .zsh_history"
    " .python_history .psql_history .mysql_history .node_repl_history secrets.yml secrets.yaml secrets.json secret.yml"
    " secret.yaml secret.json secrets.toml secrets.env terraform.tfstate hosts.yml kubeconfig environ token.json"
    " application_default_credentials.json .credentials.json credentials credentials.toml auth.json .dockercfg .terraformrc .gitconfig-private wallet.dat".split()
)
_ENDINGS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".tfvars", ".ovpn")
_HARMLESS_ENV = (".example", ".sample", ".template", ".dist", ".defaults")


def is_secret(path: str) -> bool:
    """Tell whether a file of this path may hold secrets."""
    parts = [part for part in path.lower().split("/") if part]
    if not parts:
        return False
    name = parts[-1]
    if any(part in _FOLDERS for part in parts[:-1]) or name in _FOLDERS:
        return not name.endswith((".pub", "known_hosts"))
    if any(part.startswith(".") and any(sign in part for sign in "*?[{") for part in parts):
        return True  # a pattern over hidden files or folders
    if "secrets" in parts[:-1] and "run" in parts:
        return True
    if name.startswith(".env") and (name == ".env" or name[4:5] in (".", "*", "-", "_")):
        return not name.endswith(_HARMLESS_ENV)
    if name in _NAMES:
        # `environ` and `hosts.yml` are secrets only where they are known to be
        if name == "environ":
            return parts[0] == "proc"
        if name == "hosts.yml":
            return "gh" in parts
        return True
    return name.endswith(_ENDINGS) or (name.endswith(".env") and not name.startswith("example"))
