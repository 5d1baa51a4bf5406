"""Configurations that tests need."""

from __future__ import annotations

from holdfast.policies.catalog import CATALOG

NOTHING_ENFORCED = "".join(f'[policy.{entry.id}]\nmode = "off"\n' for entry in CATALOG if entry.gate)
"""Every gate switched off."""
