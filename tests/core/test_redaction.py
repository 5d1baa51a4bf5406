"""Redaction: secrets and bulk are gone from what is written down, and nothing else is.

The secrets are put together here from parts, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from holdfast.core.jsontext import encode
from holdfast.core.redaction import (
    MARGIN,
    MOST_DEPTH,
    MOST_ITEMS,
    MOST_TEXT,
    MOST_TOTAL,
    _by_pattern,
    may_hold_secret,
    names_secret,
    redacted,
    written_form,
)

from .strategies import JSON_VALUES

X = "A1b2C3d4E5f6G7h8"
"""Sixteen characters as they occur in tokens."""
KEY_BODY = "\n".join(["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"] * 12)


def pem(kind: str, body: str = KEY_BODY) -> str:
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


# name, the text before, the secret, the text after
SECRETS: list[tuple[str, str, str, str]] = [
    ("OpenAI key", "key ", "sk-" + X * 3, " end"),
    ("OpenAI project key", "", "sk-" + "proj-" + X * 3, ""),
    ("Anthropic key", "x=", "sk-" + "ant-api03-" + X * 5, "\n"),
    ("Stripe live key", "", "sk_" + "live_" + X * 2, ""),
    ("Stripe restricted key", "", "rk_" + "live_" + X * 2, ""),
    ("GitHub personal token", "git clone https://", "gh" + "p_" + X * 2 + "abcd", "@github.com/a/b"),
    ("GitHub app token", "", "gh" + "s_" + X * 2 + "abcd", ""),
    ("GitHub fine-grained token", "", "github_" + "pat_" + X * 5, ""),
    ("GitLab token", "", "glpat" + "-" + X + "_abcd", ""),
    ("Slack bot token", "", "xox" + "b-123456789012-" + X, ""),
    ("AWS access key id", "id: ", "AKIA" + "ABCDEFGH12345678", " ."),
    ("AWS temporary key id", "", "ASIA" + "ABCDEFGH12345678", ""),
    ("Google key", "", "AIza" + X * 2 + "abc", ""),
    ("JSON web token", "", "eyJ" + X + "." + X * 2 + "." + X * 2, ""),
    ("npm token", "//registry.npmjs.org/:_authToken=", "npm_" + X * 2 + "abcd", ""),
    ("PyPI token", "", "pypi-" + "AgEIcHlwaS5vcmc" + X * 4, ""),
    ("Hugging Face token", "", "hf_" + X * 2, ""),
    ("DigitalOcean token", "", "dop_v1_" + X * 4, ""),
    ("Shopify token", "", "shpat_" + X * 2, ""),
    ("SendGrid key", "", "SG." + X + "abcdef." + X * 2, ""),
    ("RSA private key", "key:\n", pem("RSA PRIVATE KEY"), "\nend"),
    ("private key", "", pem("PRIVATE KEY"), ""),
    ("OpenSSH private key", "cat id\n", pem("OPENSSH PRIVATE KEY"), "\n$ "),
    ("private key whose end is missing", "", pem("EC PRIVATE KEY").partition("-----END")[0], ""),
    ("password in an address", "postgres://user:", "hunter22x", "@db.example.com/app"),
    ("password in an address without a user", "redis://:", "hunter22x", "@localhost:6379/0"),
    ("bearer header", "curl -H 'Authorization: Bearer ", X * 2, "' https://example.com"),
    ("basic header", 'curl -H "Authorization: Basic ', "dXNlcjpodW50ZXIyMg==", '" https://example.com'),
    ("header with another scheme", "Authorization: ApiKey ", X, ""),
    ("header with a second space", "Authorization: Bearer  ", X * 2, ""),
    ("bearer elsewhere", "use bearer ", X * 2, " to log in"),
    ("cookie header", "Cookie: session=", X * 2, "\n$ "),
    ("set-cookie header", "Set-Cookie: sid=", X * 2, "\nServer: x"),
    ("variable", "export AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG+bPxRfiCY", " && run"),
    ("variable with a quoted value", 'DB_PASSWORD="', "hunter22x", '" ./run'),
    ("lower-case variable", "api_key = ", "hunter22x", ""),
    ("YAML", "database:\n  password: ", "hunter22x", "\n  user: app"),
    ("JSON", '{"user": "a", "password": "', "hunter22x", '"}'),
    ("JSON inside a quoted shell word", 'curl -d "{\\"password\\": \\"', "hunter22x\\", '"}" https://example.com'),
    ("JSON with camel case", '{"clientSecret": "', "hunter22x", '"}'),
    ("query", "https://example.com/?access_token=", X, "&page=2"),
    ("option with a space", "deploy --api-key ", "hunter22x", " --force"),
    ("option with an equals sign", "deploy --token=", "hunter22x", " --force"),
    ("passphrase option", "gpg --passphrase ", "hunter22x", " -d a.gpg"),
    ("Python", "client = Client(token='", "hunter22x", "')"),
]

HARMLESS: list[str] = [
    "",
    "ls -la",
    "pytest -q tests/test_tokens.py",
    "git commit -m 'Rotate the token'",
    "The password is asked for once.",
    "secrets are kept elsewhere",
    "grep -rn password src/",
    "export TOKEN=$GITHUB_TOKEN",
    "export PASSWORD=$(pass show db)",
    "password: ${DB_PASSWORD}",
    '{"password": ""}',
    '{"token": null}',
    "token = env['TOKEN']",
    "api_key: <your key>",
    "password = [hidden]",
    "max_tokens=4096",
    "https://example.com/a/b?page=2",
    "git@github.com:owner/repo.git",
    "ssh://git@example.com/repo.git",
    "http://localhost:8080/path@2x.png",
    "mailto:someone@example.com",
    "sk-learn and sk_buff are not keys",
    "task-runner-with-a-very-long-name",
    "risk_assessment_of_everything_here",
    "hf_hub",
    "npm_config_registry",
    "pypi-server",
    "xoxo",
    "AKIA",
    "eyJust a word",
    "SG.1 is a street",
    "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIID\n-----END PUBLIC KEY-----",
    "commit 5c82a03f1d4e2b6a7c8d9e0f1a2b3c4d5e6f7a8b",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "550e8400-e29b-41d4-a716-446655440000",
    "bearer of good news",
    "the cookie jar: empty",
    "def test_password_is_hashed(): ...",
    "deploy --token -v",
    "def login(password: str) -> None:",
]


@pytest.mark.parametrize(("before", "secret", "after"), [pytest.param(*row[1:], id=row[0]) for row in SECRETS])
def test_a_secret_is_gone_and_what_stands_around_it_stays(before: str, secret: str, after: str) -> None:
    text = redacted(before + secret + after)
    assert secret not in text
    assert secret[-8:] not in text, "nor is its end left"
    assert "[redacted]" in text
    assert text.endswith(after)


@pytest.mark.parametrize("text", HARMLESS, ids=[text[:40] or "empty" for text in HARMLESS])
def test_harmless_text_is_untouched(text: str) -> None:
    assert redacted(text) == text
    assert written_form(text) == text


def test_the_tables_are_long_enough() -> None:
    assert len(SECRETS) >= 25
    assert len(HARMLESS) >= 25


@pytest.mark.parametrize(("before", "secret", "after"), [pytest.param(*row[1:], id=row[0]) for row in SECRETS])
def test_redacting_twice_changes_nothing_more(before: str, secret: str, after: str) -> None:
    once = redacted(before + secret + after)
    assert redacted(once) == once


# --- the cheap look that comes first ---

_TOKEN_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_VALUES = st.text(alphabet=_TOKEN_CHARACTERS + "_-", min_size=6, max_size=60)
_NAMES = st.sampled_from(
    "secret token password passwd db_pwd passphrase apikey api_key api-key accesskey access_key access-key privatekey"
    " private_key private-key credential credentials bearer authorization cookie set-cookie credentıal ſecret toKen".split()
)
_PREFIXES = st.sampled_from(
    [
        *"sk- sk_live_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxb- AKIA ASIA AIza eyJ npm_ hf_ dop_v1_".split(),
        *("shpat_", "pypi-", "SG.", "://u:", "-----BEGIN PRIVATE KEY-----"),
    ]
)
_FILLING = st.text(alphabet=st.characters() | st.sampled_from(" =:\"'-_.@/\n"), max_size=15)
_JOINTS = st.sampled_from(["=", ": ", '": "', " ", "", " = '", "@"])
_CASES = st.sampled_from([str, str.upper, str.lower, str.title, str.swapcase])

LIKELY = st.builds(
    lambda before, case, name, joint, value, after: before + case(name) + joint + value + after,
    _FILLING,
    _CASES,
    _NAMES | _PREFIXES,
    _JOINTS,
    _VALUES,
    st.sampled_from(["", "@host", ".x.y", " "]) | _FILLING,
)


@settings(max_examples=4 * settings().max_examples)
@given(LIKELY | st.text(alphabet=st.characters(), max_size=80))
@example("paſſword=hunter22x")
def test_whatever_the_patterns_would_change_is_worth_trying(text: str) -> None:
    assert may_hold_secret(text) or _by_pattern(text) == text


def test_the_likely_texts_do_meet_the_patterns() -> None:
    """Proves that the property above is not empty: each row of the table is changed by a pattern."""
    for name, before, secret, after in SECRETS:
        text = before + secret + after
        assert _by_pattern(text) != text, name
        assert may_hold_secret(text), name


# --- the time that it takes ---

SLOW: list[tuple[str, str]] = [
    ("a long word beside a telltale", "a" * 4_000 + " token"),
    ("a long word with dashes", "a-" * 2_000 + " token"),
    ("a row of dashes", "-" * 4_000 + " token"),
    ("the telltale again and again", "secret" * 200),
    ("an option's name again and again", "--secret" * 150),
    ("begins without an end", "-----BEGIN " * 400 + "PRIVATE KEY"),
    ("addresses without an end", "://a:" * 800 + "@"),
    ("long white space after a name", "token" + " " * 4_000 + "x"),
]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SLOW])
def test_a_text_of_a_few_thousand_characters_takes_no_time_worth_mentioning(text: str) -> None:
    """A hook has a few seconds for everything, and a text may be three times as long as these."""
    redacted("token=warmed-up")
    began = time.process_time()
    redacted(text)
    assert time.process_time() - began < 0.15


# --- keys whose values are secrets ---

SECRET_NAMES = [
    "password", "PASSWORD", "db_password", "passwd", "secret", "client_secret", "clientSecret", "token", "access_token",
    "accessToken", "api_key", "apiKey", "API-KEY", "aws_secret_access_key", "private_key", "passphrase", "Authorization",
    "Cookie", "Set-Cookie", "SECRET_KEY", "DB_PWD", "credentials",
]  # fmt: skip
PLAIN_NAMES = [
    "command", "file_path", "tokens", "max_tokens", "tokenizer", "user", "key", "keyboard", "secretary", "cwd", "PWD", "OLDPWD",
]  # fmt: skip


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_the_value_of_a_key_that_names_a_secret_is_gone(name: str) -> None:
    assert names_secret(name)
    assert "hunter22x" not in encode(written_form({name: "hunter22x"}))
    assert "hunter22x" not in encode(written_form({"env": [{name: "hunter22x"}]}))


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_the_value_of_any_other_key_stays(name: str) -> None:
    assert written_form({name: "plain words"}) == {name: "plain words"}


def test_an_empty_secret_is_shown_as_such() -> None:
    assert written_form({"password": "", "token": None}) == {"password": "", "token": None}


def test_a_secret_in_a_key_is_gone_too() -> None:
    token = "gh" + "p_" + X * 3
    assert token not in encode(written_form({token: 1}))


# --- bounds ---

MARKER = 40
"""More than what is written in the place of what was left out."""


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (*_texts(key), *_texts(item))]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []


def _depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _nested(levels: int) -> object:
    value: object = "core"
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


BULKY: list[tuple[str, object]] = [
    ("one long text", "x" * 1_000_000),
    ("one long text of secrets", ("token=abcdef; " * 100_000)),
    ("a text at the bound, of short secrets that grow", "token=abcdef;" * (MOST_TEXT // 13)),
    ("one long key", {"k" * 1_000_000: 1}),
    ("many texts", ["y" * 5_000] * 200),
    ("many short texts", ["y"] * 100_000),
    ("many keys", {f"key{number}": "value" for number in range(100_000)}),
    ("deep lists and objects", _nested(400)),
    ("many numbers", [[1] * MOST_ITEMS] * MOST_ITEMS),
    ("many empty lists", [[[]] * MOST_ITEMS] * MOST_ITEMS),
    ("long numbers", [10**4_000] * MOST_ITEMS),
    ("texts in objects in lists", [{"a": "z" * 9_000, "b": ["w" * 9_000]}] * 50),
]


@pytest.mark.parametrize("value", [pytest.param(value, id=name) for name, value in BULKY])
def test_nothing_beyond_the_bounds_is_kept(value: object) -> None:
    kept = written_form(value)
    assert all(len(text) <= MOST_TEXT + MARKER for text in _texts(kept))
    assert _depth(kept) <= MOST_DEPTH + 1
    assert len(encode(kept)) <= 2 * MOST_TOTAL


def test_what_is_cut_says_how_much_is_missing_and_keeps_both_ends() -> None:
    kept = written_form("begin " + "x" * 20_000 + " end")
    assert isinstance(kept, str)
    assert kept.startswith("begin ")
    assert kept.endswith(" end")
    assert "[12010 characters left out]" in kept


def test_a_list_that_is_cut_says_how_much_is_missing() -> None:
    kept = written_form([0] * (MOST_ITEMS + 5))
    assert isinstance(kept, list)
    assert kept[-1] == "[5 more left out]"


@given(JSON_VALUES)
def test_small_values_without_telltales_are_kept_as_they_are(value: object) -> None:
    assume(not any(may_hold_secret(text) for text in _texts(value)))
    assume(not any(names_secret(text) for text in _texts(value)))
    assert written_form(value) == value


ASTRIDE = [row for row in SECRETS if len(row[2]) < MARGIN]


@settings(max_examples=3 * settings().max_examples)
@given(
    st.sampled_from(ASTRIDE),
    st.integers(min_value=-120, max_value=20),
    st.sampled_from(["head", "tail"]),
    st.integers(min_value=0, max_value=5_000),
)
def test_a_secret_astride_the_cut_does_not_leak(row: tuple[str, str, str, str], offset: int, end: str, more: int) -> None:
    name, before, secret, after = row
    assume("missing" not in name)  # without its end, everything after it belongs to it
    half, spread = MOST_TEXT // 2, before + secret + after
    filling = ". " * 8_000 + "." * more
    if end == "head":
        text = (". " * half)[: half + offset] + spread + filling
    else:
        text = filling + spread + (" ." * half)[: half - max(offset, 0)]
    kept = encode(written_form(text))
    pieces = [secret[at : at + 8] for at in range(8, len(secret) - 8, 8)] or [secret[-8:]]
    assert not [piece for piece in pieces if encode(piece)[1:-1] in kept]


def test_a_secret_at_the_edge_of_the_margin_does_not_leak_when_others_before_it_shrink() -> None:
    keys = (pem("RSA PRIVATE KEY", KEY_BODY * 2) + "\n") * 5
    token = "gh" + "p_" + X + "abcdefghijklmnopqrst"
    for at in range(-40, 1):
        room = MOST_TEXT // 2 + MARGIN + at
        text = keys + (" ." * room)[: room - len(keys) - 1] + " " + token + " " + ". " * 10_000
        assert token[:12] not in encode(written_form(text))


def test_a_secret_in_the_middle_of_a_long_text_is_left_out_with_it() -> None:
    token = "gh" + "p_" + X * 3
    assert token[:10] not in encode(written_form(". " * 5_000 + token + " ." * 5_000))
