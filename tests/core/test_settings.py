"""Settings: what is kept in the store comes back as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.jsontext import encode, parse
from holdfast.core.settings import DEFAULT_PROFILE, MODES, OFF, PROFILES, PolicySettings, Settings, from_json, to_json

_TEXTS = st.text(max_size=10)
_OWN = st.dictionaries(
    st.text(min_size=1, max_size=8),
    st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS
    | st.lists(_TEXTS, max_size=3).map(tuple),
    max_size=3,
)
_POLICY_SETTINGS = st.builds(
    PolicySettings,
    mode=st.sampled_from(MODES),
    paths=st.lists(_TEXTS, max_size=3).map(tuple),
    own=_OWN,
)
SETTINGS: st.SearchStrategy[Settings] = st.builds(
    Settings,
    profile=st.sampled_from(sorted(PROFILES)),
    policies=st.dictionaries(st.text(min_size=1, max_size=12), _POLICY_SETTINGS, max_size=4),
    retention_days=st.integers(min_value=0, max_value=10_000),
    max_events=st.integers(min_value=0, max_value=10_000_000),
    audit_log=st.booleans(),
    problems=st.lists(_TEXTS, max_size=3).map(tuple),
)


@given(SETTINGS)
def test_settings_survive_the_way_through_json(settings: Settings) -> None:
    assert from_json(parse(encode(to_json(settings)))) == settings


@given(SETTINGS)
def test_settings_can_be_hashed_and_equal_ones_have_equal_hashes(settings: Settings) -> None:
    assert hash(from_json(to_json(settings))) == hash(settings)
    for one in settings.policies.values():
        assert hash(one) == hash(one.replace())


def test_every_field_is_written() -> None:
    assert set(to_json(Settings())) == set(Settings.fields())
    (one,) = to_json(Settings(policies={"p": PolicySettings()}))["policies"].values()
    assert set(one) == set(PolicySettings.fields())


def test_what_is_missing_is_the_default() -> None:
    assert from_json({}) == Settings()
    assert from_json(None) == Settings()
    assert from_json({"policies": {"p": {}, "no-table": 3}}) == Settings(policies={"p": PolicySettings()})


def test_a_policy_that_is_not_named_is_off() -> None:
    assert Settings().of("edit-on-main") == PolicySettings(OFF)


def test_the_default_profile_is_a_profile() -> None:
    assert DEFAULT_PROFILE in PROFILES
