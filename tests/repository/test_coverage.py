"""Tests of how the coverage of the core is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import _core_coverage

RUST = """\
pub fn half(number: u32) -> u32 {
    number / 2
}

#[cfg(test)]
mod tests {
}
"""


def test_lines_of_the_core_are_reached_by_any_program_and_those_of_its_tests_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rust" / "core" / "src" / "half.rs"
    file.parent.mkdir(parents=True)
    file.write_text(RUST, encoding="utf-8")
    report = f"SF:{file}\nDA:1,0\nDA:2,3\nDA:3,1\nDA:6,7\nend_of_record\nSF:/other.rs\nDA:1,1\nend_of_record\n"
    found = _core_coverage.lines(report, tmp_path)
    assert found == {"rust/core/src/half.rs": {1: False, 2: True, 3: True}}
    assert _core_coverage.tell(found, 66.6)
    assert "66.67 %  rust/core/src/half.rs: 1\n" in capsys.readouterr().out
    assert not _core_coverage.tell(found, 66.7)
    assert not _core_coverage.tell({}, 0.1)
