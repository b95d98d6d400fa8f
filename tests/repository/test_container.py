"""Tests of the trial of the container: it runs it as ``compose.yaml`` does, and asks what the Dockerfile asks."""

from __future__ import annotations

import json

import pytest
import yaml

import _clean
import _container
import _setup
from places import ROOT


def test_the_trial_has_the_limits_of_the_compose_file() -> None:
    (service,) = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    assert service["read_only"] is True
    asked = {"--read-only", *(f"--tmpfs={path}" for path in service["tmpfs"])}
    asked |= {f"--cap-drop={each.lower()}" for each in service["cap_drop"]}
    asked |= {f"--security-opt={each.removesuffix(':true')}" for each in service["security_opt"]}
    assert asked == {*_container.LIMITS}
    assert service["stop_grace_period"] == f"{_container.GRACE}s"
    assert any(port.endswith(f":{_container.PORT}") for port in service["ports"])


def test_the_trial_asks_what_the_dockerfile_asks() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert json.dumps(_container.WELL) in text
    assert f"EXPOSE {_container.PORT}" in text


def test_without_a_wheel_it_says_what_makes_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_clean, "obstacles", list)
    monkeypatch.setattr(_setup, "wheels", list)
    with pytest.raises(_setup.SetupError, match="There is no wheel in dist/"):
        _container.main()
