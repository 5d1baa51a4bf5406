"""Every gate has probes in both directions, so that `doctor` can try it."""

from __future__ import annotations

from holdfast.app.probes import PROBES
from holdfast.policies.catalog import CATALOG


def test_every_gate_has_a_probe_that_it_refuses_and_one_that_it_permits() -> None:
    for entry in CATALOG:
        directions = {probe.refused for probe in PROBES if probe.policy == entry.id}
        assert directions == ({True, False} if entry.gate else set()), entry.id
